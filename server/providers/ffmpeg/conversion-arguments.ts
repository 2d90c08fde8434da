/** Builds the arguments of a conversion to fragmented MP4 on standard output. */
import type { Encoder } from './encoders.ts'
import { buildInputArguments } from './input-arguments.ts'
import type { AudioTrack, VideoTrack } from './media-probe.ts'

/**
 * Added to all times, because encoders of sound start a few milliseconds before time 0 and MP4 has no negative times.
 * Players compute times from the first segment that they load, so the constant does not matter to them.
 */
export const TIME_OFFSET_SECONDS = 1

interface ConversionJob {
  path: string
  /** Position in the video at which the output starts. */
  startSeconds: number
  /** Seconds before the start from which to read, for containers in which ffmpeg cannot seek precisely. */
  prerollSeconds: number
  video: VideoTrack
  audio: AudioTrack | null
  isAudioCopied: boolean
  /** Null when the video is copied. */
  encoding: {
    encoder: Encoder
    maxHeight: number
    segmentSeconds: number
    hasZscale: boolean
    /** Index of the picture subtitle that is drawn into the video. */
    burntInSubtitle: number | null
  } | null
}

const BITS_PER_SECOND: [minHeight: number, bitsPerSecond: number][] = [
  [2160, 20_000_000],
  [1440, 12_000_000],
  [1080, 8_000_000],
  [720, 4_000_000],
  [480, 2_000_000],
  [0, 1_000_000],
]
/** Short fragments: a run that starts before the wanted position drops whole fragments until it is reached. */
const FRAGMENT_MICROSECONDS = 100_000

export function buildConversionArguments(job: ConversionJob): string[] {
  const { path, startSeconds, prerollSeconds, video, audio, encoding } = job
  const seekSeconds = Math.max(0, startSeconds - prerollSeconds)
  return [
    ...['-hide_banner', '-nostdin', '-v', 'error'],
    ...(encoding?.encoder.deviceArguments ?? []),
    ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : []),
    ...['-copyts', '-start_at_zero'],
    ...buildInputArguments(path),
    ...['-map', encoding?.burntInSubtitle == null ? `0:${video.index}` : '[picture]'],
    ...(audio ? ['-map', `0:${audio.index}`] : []),
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'],
    ...(encoding ? buildEncodingArguments(job, encoding) : buildCopyArguments(video)),
    ...(audio ? buildAudioArguments(audio, job.isAudioCopied) : []),
    ...['-avoid_negative_ts', 'disabled', '-output_ts_offset', String(TIME_OFFSET_SECONDS)],
    ...['-max_muxing_queue_size', '4096', '-f', 'mp4', '-use_editlist', '0'],
    ...['-movflags', 'frag_keyframe+delay_moov+default_base_moof+frag_discont+negative_cts_offsets'],
    ...['-frag_duration', String(FRAGMENT_MICROSECONDS), 'pipe:1'],
  ]
}

/** Safari plays HEVC only with the sample entry `hvc1`. */
const buildCopyArguments = ({ codec }: VideoTrack) => [
  ...['-c:v', 'copy'],
  ...(codec === 'hevc' ? ['-tag:v', 'hvc1'] : []),
]

/**
 * Surround sound becomes stereo with the centre at full level, so that dialogue stays understandable. `aresample` fills
 * gaps of damaged files with silence, so that sound and picture stay together.
 */
const buildAudioArguments = ({ codec }: AudioTrack, isCopied: boolean) =>
  isCopied
    ? // MPEG-TS carries AAC with headers that MP4 does not have; other containers are not changed by the filter.
      ['-c:a', 'copy', ...(codec === 'aac' ? ['-bsf:a', 'aac_adtstoasc'] : [])]
    : [
        ...['-c:a', 'aac', '-b:a', '192k', '-ar', '48000', '-ac', '2', '-af'],
        'aresample=async=1:center_mix_level=1:surround_mix_level=0.5,aformat=channel_layouts=stereo',
      ]

function buildEncodingArguments(
  { startSeconds, video }: ConversionJob,
  encoding: NonNullable<ConversionJob['encoding']>,
): string[] {
  const { encoder, maxHeight, segmentSeconds } = encoding
  const height = Math.min(maxHeight, video.height)
  const bitsPerSecond = BITS_PER_SECOND.find(([minHeight]) => height >= minHeight)?.[1] ?? 1_000_000
  return [
    ...buildFilterArguments(video, encoding),
    ...['-c:v', encoder.name, ...encoder.arguments],
    ...['-maxrate', String(bitsPerSecond), '-bufsize', String(bitsPerSecond * 2)],
    // Hardware encoders have no constant quality that all of them share, so they get a bit rate.
    ...(encoder.name === 'libx264' ? [] : ['-b:v', String(bitsPerSecond * 0.8)]),
    ...['-g', '1000', '-force_key_frames', `expr:gte(t,${startSeconds}+n_forced*${segmentSeconds})`],
  ]
}

/** Tone mapping from HDR needs linear light, which only the filter zscale can compute. */
export const TONE_MAPPING = [
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
]
const DEFAULT_FRAMES_PER_SECOND = 25
const MAX_FRAMES_PER_SECOND = 60
const MIN_FRAMES_PER_SECOND = 1

/**
 * A picture subtitle is scaled to fit the converted video, and drawn after tone mapping, so that its colours stay. `overlay`
 * ends its pictures with the stream of subtitles instead of repeating the last one.
 */
function buildFilterArguments(
  video: VideoTrack,
  { encoder, maxHeight, hasZscale, burntInSubtitle }: NonNullable<ConversionJob['encoding']>,
): string[] {
  const filters = buildVideoFilters(video, maxHeight, hasZscale)
  if (burntInSubtitle === null) return ['-vf', [...filters, ...encoder.filters].join(',')]
  const { width, height } = getScaledSize(video, maxHeight)
  const overlay = 'overlay=x=(W-w)/2:y=(H-h)/2:eof_action=pass:repeatlast=0'
  return [
    '-filter_complex',
    [
      `[0:${video.index}]${filters.join(',')}[video]`,
      `[0:${burntInSubtitle}]scale=w=${width}:h=${height}:force_original_aspect_ratio=decrease[subtitle]`,
      `[video][subtitle]${[overlay, ...encoder.filters].join(',')}[picture]`,
    ].join(';'),
  ]
}

const getMaxWidth = (maxHeight: number) => Math.round((maxHeight * 16) / 9)

/** Returns the size of the converted video in pixels, as its filter computes it. */
function getScaledSize({ width, height }: VideoTrack, maxHeight: number): { width: number; height: number } {
  const scale = Math.min(1, getMaxWidth(maxHeight) / width, maxHeight / height)
  const toEven = (size: number) => Math.max(2, 2 * Math.floor((size * scale) / 2))
  return { width: toEven(width), height: toEven(height) }
}

function buildVideoFilters(video: VideoTrack, maxHeight: number, hasZscale: boolean): string[] {
  const scale = `scale=w='min(iw,${getMaxWidth(maxHeight)})':h='min(ih,${maxHeight})':force_original_aspect_ratio=decrease:force_divisible_by=2`
  const framesPerSecond = Math.min(MAX_FRAMES_PER_SECOND, video.framesPerSecond ?? DEFAULT_FRAMES_PER_SECOND)
  return [
    ...(video.isInterlaced ? ['yadif'] : []),
    // A constant rate, because every segment needs a frame. Files do not say reliably whether their rate varies.
    `fps=${Math.max(MIN_FRAMES_PER_SECOND, framesPerSecond).toFixed(6)}`,
    scale,
    ...(video.hdr && hasZscale ? TONE_MAPPING : []),
  ]
}
