/**
 * Videos of the playback benchmark: two minutes of a moving, noisy picture, so that encoders have work to do.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runFfmpeg } from '../../scripts/ffmpeg.ts'

const REPEATED_CLIP_SECONDS = 6
export const VIDEO_SECONDS = 120
const buildPictureInput = (frameSize: string) =>
  `testsrc2=size=${frameSize}:rate=24:duration=${REPEATED_CLIP_SECONDS},noise=alls=12:allf=t`
const TONE_SOURCE = `sine=frequency=440:sample_rate=48000:duration=${REPEATED_CLIP_SECONDS}`
const H264_OPTIONS = [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-b:v',
  '8M',
  '-pix_fmt',
  'yuv420p',
  '-g',
  '48',
]
const HEVC_OPTIONS = ['-c:v', 'libx265', '-preset', 'ultrafast', '-b:v', '6M', '-pix_fmt', 'yuv420p']
const KEYFRAME_OPTIONS = ['-x265-params', 'log-level=none:keyint=48']

const HEVC_AC3_OPTIONS = [...HEVC_OPTIONS, ...KEYFRAME_OPTIONS, '-c:a', 'ac3', '-ac', '6']
const [FULL_HD_SIZE, HD_SIZE] = ['1920x1080', '1280x720']
/** The videos of the benchmark, by the delivery that Chromium needs for them. */
export const VIDEOS = {
  direct: {
    file: 'direct.mp4',
    size: FULL_HD_SIZE,
    arguments: [...H264_OPTIONS, '-c:a', 'aac', '-ac', '2', '-movflags', '+faststart'],
  },
  remux: { file: 'remux.mkv', size: FULL_HD_SIZE, arguments: [...H264_OPTIONS, '-c:a', 'ac3', '-ac', '6'] },
  transcode720: { file: 'transcode-720.mkv', size: HD_SIZE, arguments: HEVC_AC3_OPTIONS },
  transcode: { file: 'transcode.mkv', size: FULL_HD_SIZE, arguments: HEVC_AC3_OPTIONS },
} as const
export type VideoName = keyof typeof VIDEOS

/**
 * Makes the videos. A few seconds are encoded and then repeated, because encoding minutes of 1080p takes
 * minutes.
 */
export function makeVideos(folder: string): Record<VideoName, string> {
  mkdirSync(folder, { recursive: true })
  const makeVideo = ({ file, size, arguments: ffmpegArguments }: (typeof VIDEOS)[VideoName]) => {
    const repeatedClipFile = join(folder, `cut-${file}`)
    const videoFile = join(folder, file)
    runFfmpeg(
      '-f',
      'lavfi',
      '-i',
      buildPictureInput(size),
      '-f',
      'lavfi',
      '-i',
      TONE_SOURCE,
      ...ffmpegArguments,
      repeatedClipFile,
    )
    const repeatCount = String(VIDEO_SECONDS / REPEATED_CLIP_SECONDS - 1)
    const fastStartOptions = file.endsWith('.mp4') ? ['-movflags', '+faststart'] : []
    runFfmpeg(
      '-stream_loop',
      repeatCount,
      '-i',
      repeatedClipFile,
      '-c',
      'copy',
      ...fastStartOptions,
      videoFile,
    )
    return videoFile
  }
  return {
    direct: makeVideo(VIDEOS.direct),
    remux: makeVideo(VIDEOS.remux),
    transcode720: makeVideo(VIDEOS.transcode720),
    transcode: makeVideo(VIDEOS.transcode),
  }
}
