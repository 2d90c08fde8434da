/**
 * Chooses how a file is delivered to a browser. The options, the cheapest first: the unchanged file, its video
 * copied into fragmented MP4, or its video encoded as H.264. The functions are pure. They depend only on the file,
 * on what the browser can decode, and on the request.
 */
import type { AudioKind, DeliveryReason } from '../../../src/lib/contract/playback.ts'
import type { Decoder } from '../../../src/lib/rules/playback-capabilities.ts'
import type {
  AudioTrack,
  MediaInformation,
  SubtitleTrack,
  VideoTrack,
} from '../../providers/ffmpeg/media-probe.ts'
import { isPictureSubtitle } from '../../providers/ffmpeg/subtitle-formats.ts'
import { getFileExtension } from '../../providers/library/media-types.ts'

interface DeliveryPlan {
  delivery: 'direct' | 'remux' | 'transcode'
  /**
   * `playable` if the file is delivered unchanged, otherwise the reason for the conversion. `no_index`: the video could
   * be copied, but is encoded because the times of its keyframes are unknown.
   */
  reason: DeliveryReason
  /** Index of the audio track in the file; null for a silent file. */
  audioIndex: number | null
  isAudioCopied: boolean
}
interface DeliveryRequest {
  information: MediaInformation
  path: string
  decoders: ReadonlySet<Decoder>
  /** Index of the audio track that the viewer wants. */
  audioIndex: number | null
  /**
   * True when the times of the keyframes are known. Video can be copied only then, because segments start at
   * keyframes.
   */
  hasKeyframes: boolean
  /** True when a picture subtitle is drawn into the video. */
  burnsInSubtitle?: boolean
}

export function chooseDelivery(request: DeliveryRequest): DeliveryPlan {
  const { information, path, decoders, hasKeyframes } = request
  const { video: videoTrack } = information
  const audioTrack = information.audio.find(({ index }) => index === request.audioIndex) ?? null
  const isVideoPlayable = canDecodeVideo(videoTrack, decoders)
  const plan = {
    audioIndex: audioTrack?.index ?? null,
    isAudioCopied: audioTrack !== null && canCopyAudio(audioTrack, decoders),
  }
  if (request.burnsInSubtitle) return { ...plan, delivery: 'transcode', reason: 'burnt_in_subtitle' }
  if (!isVideoPlayable) return { ...plan, delivery: 'transcode', reason: 'video_codec' }
  const directProblem = findDirectProblem(information, path, audioTrack, decoders)
  if (!directProblem) return { ...plan, delivery: 'direct', reason: 'playable' }
  if (!canCopyVideo(videoTrack, decoders)) return { ...plan, delivery: 'transcode', reason: directProblem }
  return hasKeyframes
    ? { ...plan, delivery: 'remux', reason: directProblem }
    : { ...plan, delivery: 'transcode', reason: 'no_index' }
}

/** Returns the reason why the browser cannot play the unchanged file; null when the browser can play it. */
function findDirectProblem(
  { format, audio: audioTracks, video, isStatedDurationWrong }: MediaInformation,
  path: string,
  audioTrack: AudioTrack | null,
  decoders: ReadonlySet<Decoder>,
): DeliveryReason | null {
  const container = getContainer(path)
  if (!container || (container === 'matroska' && !decoders.has('matroska'))) return 'container'
  if (!isFormatOfContainer(format, container)) return 'container'
  const isWebmCodec = ['vp8', 'vp9', 'av1'].includes(video.codec)
  if (container === 'webm' ? !isWebmCodec : video.codec === 'vp8') return 'container'
  if (container === 'mp4' && video.codec === 'vp9' && !decoders.has('vp9InMp4')) return 'container'
  if (isStatedDurationWrong) return 'duration'
  if (!audioTrack) return null
  if (!canDecodeAudio(audioTrack, container, decoders)) return 'audio_codec'
  // A browser plays the default audio track. If no track is the default, it plays the first track. A page cannot choose
  // another track.
  const playedTrack = audioTracks.find(({ isDefault }) => isDefault) ?? audioTracks[0]
  return playedTrack?.index === audioTrack.index ? null : 'audio_track'
}

const CONTAINERS_BY_EXTENSION: Record<string, 'mp4' | 'webm' | 'matroska'> = {
  mp4: 'mp4',
  m4v: 'mp4',
  f4v: 'mp4',
  webm: 'webm',
  mkv: 'matroska',
  mk3d: 'matroska',
}
const getContainer = (path: string) => CONTAINERS_BY_EXTENSION[getFileExtension(path)] ?? null

/** Patterns for the format names that ffprobe, Jellyfin and Plex report. ffprobe has one name for Matroska and WebM. */
const MP4_FORMAT_PATTERN = /mp4|mov|m4v/i
const MATROSKA_FORMAT_PATTERN = /matroska|webm|mkv/i
const OTHER_FORMAT_PATTERN =
  /\b(?:avi|mpeg(?:ts|video)?(?!-4)|m?2?ts|vob|asf|wmv|flv|ogg|rm|wtv|h264|hevc|ivf|nut|dv)\b/i

/**
 * False when a file has a wrong extension: its content is known to have another format. A browser may refuse such a
 * file, because the content type that is sent with it depends on the extension. An unknown format is trusted.
 */
function isFormatOfContainer(format: string, container: 'mp4' | 'webm' | 'matroska'): boolean {
  const [expectedPattern, otherPattern] =
    container === 'mp4'
      ? [MP4_FORMAT_PATTERN, MATROSKA_FORMAT_PATTERN]
      : [MATROSKA_FORMAT_PATTERN, MP4_FORMAT_PATTERN]
  return expectedPattern.test(format) || !(otherPattern.test(format) || OTHER_FORMAT_PATTERN.test(format))
}

/**
 * True when the browser can decode the video. ffprobe multiplies the level of H.264 by 10 (4.1 becomes 41)
 * and the level of HEVC by 30 (4.1 becomes 123).
 */
function canDecodeVideo(video: VideoTrack, decoders: ReadonlySet<Decoder>): boolean {
  const { codec, level, bitDepth, hasHalvedChroma } = video
  if (!hasHalvedChroma) return false
  if (codec === 'h264') {
    if (bitDepth > 8) return decoders.has('h264High10')
    return decoders.has(level > 41 ? 'h264Level5' : 'h264')
  }
  if (codec === 'hevc') {
    if (bitDepth > 8) return bitDepth === 10 && decoders.has('hevcMain10')
    return decoders.has(level > 123 ? 'hevcLevel5' : 'hevc')
  }
  if (codec === 'vp9') return decoders.has(bitDepth > 8 ? 'vp9Profile2' : 'vp9')
  if (codec === 'av1') return decoders.has(bitDepth > 8 ? 'av1TenBit' : 'av1')
  return codec === 'vp8' && decoders.has('vp8')
}

/**
 * True when the video can be copied into fragmented MP4. Every codec of `canDecodeVideo` except VP8 can be copied. VP9
 * is copied only with 8 bits, and only for browsers that play VP9 in MP4.
 */
function canCopyVideo({ codec, bitDepth }: VideoTrack, decoders: ReadonlySet<Decoder>): boolean {
  if (codec === 'vp9') return decoders.has('vp9InMp4') && bitDepth === 8
  return codec !== 'vp8'
}

/** Decoders of the audio codecs in MP4 and Matroska. WebM has its own codecs (`canDecodeAudio`). */
const AUDIO_DECODERS_BY_CODEC: Record<string, Decoder> = {
  aac: 'aac',
  mp3: 'mp3InMp4',
  opus: 'opus',
  flac: 'flac',
  ac3: 'ac3',
  eac3: 'eac3',
}

function canDecodeAudio(
  { codec, profile }: AudioTrack,
  container: 'mp4' | 'webm' | 'matroska',
  decoders: ReadonlySet<Decoder>,
): boolean {
  if (container === 'webm') {
    if (codec === 'opus') return decoders.has('opusInWebm')
    return codec === 'vorbis' && decoders.has('vorbis')
  }
  if (container === 'matroska' && codec === 'vorbis') return decoders.has('vorbis')
  const decoder = AUDIO_DECODERS_BY_CODEC[codec]
  // Browsers decode AAC-LC and HE-AAC, but not the AAC profiles Main, LTP and SSR.
  return (
    decoder !== undefined && decoders.has(decoder) && !(codec === 'aac' && /^(?:Main|LTP|SSR)$/.test(profile))
  )
}

/**
 * True when the audio can be copied into MP4. MP3 is encoded as AAC instead, because Media Source Extensions
 * of some browsers reject MP3 in MP4.
 */
function canCopyAudio(track: AudioTrack, decoders: ReadonlySet<Decoder>): boolean {
  return track.codec !== 'mp3' && canDecodeAudio(track, 'mp4', decoders)
}

/**
 * Returns the audio tracks that the player lists: those of the first file with several tracks. If no file has several,
 * returns those of the first file with sound.
 */
export function findListedTracks<T>(files: T[][]): T[] {
  const findTracks = (minTrackCount: number) => files.find(({ length }) => length >= minTrackCount)
  return findTracks(2) ?? findTracks(1) ?? []
}

/** The audio track that a caller wants. */
interface AudioChoice {
  /** Index of a listed track. It takes precedence over the other fields. */
  index?: number | undefined
  language?: string | undefined
  /** Kind of the wanted track in `language`. */
  kind?: AudioKind | undefined
}

export const getAudioKind = ({ isCommentary, isDescription }: AudioTrack): AudioKind =>
  isCommentary ? 'commentary' : isDescription ? 'description' : 'main'

/**
 * Returns the audio track to play of each file. The given index belongs to the listed tracks. Other files may have
 * other indexes, so a track of the same language and kind is chosen there.
 */
export function chooseAudioTracks(files: AudioTrack[][], audioChoice: AudioChoice): (AudioTrack | null)[] {
  const listedTracks = findListedTracks(files)
  const chosenTrack = listedTracks.find((track) => track.index === audioChoice.index)
  return files.map((tracks) =>
    !chosenTrack || tracks === listedTracks
      ? chooseAudioTrack(tracks, audioChoice)
      : chooseAudioTrack(tracks, { language: chosenTrack.language, kind: getAudioKind(chosenTrack) }),
  )
}

/**
 * Returns the picture subtitle to draw into each file, or null. The given index belongs to the first file that has a
 * picture subtitle with this index. In other files, a picture subtitle of the same language and kind is drawn.
 */
export function chooseBurntInTracks(
  files: readonly (readonly SubtitleTrack[])[],
  burntInIndex: number | undefined,
): (SubtitleTrack | null)[] {
  const pictureTracksOfFiles = files.map((tracks) => tracks.filter(isPictureSubtitle))
  const chosenTrack = pictureTracksOfFiles.flat().find(({ index }) => index === burntInIndex)
  if (!chosenTrack) return files.map(() => null)
  const isSameKind = (track: SubtitleTrack) =>
    track.language === chosenTrack.language &&
    track.isForced === chosenTrack.isForced &&
    track.isForHardOfHearing === chosenTrack.isForHardOfHearing
  return pictureTracksOfFiles.map((tracks) =>
    tracks.includes(chosenTrack) ? chosenTrack : (tracks.find(isSameKind) ?? null),
  )
}

/**
 * Returns the audio track to play: the track with the given index, otherwise a track in `language`, otherwise the
 * default track. Of several tracks in the language, prefers the wanted kind, then the same region of the language, then
 * the default track. Without a wanted kind, a commentary or an audio description is chosen only if it is the default
 * track.
 */
export function chooseAudioTrack(
  tracks: readonly AudioTrack[],
  { index: audioIndex, language, kind }: AudioChoice,
): AudioTrack | null {
  const requestedTrack = tracks.find((track) => track.index === audioIndex)
  if (requestedTrack) return requestedTrack
  const defaultTrack = tracks.find(({ isDefault }) => isDefault) ?? tracks[0] ?? null
  if (!language) return defaultTrack
  const hasWantedKind = (track: AudioTrack) =>
    kind === undefined
      ? track === defaultTrack || getAudioKind(track) === 'main'
      : getAudioKind(track) === kind
  const scoreTrack = (track: AudioTrack) =>
    (hasWantedKind(track) ? 4 : 0) +
    (track.language.toLowerCase() === language.toLowerCase() ? 2 : 0) +
    (track === defaultTrack ? 1 : 0)
  const [bestTrack] = tracks
    .filter((track) => track.language === language || isSameLanguage(track.language, language))
    .filter((track) => hasWantedKind(track) || getAudioKind(track) === 'main')
    .sort((a, b) => scoreTrack(b) - scoreTrack(a))
  return bestTrack ?? defaultTrack
}

/**
 * True if two languages are equal without their regions: `pt` equals `pt-BR`. The unknown language `und` equals no
 * language.
 */
export function isSameLanguage(a: string, b: string): boolean {
  const [firstLanguage = '', secondLanguage = ''] = [a, b].map((code) => code.toLowerCase().split('-')[0])
  return firstLanguage !== 'und' && firstLanguage === secondLanguage
}
