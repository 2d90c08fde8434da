/** Builds the arguments with which ffmpeg converts a video to fragmented MP4 on its standard output. */
import type { Encoder } from './encoders.ts'
import { buildInputArguments } from './input-arguments.ts'
import type { AudioTrack, VideoTrack } from './media-probe.ts'
import type { EntryPoint } from './scan-keyframes.ts'

/**
 * Offset that is added to all times. Audio encoders start a few milliseconds before time 0, and MP4 has no negative
 * times. The offset has no effect on players, because they compute times from the first segment that they load.
 */
export const TIME_OFFSET_SECONDS = 1

interface ConversionJob {
  path: string
  /** Position in the video at which the output starts. */
  startSeconds: number
  /** Reading starts this long before `startSeconds`, for containers in which ffmpeg cannot seek precisely. */
  prerollSeconds: number
  /**
   * For a file whose time stamps jump: the position from which the file is read. Null for other files, because ffmpeg
   * can seek in them by time.
   */
  entryPoint: EntryPoint | null
  video: VideoTrack
  audio: AudioTrack | null
  isAudioCopied: boolean
  /** Options for encoding the video; null when the video is copied. */
  encoding: {
    encoder: Encoder
    maxHeight: number
    segmentSeconds: number
    hasZscale: boolean
    /** Index of the picture subtitle that is drawn into the video; null when none is drawn. */
    burntInSubtitleIndex: number | null
  } | null
}

const BIT_RATES_BY_MIN_HEIGHT: [minHeight: number, bitsPerSecond: number][] = [
  [2160, 20_000_000],
  [1440, 12_000_000],
  [1080, 8_000_000],
  [720, 4_000_000],
  [480, 2_000_000],
  [0, 1_000_000],
]
/**
 * Duration of a fragment. The reader of the output can drop only whole fragments before `startSeconds`. Short
 * fragments therefore make the start more precise.
 */
const FRAGMENT_MICROSECONDS = 100_000
/**
 * The picture subtitle is read from a second input, which starts this much earlier than the first input. A subtitle
 * that appeared before the start of the output can still be visible at the start.
 */
const SUBTITLE_LOOKBACK_SECONDS = 20

export function buildConversionArguments(job: ConversionJob): string[] {
  const { path, startSeconds, prerollSeconds, entryPoint, video, audio, encoding } = job
  const seekSeconds = Math.max(0, startSeconds - prerollSeconds)
  const [entrySeconds] = entryPoint ?? [0]
  return [
    ...['-hide_banner', '-nostdin', '-v', 'error'],
    ...(encoding?.encoder.deviceArguments ?? []),
    ...(entryPoint
      ? ['-skip_initial_bytes', String(entryPoint[1])]
      : [
          ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : []),
          // In a Matroska file whose video has B-frames, ffmpeg starts to read at an earlier keyframe than the wanted
          // keyframe. With an accurate seek, the sound would start at the wanted time, and ffmpeg would write the
          // earlier frames and the wanted keyframe into one fragment. The reader of the output drops fragments that
          // start too early, so the wanted keyframe would be lost.
          ...(seekSeconds > 0 && !encoding ? ['-noaccurate_seek'] : []),
          ...['-copyts', '-start_at_zero'],
        ]),
    ...buildInputArguments(path),
    ...(hasSubtitleInput(job)
      ? ['-ss', Math.max(0, seekSeconds - SUBTITLE_LOOKBACK_SECONDS).toFixed(6), ...buildInputArguments(path)]
      : []),
    ...['-map', encoding?.burntInSubtitleIndex == null ? `0:${video.index}` : '[picture]'],
    ...(audio ? ['-map', `0:${audio.index}`] : []),
    ...['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'],
    ...(encoding ? buildEncodingArguments(job, encoding) : buildCopyArguments(video)),
    ...(audio ? buildAudioArguments(audio, job.isAudioCopied) : []),
    // A trimmed file contains sound from before its start. Without this option, the negative times of copied sound
    // would become times of many hours.
    ...(audio && job.isAudioCopied && seekSeconds === 0 && !entryPoint ? ['-copypriorss:a', '0'] : []),
    ...['-avoid_negative_ts', 'disabled', '-output_ts_offset', String(TIME_OFFSET_SECONDS + entrySeconds)],
    ...['-max_muxing_queue_size', '4096', '-f', 'mp4', '-use_editlist', '0'],
    ...['-movflags', 'frag_keyframe+delay_moov+default_base_moof+frag_discont+negative_cts_offsets'],
    ...['-frag_duration', String(FRAGMENT_MICROSECONDS), 'pipe:1'],
    // The video of the second input is copied to a null output. Without that output, ffmpeg would read the second input
    // up to its next subtitle, which can be an hour later.
    ...(hasSubtitleInput(job) ? ['-map', `1:${video.index}`, '-c', 'copy', '-f', 'null', '-'] : []),
  ]
}

/**
 * True when the picture subtitle is read from a second input, which starts earlier than the input of the video and the
 * audio.
 */
const hasSubtitleInput = ({ startSeconds, entryPoint, encoding }: ConversionJob) =>
  startSeconds > 0 && !entryPoint && encoding?.burntInSubtitleIndex != null

/**
 * Copies the video. HEVC gets the sample entry `hvc1`, because Safari plays HEVC with no other sample entry. Video in
 * standard definition that states no colour matrix gets the matrix of BT.601.
 */
const buildCopyArguments = (video: VideoTrack) => [
  ...['-c:v', 'copy'],
  ...(video.codec === 'hevc' ? ['-tag:v', 'hvc1'] : []),
  ...(hasUnstatedStandardColours(video) && ['h264', 'hevc'].includes(video.codec)
    ? ['-bsf:v', `${video.codec}_metadata=${STANDARD_DEFINITION_METADATA}`]
    : []),
]

/**
 * The colour description of video in standard definition (BT.601). STANDARD_DEFINITION_METADATA, for copied video,
 * contains code points of ITU-T H.273. STANDARD_DEFINITION_FILTER, for encoded video, contains names of ffmpeg.
 * Chromium ignores the matrix if the primaries or the transfer function are missing.
 */
const STANDARD_DEFINITION_METADATA = 'colour_primaries=6:transfer_characteristics=6:matrix_coefficients=6'
const STANDARD_DEFINITION_FILTER =
  'setparams=color_primaries=smpte170m:color_trc=smpte170m:colorspace=smpte170m'
const MAX_STANDARD_DEFINITION_WIDTH = 1279
const MAX_STANDARD_DEFINITION_HEIGHT = 576

/**
 * True for a video in standard definition that does not state its colour matrix. The colours of such a video are meant
 * for BT.601, but browsers use BT.709 for streams in segments, which shifts the colours. The output therefore states
 * the matrix.
 */
const hasUnstatedStandardColours = ({ hasUnknownColours, width, height, hdr }: VideoTrack) =>
  hasUnknownColours === true &&
  !hdr &&
  width <= MAX_STANDARD_DEFINITION_WIDTH &&
  height <= MAX_STANDARD_DEFINITION_HEIGHT

/**
 * Surround sound becomes stereo with the centre channel at full level, so that dialogue stays understandable.
 * `aresample` fills gaps of damaged files with silence, so that audio and video stay synchronous.
 */
const buildAudioArguments = ({ codec }: AudioTrack, isCopied: boolean) =>
  isCopied
    ? // MPEG-TS carries AAC with headers that MP4 does not have. The filter leaves AAC of other containers unchanged.
      // FLAC in MP4 is standardised, but ffmpeg 5 still calls it experimental.
      [
        ...['-c:a', 'copy', ...(codec === 'aac' ? ['-bsf:a', 'aac_adtstoasc'] : [])],
        ...(codec === 'flac' ? ['-strict', 'experimental'] : []),
      ]
    : [
        ...['-c:a', 'aac', '-b:a', '192k', '-ar', '48000', '-ac', '2', '-af'],
        'aresample=async=1:center_mix_level=1:surround_mix_level=0.5,aformat=channel_layouts=stereo',
      ]

function buildEncodingArguments(
  job: ConversionJob,
  encoding: NonNullable<ConversionJob['encoding']>,
): string[] {
  const { video } = job
  const delaySeconds = computeFrameTimes(job).delaySeconds + TIME_TOLERANCE_SECONDS
  const { encoder, maxHeight, segmentSeconds } = encoding
  const outputHeight = Math.min(maxHeight, video.height)
  const bitsPerSecond =
    BIT_RATES_BY_MIN_HEIGHT.find(([minHeight]) => outputHeight >= minHeight)?.[1] ?? 1_000_000
  return [
    ...buildFilterArguments(job, encoding),
    // A conversion with an entry point does not use `-copyts`. Without `vfr`, ffmpeg would then fill the time before
    // the first frame with copies of that frame.
    ...(job.entryPoint ? ['-fps_mode', 'vfr'] : []),
    ...['-c:v', encoder.name, ...encoder.arguments],
    ...['-maxrate', String(bitsPerSecond), '-bufsize', String(bitsPerSecond * 2)],
    // Hardware encoders have no common option for constant quality, so they get a bit rate.
    ...(encoder.name === 'libx264' ? [] : ['-b:v', String(bitsPerSecond * 0.8)]),
    // Places a keyframe at the start of every segment. In the expression, ffmpeg counts the time `t` from the first
    // frame of the output.
    ...[
      '-g',
      '1000',
      '-force_key_frames',
      `expr:gte(t+${delaySeconds.toFixed(6)},n_forced*${segmentSeconds})`,
    ],
  ]
}

/** Tone mapping from HDR needs linear light, which only the filter zscale can compute. */
export const TONE_MAPPING_FILTERS = [
  'zscale=t=linear:npl=100',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=tv',
]
const DEFAULT_FRAMES_PER_SECOND = 25
const MAX_FRAMES_PER_SECOND = 60
const MIN_FRAMES_PER_SECOND = 1
/** Frame times in files are rounded, so differences up to this time are ignored. */
const TIME_TOLERANCE_SECONDS = 0.005

/**
 * Returns the constant frame rate of the output and the time stamp of its first frame, as the filters of ffmpeg see
 * that time. `delaySeconds` is the time from `startSeconds` to that frame. It can be above 0, because frame times are
 * multiples of the frame duration.
 */
function computeFrameTimes({ video, startSeconds, entryPoint }: ConversionJob) {
  const framesPerSecond = Math.max(
    MIN_FRAMES_PER_SECOND,
    Math.min(MAX_FRAMES_PER_SECOND, video.framesPerSecond ?? DEFAULT_FRAMES_PER_SECOND),
  )
  const startOffsetSeconds = Math.max(0, startSeconds - (entryPoint?.[0] ?? 0))
  const firstFrameIndex = Math.ceil((startOffsetSeconds - TIME_TOLERANCE_SECONDS) * framesPerSecond)
  const firstFrameSeconds = Math.max(0, firstFrameIndex) / framesPerSecond
  return { framesPerSecond, firstFrameSeconds, delaySeconds: firstFrameSeconds - startOffsetSeconds }
}

/**
 * Returns the arguments with the video filters. A picture subtitle is scaled to the size of the converted video and
 * drawn after tone mapping, which would change its colours. `overlay` shows nothing after the end of the subtitle
 * stream; its default would repeat the last picture.
 */
function buildFilterArguments(
  job: ConversionJob,
  { encoder, maxHeight, hasZscale, burntInSubtitleIndex }: NonNullable<ConversionJob['encoding']>,
): string[] {
  const { video } = job
  const filters = buildVideoFilters(job, maxHeight, hasZscale)
  if (burntInSubtitleIndex === null) return ['-vf', [...filters, ...encoder.filters].join(',')]
  const { width, height } = getScaledSize(video, maxHeight)
  const overlayFilter = 'overlay=x=(W-w)/2:y=(H-h)/2:eof_action=pass:repeatlast=0'
  return [
    '-filter_complex',
    [
      `[0:${video.index}]${filters.join(',')}[video]`,
      `[${hasSubtitleInput(job) ? 1 : 0}:${burntInSubtitleIndex}]scale=w=${width}:h=${height}:force_original_aspect_ratio=decrease[subtitle]`,
      `[video][subtitle]${[overlayFilter, ...encoder.filters].join(',')}[picture]`,
    ].join(';'),
  ]
}

const getMaxWidth = (maxHeight: number) => Math.round((maxHeight * 16) / 9)

/** Returns the size of the converted video in pixels, as the filter `scale` computes it. */
function getScaledSize({ width, height }: VideoTrack, maxHeight: number): { width: number; height: number } {
  const scaleFactor = Math.min(1, getMaxWidth(maxHeight) / width, maxHeight / height)
  const scaleToEvenSize = (sizePixels: number) => Math.max(2, 2 * Math.floor((sizePixels * scaleFactor) / 2))
  return { width: scaleToEvenSize(width), height: scaleToEvenSize(height) }
}

function buildVideoFilters(job: ConversionJob, maxHeight: number, hasZscale: boolean): string[] {
  const { video } = job
  const { framesPerSecond, firstFrameSeconds } = computeFrameTimes(job)
  const scaleFilter = `scale=w='min(iw,${getMaxWidth(maxHeight)})':h='min(ih,${maxHeight})':force_original_aspect_ratio=decrease:force_divisible_by=2`
  return [
    ...(video.isInterlaced ? ['yadif'] : []),
    // The frame rate is always constant, because every segment needs a frame, and files do not state reliably whether
    // their frame rate varies. ffmpeg cannot seek precisely and may read earlier frames. This filter drops these
    // frames.
    `fps=${framesPerSecond.toFixed(6)}:start_time=${firstFrameSeconds.toFixed(6)}`,
    scaleFilter,
    ...(video.hdr && hasZscale ? TONE_MAPPING_FILTERS : []),
    ...(hasUnstatedStandardColours(video) ? [STANDARD_DEFINITION_FILTER] : []),
  ]
}
