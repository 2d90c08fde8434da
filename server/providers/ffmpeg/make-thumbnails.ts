/** Makes sheets of small pictures of a video, for the preview above the seek bar. Only keyframes are decoded. */
import { TONE_MAPPING_FILTERS } from './conversion-arguments.ts'
import { buildInputArguments } from './input-arguments.ts'
import type { VideoTrack } from './media-probe.ts'
import { runFfmpeg } from './run-ffmpeg.ts'

/**
 * Size of a picture in pixels. Videos of another aspect ratio get black bars, so that all sheets have the same layout.
 */
export const THUMBNAIL_WIDTH_PIXELS = 192
export const THUMBNAIL_HEIGHT_PIXELS = 108
export const SHEET_COLUMNS = 6
export const SHEET_ROWS = 6
export const THUMBNAILS_PER_SHEET = SHEET_COLUMNS * SHEET_ROWS

/** Time limit of a run, which reads the file once from start to end, perhaps over a network. */
const RUN_TIMEOUT_MS = 60 * 60_000
/** Lowest process priority, so that all other work comes first. */
const PROCESS_PRIORITY = 19
const JPEG_QUALITY = '6'
/**
 * Number of times that the last picture is repeated, to cover the time from the last keyframe to the end of the video.
 * Keyframes are rarely more than ten seconds apart.
 */
const REPEATED_FRAME_COUNT = 3

interface ThumbnailJob {
  /** Absolute path of the video. */
  path: string
  video: VideoTrack
  intervalSeconds: number
  /** Folder for the sheets, which are named `1.jpg`, `2.jpg` and so on. */
  outputFolder: string
  hasZscale: boolean
}

/**
 * Writes the sheets. Rejects when the video cannot be read to its end, when a sheet cannot be written completely, or
 * when `signal` is aborted. Some sheets may have been written before the rejection.
 */
export function makeThumbnailSheets(
  ffmpegPath: string,
  job: ThumbnailJob,
  signal: AbortSignal,
): Promise<void> {
  return runFfmpeg(ffmpegPath, buildThumbnailArguments(job), {
    timeoutMs: RUN_TIMEOUT_MS,
    priority: PROCESS_PRIORITY,
    signal,
  })
}

function buildThumbnailArguments({
  path,
  video,
  intervalSeconds,
  outputFolder,
  hasZscale,
}: ThumbnailJob): string[] {
  const thumbnailSize = `${THUMBNAIL_WIDTH_PIXELS}:${THUMBNAIL_HEIGHT_PIXELS}`
  const filters = [
    `fps=fps=1/${intervalSeconds}:start_time=0:eof_action=pass`,
    // Repeats the last keyframe, because no other keyframe follows before the end of the video.
    `tpad=stop_mode=clone:stop=${REPEATED_FRAME_COUNT}`,
    // Converts non-square pixels to square pixels, because the sheets have square pixels.
    "scale=w='max(2,trunc(iw*sar/2)*2)':h=ih",
    `scale=${thumbnailSize}:force_original_aspect_ratio=decrease:force_divisible_by=2`,
    'setsar=1',
    ...(video.hdr && hasZscale ? TONE_MAPPING_FILTERS : []),
    'format=yuvj420p',
    `pad=${thumbnailSize}:-1:-1`,
    `tile=${SHEET_COLUMNS}x${SHEET_ROWS}`,
  ]
  return [
    ...['-hide_banner', '-nostdin', '-v', 'error', '-y', '-threads', '1', '-skip_frame', 'nokey'],
    ...buildInputArguments(path),
    ...['-map', `0:${video.index}`, '-filter_threads', '1', '-vf', filters.join(',')],
    ...['-threads', '1', '-c:v', 'mjpeg', '-q:v', JPEG_QUALITY, '-f', 'image2', '-start_number', '1'],
    `file:${outputFolder}/%d.jpg`,
  ]
}
