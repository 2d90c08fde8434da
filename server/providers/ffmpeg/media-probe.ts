/** Reads codecs, tracks, chapters and duration of a video file with ffprobe. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Chapter, MAX_CHAPTERS } from '../library/playback-marks.ts'
import { parseSubtitleName, parseTitleLanguage } from '../library/subtitle-name.ts'
import type { Ffmpeg } from './ffmpeg-binary.ts'
import { FileUnreadableError, isTemporaryProbeFailure } from './ffprobe-failure.ts'
import { buildInputArguments } from './input-arguments.ts'
import { chooseDuration, measureEnd } from './measure-end.ts'
import type { EntryPoint } from './scan-keyframes.ts'

const runFile = promisify(execFile)

export interface VideoTrack {
  /** Index of the stream in the file, as in ffmpeg's `-map 0:<index>`. */
  index: number
  /** Name in ffmpeg, for example `h264`. */
  codec: string
  profile: string
  level: number
  width: number
  height: number
  bitDepth: number
  /**
   * True when colour is stored for every second pixel in both directions (4:2:0), as browsers require. Also true when
   * the pixel format is not known.
   */
  hasHalvedChroma: boolean
  hdr: 'pq' | 'hlg' | null
  /** True when the file does not state its colour matrix. Absent in results that an older version has stored. */
  hasUnknownColours?: boolean
  isInterlaced: boolean
  /** Average frames per second; null when unknown. */
  framesPerSecond: number | null
}
export interface AudioTrack {
  index: number
  codec: string
  profile: string
  channels: number
  /** ISO 639-1 code where one exists; `und` when unknown. */
  language: string
  title: string
  isDefault: boolean
  isCommentary: boolean
  /** True for a track that describes the picture for blind viewers. */
  isDescription: boolean
}
export interface SubtitleTrack {
  index: number
  codec: string
  language: string
  title: string
  isForced: boolean
  isForHardOfHearing: boolean
}
export interface MediaInformation {
  /** Names of the demuxer, for example `matroska,webm`. */
  format: string
  durationSeconds: number | null
  /**
   * True when the header states no duration, or a duration that differs from the measured end of the video.
   */
  isStatedDurationWrong?: boolean
  /**
   * True when the end of the video could not be read in time. `durationSeconds` is then the duration in the header.
   */
  isEndUnread?: boolean
  /**
   * Positions at which reading can start, for a file whose time stamps jump. ffmpeg cannot find positions in
   * such a file by time.
   */
  entryPoints?: EntryPoint[]
  /** Earliest time stamp of all tracks. The time stamps of a file need not start at 0. */
  startSeconds: number
  bitsPerSecond: number | null
  video: VideoTrack
  audio: AudioTrack[]
  subtitles: SubtitleTrack[]
  chapters: Chapter[]
}

/**
 * True for the formats whose demuxers compute from the average bit rate where to seek. These demuxers may start to read
 * after the requested time.
 */
export const hasImpreciseSeeking = (format: string) => /mpegts|^mpeg$/.test(format)

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024
const MAX_TEXT_LENGTH = 200
const MAX_DURATION_SECONDS = 48 * 3_600
const MAX_TRACKS = 64

/**
 * Returns the tracks and other properties of a video file. Returns null when the file cannot be read as a video: its
 * start is damaged, it has another format, or it has no video track.
 * @throws FileUnreadableError when ffprobe could not start, took too long or could not read the disk.
 */
export async function probeMedia(
  { ffprobePath, probeTimeoutMs }: Pick<Ffmpeg, 'ffprobePath' | 'probeTimeoutMs'>,
  path: string,
): Promise<MediaInformation | null> {
  const ffprobeArguments = ['-v', 'error', '-of', 'json', '-show_format', '-show_streams', '-show_chapters']
  const probeOutput = await runFile(ffprobePath, [...ffprobeArguments, ...buildInputArguments(path)], {
    timeout: probeTimeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
  }).catch((error: unknown) => {
    if (isTemporaryProbeFailure(error)) throw new FileUnreadableError('ffprobe failed', { cause: error })
    return null
  })
  const information = probeOutput && parseProbeOutput(parseJson(probeOutput.stdout))
  return information && (await correctDuration(ffprobePath, path, information))
}

/** Parses the output of ffprobe. Returns an empty object for text that is not JSON. */
function parseJson(text: string): ProbeOutput {
  try {
    return JSON.parse(text) as ProbeOutput
  } catch {
    return {}
  }
}

async function correctDuration(
  ffprobePath: string,
  path: string,
  information: MediaInformation,
): Promise<MediaInformation> {
  const { video, durationSeconds: statedDurationSeconds, startSeconds } = information
  const measuredEnd = await measureEnd(ffprobePath, path, video.index, statedDurationSeconds)
  const { durationSeconds, isStatedDurationWrong } = chooseDuration(
    statedDurationSeconds,
    measuredEnd,
    startSeconds,
  )
  const isEndUnread = measuredEnd === null
  return {
    ...information,
    durationSeconds,
    isStatedDurationWrong,
    ...(isEndUnread && { isEndUnread }),
  }
}

interface ProbeStream {
  index: number
  codec_type?: string
  codec_name?: string
  profile?: string
  level?: number
  width?: number
  height?: number
  pix_fmt?: string
  bits_per_raw_sample?: string
  color_transfer?: string
  color_space?: string
  field_order?: string
  avg_frame_rate?: string
  channels?: number
  duration?: string
  disposition?: Record<string, number>
  tags?: Record<string, string>
}
interface ProbeOutput {
  streams?: ProbeStream[]
  chapters?: { start_time?: string; tags?: Record<string, string> }[]
  format?: { format_name?: string; duration?: string; start_time?: string; bit_rate?: string }
}

/** Converts the output of ffprobe; null if it has no video stream. */
function parseProbeOutput({
  streams = [],
  chapters = [],
  format = {},
}: ProbeOutput): MediaInformation | null {
  const filterStreamsByType = (type: string) =>
    streams.filter(({ codec_type, codec_name }) => codec_type === type && codec_name).slice(0, MAX_TRACKS)
  const video = chooseVideoStream(
    filterStreamsByType('video').filter(
      ({ disposition, width }) => !disposition?.['attached_pic'] && (width ?? 0) > 0,
    ),
  )
  if (!video) return null
  return {
    format: format.format_name ?? '',
    durationSeconds: readStatedDuration([format.duration, video.duration, video.tags?.['DURATION']]),
    startSeconds: Number(format.start_time) || 0,
    bitsPerSecond: parsePositiveNumber(format.bit_rate),
    video: toVideoTrack(video),
    audio: filterStreamsByType('audio').map(toAudioTrack),
    subtitles: filterStreamsByType('subtitle').map(toSubtitleTrack),
    chapters: chapters.slice(0, MAX_CHAPTERS).map(({ start_time, tags }) => ({
      start: Number(start_time) || 0,
      title: (tags?.['title'] ?? '').slice(0, MAX_TEXT_LENGTH),
    })),
  }
}

/** Codecs of covers, which some programs write as a video track of one frame. */
const STILL_PICTURE_CODECS = new Set(['mjpeg', 'png', 'bmp', 'gif', 'webp', 'tiff'])

/**
 * Returns the default track, otherwise the first one. Still pictures, such as covers, are chosen only when
 * there is no other track.
 */
function chooseVideoStream(streams: readonly ProbeStream[]): ProbeStream | undefined {
  const movingPictureStreams = streams.filter(({ codec_name = '' }) => !STILL_PICTURE_CODECS.has(codec_name))
  const candidateStreams = movingPictureStreams.length > 0 ? movingPictureStreams : streams
  return candidateStreams.find(({ disposition }) => disposition?.['default'] === 1) ?? candidateStreams[0]
}

/**
 * Returns the first plausible duration in seconds; null when there is none. The duration of the container can be wrong:
 * if a damaged subtitle states that it is displayed for weeks, the container states this duration for the whole file.
 * Matroska writes the duration of a track as `01:30:00.000`.
 */
function readStatedDuration(durationTexts: readonly (string | undefined)[]): number | null {
  for (const durationText of durationTexts) {
    const [hours, minutes, seconds] =
      /^(\d+):(\d\d):(\d\d\.?\d*)$/
        .exec(durationText ?? '')
        ?.slice(1)
        .map(Number) ?? []
    const durationSeconds =
      hours === undefined ? Number(durationText) : (hours * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)
    if (durationSeconds > 0 && durationSeconds <= MAX_DURATION_SECONDS) return durationSeconds
  }
  return null
}

const parsePositiveNumber = (text: string | undefined) => (Number(text) > 0 ? Number(text) : null)
const HDR_TRANSFERS: Record<string, 'pq' | 'hlg'> = { smpte2084: 'pq', 'arib-std-b67': 'hlg' }

function toVideoTrack(stream: ProbeStream): VideoTrack {
  const pixelFormat = stream.pix_fmt ?? ''
  const bitDepthInName = /(?:p|le|be|gray)(9|10|12|14|16)(?:le|be)?$/.exec(pixelFormat)?.[1]
  return {
    index: stream.index,
    codec: stream.codec_name ?? '',
    profile: stream.profile ?? '',
    level: stream.level ?? 0,
    width: stream.width ?? 0,
    height: stream.height ?? 0,
    bitDepth: Number(bitDepthInName ?? 8),
    hasHalvedChroma: pixelFormat === '' || /^(?:yuvj?420p|nv12|p010)/.test(pixelFormat),
    hdr: HDR_TRANSFERS[stream.color_transfer ?? ''] ?? null,
    hasUnknownColours: ['unknown', 'unspecified', undefined].includes(stream.color_space),
    isInterlaced: ['tt', 'bb', 'tb', 'bt'].includes(stream.field_order ?? ''),
    framesPerSecond: parseFrameRate(stream.avg_frame_rate),
  }
}

/** Parses `24000/1001`; null for `0/0`. */
function parseFrameRate(rateText = ''): number | null {
  const [numerator = 0, denominator = 1] = rateText.split('/').map(Number)
  return numerator > 0 && denominator > 0 ? numerator / denominator : null
}

const getTag = ({ tags }: ProbeStream, tagName: string) => (tags?.[tagName] ?? '').slice(0, MAX_TEXT_LENGTH)
/**
 * Returns the language of a track. If no known language is stated, returns the language that the title of the track
 * names, or `und` if the title names none.
 */
function getLanguage(stream: ProbeStream): string {
  const { lang } = parseSubtitleName(getTag(stream, 'language'))
  return lang === 'und' ? parseTitleLanguage(getTag(stream, 'title')) : lang
}

function toAudioTrack(stream: ProbeStream): AudioTrack {
  const title = getTag(stream, 'title')
  const hasFlag = (flagName: string) => stream.disposition?.[flagName] === 1
  return {
    index: stream.index,
    codec: stream.codec_name ?? '',
    profile: stream.profile ?? '',
    channels: stream.channels ?? 2,
    language: getLanguage(stream),
    title,
    isDefault: hasFlag('default'),
    isCommentary: hasFlag('comment') || /[ck]om{1,2}ent(?:ar|air)/i.test(title),
    isDescription: hasFlag('visual_impaired') || /audio ?descri/i.test(title),
  }
}

function toSubtitleTrack(stream: ProbeStream): SubtitleTrack {
  const title = getTag(stream, 'title')
  const hasFlag = (flagName: string) => stream.disposition?.[flagName] === 1
  return {
    index: stream.index,
    codec: stream.codec_name ?? '',
    language: getLanguage(stream),
    title,
    isForced: hasFlag('forced') || /\bforced\b/i.test(title),
    isForHardOfHearing: hasFlag('hearing_impaired') || /\b(?:sdh|cc)\b/i.test(title),
  }
}
