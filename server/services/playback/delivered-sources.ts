/**
 * Chooses how the browser of the caller gets each file of a title, and to which lower qualities the server can convert
 * the file.
 */

import type { StreamInfo } from '../../../src/lib/contract/playback.ts'
import { type Decoder, decodeCapabilities } from '../../../src/lib/rules/playback-capabilities.ts'
import { parseQualityHeight } from '../../../src/lib/rules/player-quality.ts'
import type { AudioTrack, SubtitleTrack } from '../../providers/ffmpeg/media-probe.ts'
import { getParentFolder } from '../../providers/library/file-path.ts'
import type { LibraryVideo } from '../../providers/library/library.ts'
import { getFileExtension, PLAYLIST_TYPE } from '../../providers/library/media-types.ts'
import { getQualityOfSize } from '../../providers/library/quality.ts'
import { formatSubtitleLabel } from '../../providers/library/subtitle-name.ts'
import { selectProfileNames } from '../../queries/profile-name.ts'
import { loadSettingValue } from '../operations/settings.ts'
import {
  chooseAudioTracks,
  chooseBurntInTracks,
  chooseDelivery,
  findListedTracks,
  getAudioKind,
} from './choose-delivery.ts'
import { formatConversionPlan } from './conversion/conversion-plan.ts'
import { listBlockingSessions } from './conversion/conversions.ts'
import { type ExaminedFile, examineFileIfReadable } from './media-information.ts'
import type { MediaLocation } from './media-url.ts'
import type { StreamLookup } from './stream-lookup.ts'

export type StreamSource = StreamInfo['sources'][number]
/** The fields of a stream that depend on how its files are delivered. */
type DeliveredStreamFields = Pick<StreamInfo, 'sources' | 'audio_tracks' | 'conversion' | 'busy_with'> & {
  examinedFiles: ExaminedFile[]
}

/** Qualities that are offered below the quality of the file, for slow connections and small screens. */
export const LOWER_QUALITIES = ['1080p', '720p', '480p']

export async function buildDeliveredSources(
  lookup: StreamLookup,
  videos: LibraryVideo[],
): Promise<DeliveredStreamFields> {
  const { deps, query } = lookup
  const decoders = decodeCapabilities(query.decoders)
  const status = (await deps.streamSources.ffmpeg.find()).status
  if (status !== 'available')
    return {
      sources: videos.map((video) => createDirectSource(lookup, video)),
      conversion: status,
      examinedFiles: [],
    }
  const maxHeightPixels = parseQualityHeight(
    await loadSettingValue(deps.database.reader, 'conversion_max_quality'),
  )
  // A file that cannot be examined now is still offered, because many browsers may be able to play it unchanged.
  const files = await Promise.all(
    videos.map(({ type, path }) => (type === PLAYLIST_TYPE ? null : examineFileIfReadable(deps, path))),
  )
  const audioTracksOfFiles = files.map((file) => file?.information?.audio ?? [])
  const chosenAudioTracks = chooseAudioTracks(audioTracksOfFiles, {
    index: query.audio,
    language: query.audioLanguage,
    kind: query.audioKind,
  })
  const chosenBurntInTracks = chooseBurntInTracks(
    files.map((file) => file?.information?.subtitles ?? []),
    query.burntInSubtitle,
  )
  const allDeliveries = videos.map((video, index) =>
    createVideoDelivery(lookup, video, {
      examinedFile: files[index] ?? null,
      audioTrack: chosenAudioTracks[index] ?? null,
      burntInTrack: chosenBurntInTracks[index] ?? null,
      decoders,
      maxHeightPixels,
    }),
  )
  // Omit files without the chosen picture subtitle, because the player would not show the subtitle. If no file has the
  // subtitle, keep all files.
  const deliveriesWithSubtitle = allDeliveries.filter(({ hasBurntInSubtitle }) => hasBurntInSubtitle)
  const deliveries = deliveriesWithSubtitle.length > 0 ? deliveriesWithSubtitle : allDeliveries
  const sources = deliveries.flatMap((delivery) => delivery.sources)
  const examinedFiles = files.filter((file) => file !== null)
  const listedTracks = findListedTracks(audioTracksOfFiles)
  const selectedTrack = chosenAudioTracks[audioTracksOfFiles.indexOf(listedTracks)]
  const audioTracks = listedTracks.map((track) => describeAudioTrack(track, track === selectedTrack))
  const needsEncoding = sources.some(({ delivery }) => delivery === 'transcode')
  const blockingSessions = needsEncoding ? await listBlockingSessions(deps, lookup.caller.login.sid) : []
  return {
    sources: blockingSessions.length > 0 ? removeEncodedSources(sources) : sources,
    ...(audioTracks.length > 0 && { audio_tracks: audioTracks }),
    conversion: blockingSessions.length > 0 ? 'busy' : needsEncoding ? 'available' : 'not_needed',
    ...(blockingSessions.length > 0 && {
      busy_with: await describeBlockingViewers(
        lookup,
        blockingSessions.map((session) => session.watchIdentity),
      ),
    }),
    examinedFiles,
  }
}

/**
 * Returns only the sources that need no encoding, for use when the limit of encodings is reached. If every
 * source needs encoding, returns all sources, so that the player can try again.
 */
function removeEncodedSources(sources: StreamSource[]): StreamSource[] {
  const unencodedSources = sources.filter(({ delivery }) => delivery !== 'transcode')
  return unencodedSources.length > 0 ? unencodedSources : sources
}

interface VideoDelivery {
  sources: StreamSource[]
  hasBurntInSubtitle?: boolean
}
interface DeliveryChoices {
  examinedFile: ExaminedFile | null
  audioTrack: AudioTrack | null
  burntInTrack: SubtitleTrack | null
  decoders: ReadonlySet<Decoder>
  maxHeightPixels: number
}

function createVideoDelivery(
  lookup: StreamLookup,
  video: LibraryVideo,
  { examinedFile, audioTrack, burntInTrack, decoders, maxHeightPixels }: DeliveryChoices,
): VideoDelivery {
  const information = examinedFile?.information
  if (!examinedFile || !information?.video)
    return { sources: [{ ...createDirectSource(lookup, video), reason: 'unknown' }] }
  const canConvertVideo = information.durationSeconds !== null
  const burntInSubtitleIndex = (canConvertVideo ? burntInTrack?.index : undefined) ?? null
  const plan = chooseDelivery({
    information,
    path: video.path,
    decoders,
    audioIndex: audioTrack?.index ?? null,
    hasKeyframes: examinedFile.keyframes !== null,
    burnsInSubtitle: burntInSubtitleIndex !== null,
  })
  // Prefer the video size of ffprobe to the size in the file header, which can be the size of a cover
  // picture.
  const quality = video.isQualityNamed ? video.quality : getQualityOfSize(information.video)
  const videoWithQuality = { ...video, quality }
  const createConvertedVideoSource = (
    heightPixels: number | null,
    sourceQuality: string,
    reason: StreamSource['reason'],
  ) =>
    createConvertedSource(lookup, videoWithQuality, {
      hint: formatConversionPlan({
        ...plan,
        maxHeightPixels: heightPixels,
        burntInSubtitleIndex,
      }),
      quality: sourceQuality,
      delivery: heightPixels === null ? 'remux' : 'transcode',
      reason,
    })
  const fileHeightPixels = parseQualityHeight(quality)
  const bestHeightPixels = Math.min(fileHeightPixels || maxHeightPixels, maxHeightPixels)
  const bestSource: StreamSource =
    plan.delivery === 'direct' || !canConvertVideo
      ? { ...createDirectSource(lookup, videoWithQuality), reason: plan.reason }
      : plan.delivery === 'remux'
        ? createConvertedVideoSource(null, quality, plan.reason)
        : createConvertedVideoSource(bestHeightPixels, `${bestHeightPixels}p`, plan.reason)
  const bestQualityHeightPixels = parseQualityHeight(bestSource.quality)
  const lowerQualitySources = LOWER_QUALITIES.map(parseQualityHeight)
    .filter(
      (heightPixels) =>
        canConvertVideo && heightPixels < bestQualityHeightPixels && heightPixels <= maxHeightPixels,
    )
    .map((heightPixels) => createConvertedVideoSource(heightPixels, `${heightPixels}p`, 'quality'))
  // A browser may fail to decode a video that it supports. Chromium, for example, cannot always decode H.264 with open
  // GOPs after a seek. The player then takes the next source. The list therefore always contains an encoded source, if
  // the file can be converted.
  const needsEncodedSource =
    canConvertVideo && plan.delivery !== 'transcode' && lowerQualitySources.length === 0
  return {
    sources: [
      bestSource,
      ...lowerQualitySources,
      ...(needsEncodedSource
        ? [createConvertedVideoSource(bestHeightPixels, `${bestHeightPixels}p`, 'video_codec')]
        : []),
    ],
    hasBurntInSubtitle: burntInSubtitleIndex !== null,
  }
}

export function describeAudioTrack(track: AudioTrack, isSelected: boolean) {
  return {
    id: track.index,
    lang: track.language,
    label: formatSubtitleLabel({ lang: track.language, forced: false, sdh: false }),
    kind: getAudioKind(track),
    channels: track.channels,
    selected: isSelected,
  }
}

function createDirectSource(
  { signUrl }: StreamLookup,
  { path, type, quality, sizeBytes }: LibraryVideo,
): StreamSource {
  const folderPath = getParentFolder(path)
  const location: MediaLocation = {
    source: 'library',
    name: path,
    ...(type === PLAYLIST_TYPE && { base: folderPath }),
  }
  return {
    url: signUrl(location, getFileExtension(path)),
    mime_type: type,
    quality,
    size: sizeBytes,
    delivery: 'direct',
  }
}

function createConvertedSource(
  { signPlaylistUrl }: StreamLookup,
  { path }: LibraryVideo,
  { hint, ...sourceFields }: Pick<StreamSource, 'quality' | 'delivery' | 'reason'> & { hint: string },
): StreamSource {
  return {
    url: signPlaylistUrl({ source: 'conversion', name: path, hint }),
    mime_type: PLAYLIST_TYPE,
    size: null,
    ...sourceFields,
  }
}

/**
 * Describes the viewers whose streams prevent another encoding. Returns the names of the profiles that belong to
 * the account of the caller, and the number of all other viewers.
 */
async function describeBlockingViewers(
  { deps, caller }: Pick<StreamLookup, 'deps' | 'caller'>,
  identities: { profileId: string | null; sid: string }[],
): Promise<NonNullable<StreamInfo['busy_with']>> {
  const profileIds = identities.flatMap(({ profileId }) => (profileId ? [profileId] : []))
  const profiles = await selectProfileNames(deps.database.reader, profileIds)
  const ownProfiles = profiles.filter(({ account_id }) => account_id === caller.account.account_id)
  const ownIds = ownProfiles.map(({ profile_id }) => profile_id)
  const otherIdentities = identities.filter(({ profileId }) => !profileId || !ownIds.includes(profileId))
  return { profiles: ownProfiles.map(({ name }) => name), others: otherIdentities.length }
}
