/**
 * Looks up a title on the operator's Jellyfin and Plex servers. Browsers receive signed URLs of this server,
 * never URLs of a media server.
 */
import { createHash } from 'node:crypto'
import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import { decodeCapabilities } from '../../../src/lib/rules/playback-capabilities.ts'
import { parseQualityHeight } from '../../../src/lib/rules/player-quality.ts'
import { Problem } from '../../core/problem.ts'
import type { AudioTrack } from '../../providers/ffmpeg/media-probe.ts'
import { PLAYLIST_TYPE, VIDEO_TYPES, WEBVTT_TYPE } from '../../providers/library/media-types.ts'
import { normaliseChapters } from '../../providers/library/playback-marks.ts'
import { getQualityOfSize } from '../../providers/library/quality.ts'
import { formatSubtitleLabel } from '../../providers/library/subtitle-name.ts'
import { MediaServerError, type RemoteVersion } from '../../providers/media-server/media-server.ts'
import { selectItemsOfTitle } from '../../queries/media-server-item.ts'
import { hasItemEpisode } from '../media-servers/item-episodes.ts'
import { contactMediaServer, findRecentProblem } from '../media-servers/server-contact.ts'
import type { MediaServerWithClient } from '../media-servers/stored-media-servers.ts'
import { chooseAudioTrack, chooseAudioTracks, chooseDelivery, findListedTracks } from './choose-delivery.ts'
import { describeAudioTrack, LOWER_QUALITIES, type StreamSource } from './delivered-sources.ts'
import { findCommonEpisodes } from './library-match.ts'
import type { MediaLocation } from './media-url.ts'
import type { StreamLookup } from './stream-lookup.ts'
import { formatMediaRequestOptions } from './upstream-request.ts'

/**
 * Returns the stream of the first media server that has the title; null when none has it. Throws 502 when a server that
 * has the title does not respond and no other server has the title.
 */
export async function findMediaServerStream(lookup: StreamLookup): Promise<StreamInfo | null> {
  const { deps, title, query } = lookup
  const { mediaServers } = deps.streamSources
  if (mediaServers.length === 0) return null
  const serverItems = (await selectItemsOfTitle(deps.database.reader, title.title_id)).filter((item) =>
    hasItemEpisode(item, { season: query.season, episode: query.episode }),
  )
  let hasServerFailed = false
  for (const server of mediaServers) {
    const items = serverItems.filter(({ server_id }) => server_id === server.id)
    const remoteIds = items.map((item) => item.remote_id)
    if (remoteIds.length === 0) continue
    const versions = findRecentProblem(deps, server.id)
      ? null
      : await contactMediaServer(deps, server.id, () => loadVersions(server, remoteIds)).catch(
          ignoreServerFailure,
        )
    if (versions && versions.length > 0) {
      const episodes = findCommonEpisodes(items.map((item) => JSON.parse(item.title_episodes) as number[]))
      return {
        ...describeMediaServerStream(lookup, server, versions),
        ...(episodes.length > 1 && { episodes }),
      }
    }
    hasServerFailed ||= versions === null
  }
  if (hasServerFailed)
    throw new Problem('upstream_error', {
      message: 'The media server that has this title does not answer. Try again later.',
      errors: { media_server: ['unreachable'] },
    })
  return null
}

function ignoreServerFailure(error: unknown): null {
  if (error instanceof MediaServerError) return null
  throw error
}

async function loadVersions(server: MediaServerWithClient, remoteIds: string[]): Promise<RemoteVersion[]> {
  const versions = await Promise.all(remoteIds.map((remoteId) => server.client.loadVersions(remoteId)))
  return versions.flat()
}

function describeMediaServerStream(
  lookup: StreamLookup,
  server: MediaServerWithClient,
  versions: RemoteVersion[],
): StreamInfo {
  const signUrl = createUrlSigner(lookup, server)
  const { audio: audioIndex, audioLanguage: language, audioKind: kind } = lookup.query
  const choosableTracks = versions.map(({ canChooseAudio, information }) =>
    canChooseAudio || information.audio.length === 1 ? information.audio : [],
  )
  const chosenAudioTracks = chooseAudioTracks(choosableTracks, { index: audioIndex, language, kind })
  const sources = versions.flatMap((version, index) =>
    createVersionSources(lookup, version, chosenAudioTracks[index] ?? null, signUrl),
  )
  const listedTracks = findListedTracks(choosableTracks)
  const selectedTrack = chosenAudioTracks[choosableTracks.indexOf(listedTracks)]
  const audioTracks = listedTracks.map((track) => describeAudioTrack(track, track === selectedTrack))
  const subtitlesByUrl = new Map(
    versions.flatMap(({ subtitles }) => subtitles.map((subtitle) => [subtitle.url, subtitle])),
  )
  const marksOfVersions = versions.map((version) => version.marks)
  const chapters = versions
    .map(({ information }) => normaliseChapters(information.chapters))
    .find(({ length }) => length > 0)
  const intro = marksOfVersions.find((marks) => marks.intro)?.intro
  const creditsAtSeconds =
    marksOfVersions.find(({ creditsAtSeconds }) => creditsAtSeconds !== undefined)?.creditsAtSeconds ??
    lookup.title.credits_at
  return {
    sources,
    subtitles: [...subtitlesByUrl.values()].map(({ url, lang, forced, sdh }) => ({
      lang,
      label: formatSubtitleLabel({ lang, forced, sdh }),
      url: signUrl(url, WEBVTT_TYPE, 'vtt', lang),
      ...(forced && { forced }),
      ...(sdh && { sdh }),
    })),
    ...(audioTracks.length > 0 && { audio_tracks: audioTracks }),
    ...(chapters && { chapters }),
    ...(intro && { intro }),
    ...(creditsAtSeconds !== null && { credits_at: creditsAtSeconds }),
  }
}

type UrlSigner = (url: string, mimeType: string, extension: string, lang?: string) => string

/**
 * Returns a function that signs URLs of a media server. A signed URL does not contain the token of the media server.
 * The client of the media server adds the token to each request.
 */
function createUrlSigner({ signUrl }: StreamLookup, { id }: MediaServerWithClient): UrlSigner {
  const requestOptions = formatMediaRequestOptions({ providerId: id, headers: {} })
  return (url, type, extension, lang) => {
    const location: MediaLocation = {
      source: 'upstream',
      name: url,
      base: requestOptions,
      hint: type,
      ...(lang !== undefined && { lang }),
    }
    return signUrl(location, extension)
  }
}

/**
 * Returns the unchanged file if the browser can play it, otherwise a stream that the media server converts. Adds
 * conversions to lower qualities.
 */
function createVersionSources(
  lookup: StreamLookup,
  version: RemoteVersion,
  chosenAudioTrack: AudioTrack | null,
  signUrl: UrlSigner,
): StreamSource[] {
  const { query } = lookup
  const { information, canChooseAudio, extension } = version
  const audioTrack = chosenAudioTrack ?? chooseAudioTrack(information.audio, {})
  const plan = chooseDelivery({
    information,
    path: `file.${extension}`,
    decoders: decodeCapabilities(query.decoders),
    audioIndex: audioTrack?.index ?? null,
    hasKeyframes: true,
  })
  const quality = getQualityOfSize(information.video)
  const heightPixels = parseQualityHeight(quality)
  const createConvertedSource = (
    maxHeightPixels: number,
    sourceFields: Pick<StreamSource, 'delivery' | 'reason'>,
  ): StreamSource => ({
    url: signUrl(
      version.buildHlsUrl({
        audioIndex: canChooseAudio ? (audioTrack?.index ?? null) : null,
        maxHeight: maxHeightPixels,
        sessionId: createSessionId(lookup, `${version.directUrl} ${maxHeightPixels}`),
      }),
      PLAYLIST_TYPE,
      'm3u8',
    ),
    mime_type: PLAYLIST_TYPE,
    quality: `${maxHeightPixels}p`,
    size: null,
    ...sourceFields,
  })
  const isVideoCopied = plan.delivery === 'remux' && information.video.codec === 'h264'
  const bestSource: StreamSource =
    plan.delivery === 'direct'
      ? {
          url: signUrl(version.directUrl, VIDEO_TYPES[extension] ?? 'video/mp4', extension),
          mime_type: VIDEO_TYPES[extension] ?? 'video/mp4',
          quality,
          size: version.sizeBytes,
          delivery: 'direct',
          reason: plan.reason,
        }
      : createConvertedSource(heightPixels, {
          delivery: isVideoCopied ? 'remux' : 'transcode',
          reason: plan.reason,
        })
  const lowerQualitySources = LOWER_QUALITIES.map(parseQualityHeight)
    .filter((lowerHeightPixels) => lowerHeightPixels < heightPixels)
    .map((lowerHeightPixels) =>
      createConvertedSource(lowerHeightPixels, { delivery: 'transcode', reason: 'quality' }),
    )
  return [bestSource, ...lowerQualitySources]
}

/**
 * Returns the same ID for the same login, profile, file and quality, so that a renewed URL continues the same
 * conversion.
 */
const createSessionId = ({ caller }: StreamLookup, sourceKey: string) =>
  createHash('sha256')
    .update(`${caller.login.sid} ${caller.acting?.profile_id ?? ''} ${sourceKey}`)
    .digest('hex')
    .slice(0, 32)
