/** Converts the media of a Plex item to versions that a player can use. */
import * as z from 'zod/mini'
import type { AudioTrack, MediaInformation } from '../ffmpeg/media-probe.ts'
import { findPlaybackMarks, type PlaybackMarks } from '../library/playback-marks.ts'
import { parseSubtitleLanguage } from '../library/subtitle-name.ts'
import type { MediaServerConnection } from './connection.ts'
import type { RemoteVersion } from './media-server.ts'
import { flagOrNull, numberOrNull, textOrNull } from './response-fields.ts'
import { chooseExtension, getBitsPerSecond, TRANSCODED_SEGMENT_SECONDS } from './stream-options.ts'

const MS_PER_SECOND = 1000
/** Values of `streamType`, which states the kind of a track. */
const VIDEO_STREAM_TYPE = 1
const AUDIO_STREAM_TYPE = 2
const SUBTITLE_STREAM_TYPE = 3

const streamSchema = z.object({
  id: z.union([z.int(), z.string()]),
  streamType: z.int(),
  key: textOrNull,
  index: numberOrNull,
  codec: textOrNull,
  profile: textOrNull,
  level: numberOrNull,
  bitDepth: numberOrNull,
  width: numberOrNull,
  height: numberOrNull,
  chromaSubsampling: textOrNull,
  colorTrc: textOrNull,
  scanType: textOrNull,
  frameRate: numberOrNull,
  channels: numberOrNull,
  languageTag: textOrNull,
  languageCode: textOrNull,
  title: textOrNull,
  selected: flagOrNull,
  default: flagOrNull,
  forced: flagOrNull,
  hearingImpaired: flagOrNull,
})
type PlexStream = z.infer<typeof streamSchema>
const partSchema = z.object({
  key: z.string().check(z.startsWith('/')),
  file: textOrNull,
  size: numberOrNull,
  container: textOrNull,
  duration: numberOrNull,
  Stream: z.catch(z.nullish(z.array(z.unknown())), null),
})
const mediaSchema = z.object({
  bitrate: numberOrNull,
  container: textOrNull,
  duration: numberOrNull,
  Part: z.catch(z.nullish(z.array(partSchema)), null),
})
const itemSchema = z.object({
  duration: numberOrNull,
  Media: z.catch(z.nullish(z.array(mediaSchema)), null),
  Chapter: z.catch(z.nullish(z.array(z.object({ tag: textOrNull, startTimeOffset: z.number() }))), null),
  Marker: z.catch(
    z.nullish(
      z.array(z.object({ type: z.string(), startTimeOffset: z.number(), endTimeOffset: z.number() })),
    ),
    null,
  ),
})
type PlexDetails = z.infer<typeof itemSchema>
export const plexDetailsSchema = z.object({ MediaContainer: z.object({ Metadata: z.array(itemSchema) }) })

interface PlexItemRef {
  /** Path of the item in the API: `/library/metadata/<id>`. */
  path: string
  deviceId: string
}

/**
 * Returns one version per element `Media` of an item. Leaves out elements without a video track, and elements with
 * several files (`Part`), because several files cannot be played as one video.
 */
export function createPlexVersions(
  connection: MediaServerConnection,
  item: PlexDetails,
  itemRef: PlexItemRef,
): RemoteVersion[] {
  return (item.Media ?? []).flatMap((media, mediaIndex) => {
    const [mediaPart, ...otherParts] = media.Part ?? []
    if (!mediaPart || otherParts.length > 0) return []
    const streams = (mediaPart.Stream ?? []).flatMap((stream) => z.safeParse(streamSchema, stream).data ?? [])
    const durationMs = mediaPart.duration ?? media.duration ?? item.duration ?? null
    const information = readMediaInformation(item, streams, {
      format: mediaPart.container ?? media.container ?? '',
      durationSeconds: durationMs === null ? null : durationMs / MS_PER_SECOND,
      bitsPerSecond: media.bitrate ? media.bitrate * 1000 : null,
    })
    if (!information) return []
    return [
      {
        id: String(mediaIndex),
        extension: chooseExtension(information.format, mediaPart.file ?? mediaPart.key),
        sizeBytes: mediaPart.size ?? null,
        information,
        marks: readPlaybackMarks(item, information),
        directUrl: connection.buildUrl(mediaPart.key).href,
        subtitles: streams.flatMap((stream) => toSubtitles(connection, stream)),
        // On Plex, the chosen audio track is a property of the file. Choosing a track here would change it for all
        // users of the Plex server.
        canChooseAudio: false,
        buildHlsUrl: ({ maxHeight, sessionId }) =>
          buildHlsUrl(connection, itemRef, { mediaIndex, maxHeight, sessionId, information }),
      },
    ]
  })
}

function buildHlsUrl(
  connection: MediaServerConnection,
  { path, deviceId }: PlexItemRef,
  {
    mediaIndex,
    maxHeight,
    sessionId,
    information,
  }: { mediaIndex: number; maxHeight: number; sessionId: string; information: MediaInformation },
): string {
  const isFullSize = information.video.height <= maxHeight
  const bitsPerSecond = Math.max(
    getBitsPerSecond(maxHeight),
    isFullSize ? (information.bitsPerSecond ?? 0) : 0,
  )
  return connection.buildUrl('/video/:/transcode/universal/start.m3u8', {
    path,
    mediaIndex,
    partIndex: 0,
    protocol: 'hls',
    fastSeek: 1,
    directPlay: 0,
    directStream: 1,
    directStreamAudio: 1,
    subtitles: 'none',
    location: 'lan',
    videoQuality: 100,
    videoResolution: `${Math.round((maxHeight * 16) / 9)}x${maxHeight}`,
    maxVideoBitrate: Math.round(bitsPerSecond / 1000),
    secondsPerSegment: TRANSCODED_SEGMENT_SECONDS,
    session: sessionId,
    'X-Plex-Session-Identifier': sessionId,
    'X-Plex-Client-Identifier': deviceId,
    'X-Plex-Platform': 'Chrome',
    'X-Plex-Client-Profile-Extra':
      'add-transcode-target(type=videoProfile&context=streaming&protocol=hls&container=mpegts&videoCodec=h264&audioCodec=aac)',
  }).href
}

function toSubtitles(connection: MediaServerConnection, stream: PlexStream) {
  // Only subtitles with a key can be fetched separately. The others are part of the video file.
  if (stream.streamType !== SUBTITLE_STREAM_TYPE || !stream.key?.startsWith('/')) return []
  if (!/^(?:srt|subrip|vtt|webvtt|ass|ssa)$/.test(stream.codec ?? '')) return []
  return [
    {
      url: connection.buildUrl(stream.key).href,
      lang: readLanguage(stream),
      forced: Boolean(stream.forced),
      sdh: Boolean(stream.hearingImpaired),
    },
  ]
}

const readLanguage = ({ languageTag, languageCode }: PlexStream) =>
  parseSubtitleLanguage(languageCode ?? '') ??
  parseSubtitleLanguage((languageTag ?? '').split('-')[0] ?? '') ??
  'und'

function readMediaInformation(
  item: PlexDetails,
  streams: PlexStream[],
  formatFields: Pick<MediaInformation, 'format' | 'durationSeconds' | 'bitsPerSecond'>,
): MediaInformation | null {
  const video = streams.find(({ streamType }) => streamType === VIDEO_STREAM_TYPE)
  if (!video?.codec) return null
  const chromaSubsampling = video.chromaSubsampling ?? ''
  return {
    ...formatFields,
    startSeconds: 0,
    video: {
      index: video.index ?? 0,
      codec: video.codec,
      profile: video.profile ?? '',
      level: video.level ?? 0,
      width: video.width ?? 0,
      height: video.height ?? 0,
      bitDepth: video.bitDepth ?? 8,
      hasHalvedChroma: chromaSubsampling === '' || chromaSubsampling === '4:2:0',
      hdr: video.colorTrc === 'arib-std-b67' ? 'hlg' : video.colorTrc === 'smpte2084' ? 'pq' : null,
      isInterlaced: video.scanType === 'interlaced',
      framesPerSecond: video.frameRate ?? null,
    },
    audio: streams.filter(({ streamType }) => streamType === AUDIO_STREAM_TYPE).map(toAudioTrack),
    subtitles: [],
    chapters: (item.Chapter ?? []).map(({ tag, startTimeOffset }) => ({
      start: startTimeOffset / MS_PER_SECOND,
      title: tag ?? '',
    })),
  }
}

/** Codec names of Plex that differ from the names of ffmpeg. */
const AUDIO_CODEC_ALIASES: Record<string, string> = { dca: 'dts' }

function toAudioTrack(stream: PlexStream, trackIndex: number): AudioTrack {
  const title = stream.title ?? ''
  return {
    index: stream.index ?? trackIndex,
    codec: AUDIO_CODEC_ALIASES[stream.codec ?? ''] ?? stream.codec ?? '',
    profile: stream.profile === 'lc' ? 'LC' : (stream.profile ?? ''),
    channels: stream.channels ?? 2,
    language: readLanguage(stream),
    title,
    isDefault: Boolean(stream.default),
    isCommentary: /comment(?:ary|aire)/i.test(title),
    isDescription: /audio ?descri/i.test(title),
  }
}

/** Returns the marks of the intro and the credits. Markers of Plex take precedence over marks from chapter names. */
function readPlaybackMarks(
  { Marker }: PlexDetails,
  { chapters, durationSeconds }: MediaInformation,
): PlaybackMarks {
  const playbackMarks = findPlaybackMarks(chapters, durationSeconds)
  const introMarker = Marker?.find(({ type }) => type === 'intro')
  const creditsMarker = Marker?.findLast(({ type }) => type === 'credits')
  if (introMarker)
    playbackMarks.intro = {
      start: introMarker.startTimeOffset / MS_PER_SECOND,
      end: introMarker.endTimeOffset / MS_PER_SECOND,
    }
  if (creditsMarker) playbackMarks.creditsAtSeconds = creditsMarker.startTimeOffset / MS_PER_SECOND
  return playbackMarks
}
