/** Converts the media sources of a Jellyfin item to versions that a player can use. */
import * as z from 'zod/mini'
import type { AudioTrack, MediaInformation } from '../ffmpeg/media-probe.ts'
import { findPlaybackMarks } from '../library/playback-marks.ts'
import { parseSubtitleLanguage } from '../library/subtitle-name.ts'
import type { MediaServerConnection } from './connection.ts'
import type { RemoteSubtitle, RemoteVersion } from './media-server.ts'
import { flagOrNull, numberOrNull, remoteIdSchema, textOrNull } from './response-fields.ts'
import { chooseExtension, getBitsPerSecond, TRANSCODED_SEGMENT_SECONDS } from './stream-options.ts'

const TICKS_PER_SECOND = 10_000_000

const streamSchema = z.object({
  Type: textOrNull,
  Index: z.int(),
  Codec: textOrNull,
  Profile: textOrNull,
  Level: numberOrNull,
  BitDepth: numberOrNull,
  Width: numberOrNull,
  Height: numberOrNull,
  PixelFormat: textOrNull,
  VideoRangeType: textOrNull,
  IsInterlaced: flagOrNull,
  RealFrameRate: numberOrNull,
  Channels: numberOrNull,
  Language: textOrNull,
  Title: textOrNull,
  IsDefault: flagOrNull,
  IsForced: flagOrNull,
  IsHearingImpaired: flagOrNull,
  IsTextSubtitleStream: flagOrNull,
})
type JellyfinStream = z.infer<typeof streamSchema>
const sourceSchema = z.object({
  Id: remoteIdSchema,
  Container: textOrNull,
  Path: textOrNull,
  Size: numberOrNull,
  Bitrate: numberOrNull,
  RunTimeTicks: numberOrNull,
  MediaStreams: z.array(z.unknown()),
})
type JellyfinSource = z.infer<typeof sourceSchema>
const chapterSchema = z.object({ StartPositionTicks: z.number(), Name: textOrNull })
const itemSchema = z.object({
  MediaSources: z.catch(z.nullish(z.array(z.unknown())), null),
  Chapters: z.catch(z.nullish(z.array(chapterSchema)), null),
})
export const jellyfinSourcesSchema = z.object({ Items: z.array(itemSchema) })

interface PlaybackIds {
  remoteId: string
  deviceId: string
}

/** Returns one version per media source of an item. Leaves out media sources without a video track. */
export function createJellyfinVersions(
  connection: MediaServerConnection,
  item: z.infer<typeof itemSchema>,
  ids: PlaybackIds,
): RemoteVersion[] {
  return (item.MediaSources ?? []).flatMap((mediaSource) => {
    const source = z.safeParse(sourceSchema, mediaSource).data
    const streams = source?.MediaStreams.flatMap((stream) => z.safeParse(streamSchema, stream).data ?? [])
    const information = source && streams && readMediaInformation(source, streams, item.Chapters ?? [])
    return source && streams && information
      ? [createVersion(connection, { source, streams, information, ids })]
      : []
  })
}

function createVersion(
  connection: MediaServerConnection,
  {
    source,
    streams,
    information,
    ids: { remoteId, deviceId },
  }: { source: JellyfinSource; streams: JellyfinStream[]; information: MediaInformation; ids: PlaybackIds },
): RemoteVersion {
  const extension = chooseExtension(source.Container ?? '', source.Path ?? '')
  const query = { mediaSourceId: source.Id, deviceId }
  const path = `/Videos/${encodeURIComponent(remoteId)}`
  return {
    id: source.Id,
    extension,
    sizeBytes: source.Size ?? null,
    information,
    marks: findPlaybackMarks(information.chapters, information.durationSeconds),
    directUrl: connection.buildUrl(`${path}/stream.${extension}`, { ...query, static: true }).href,
    subtitles: streams.flatMap((stream) => toSubtitles(connection, stream, { path, sourceId: source.Id })),
    canChooseAudio: true,
    buildHlsUrl: ({ audioIndex, maxHeight, sessionId }) =>
      connection.buildUrl(`${path}/master.m3u8`, {
        ...query,
        playSessionId: sessionId,
        videoCodec: 'h264',
        audioCodec: 'aac',
        audioStreamIndex: audioIndex,
        maxHeight,
        // Jellyfin copies the video only if its bit rate does not exceed this limit. For a file that needs no scaling,
        // the limit is therefore at least the bit rate of the file.
        videoBitRate: Math.max(
          getBitsPerSecond(maxHeight),
          information.video.height <= maxHeight ? (information.bitsPerSecond ?? 0) : 0,
        ),
        audioBitRate: 192_000,
        maxAudioChannels: 2,
        segmentContainer: 'ts',
        segmentLength: TRANSCODED_SEGMENT_SECONDS,
        subtitleMethod: 'External',
      }).href,
  }
}

function toSubtitles(
  connection: MediaServerConnection,
  stream: JellyfinStream,
  { path, sourceId }: { path: string; sourceId: string },
): RemoteSubtitle[] {
  if (stream.Type !== 'Subtitle' || !stream.IsTextSubtitleStream) return []
  const subtitlePath = `${encodeURIComponent(sourceId)}/Subtitles/${stream.Index}/0/Stream.vtt`
  return [
    {
      url: connection.buildUrl(`${path}/${subtitlePath}`).href,
      lang: parseSubtitleLanguage(stream.Language ?? '') ?? 'und',
      forced: Boolean(stream.IsForced),
      sdh: Boolean(stream.IsHearingImpaired) || /\b(?:sdh|cc)\b/i.test(stream.Title ?? ''),
    },
  ]
}

function readMediaInformation(
  source: JellyfinSource,
  streams: JellyfinStream[],
  chapters: z.infer<typeof chapterSchema>[],
): MediaInformation | null {
  const video = streams.find(({ Type, Codec }) => Type === 'Video' && Codec !== 'mjpeg')
  if (!video?.Codec) return null
  const pixelFormat = video.PixelFormat ?? ''
  return {
    format: source.Container ?? '',
    durationSeconds: source.RunTimeTicks ? source.RunTimeTicks / TICKS_PER_SECOND : null,
    startSeconds: 0,
    bitsPerSecond: source.Bitrate ?? null,
    video: {
      index: video.Index,
      codec: video.Codec.toLowerCase(),
      profile: video.Profile ?? '',
      level: video.Level ?? 0,
      width: video.Width ?? 0,
      height: video.Height ?? 0,
      bitDepth: video.BitDepth ?? 8,
      hasHalvedChroma: pixelFormat === '' || /^(?:yuvj?420p|nv12|p010)/.test(pixelFormat),
      hdr: /hlg/i.test(video.VideoRangeType ?? '')
        ? 'hlg'
        : /hdr|dovi/i.test(video.VideoRangeType ?? '')
          ? 'pq'
          : null,
      isInterlaced: Boolean(video.IsInterlaced),
      framesPerSecond: video.RealFrameRate ?? null,
    },
    audio: streams.filter(({ Type }) => Type === 'Audio').map(toAudioTrack),
    subtitles: [],
    chapters: chapters.map(({ StartPositionTicks, Name }) => ({
      start: StartPositionTicks / TICKS_PER_SECOND,
      title: Name ?? '',
    })),
  }
}

function toAudioTrack(stream: JellyfinStream): AudioTrack {
  const title = stream.Title ?? ''
  return {
    index: stream.Index,
    codec: (stream.Codec ?? '').toLowerCase(),
    profile: stream.Profile ?? '',
    channels: stream.Channels ?? 2,
    language: parseSubtitleLanguage(stream.Language ?? '') ?? 'und',
    title,
    isDefault: Boolean(stream.IsDefault),
    isCommentary: /comment(?:ary|aire)/i.test(title),
    isDescription: /audio ?descri/i.test(title),
  }
}
