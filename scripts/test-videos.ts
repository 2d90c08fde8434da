/**
 * Makes short test videos in many containers and codecs with ffmpeg: a moving test picture and a tone.
 * `node scripts/test-videos.ts FOLDER` makes all of them.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureFfmpeg, runFfmpeg } from './ffmpeg.ts'
import { SPECIAL_VIDEOS_BY_FILE } from './special-test-videos.ts'
import {
  AAC_OPTIONS,
  AV1_OPTIONS,
  DTS_OPTIONS,
  H264_OPTIONS,
  HEVC_OPTIONS,
  PICTURE_INPUT,
  STEREO_OPTIONS,
  SURROUND_OPTIONS,
  TONE_INPUT,
  VP8_OPTIONS,
  VP9_OPTIONS,
} from './test-video-options.ts'

/** Arguments after the inputs `PICTURE_INPUT` and `TONE_INPUT`, by file name. */
const ENCODING_ARGUMENTS_BY_FILE: Record<string, string[]> = {
  'h264-aac.mp4': [...H264_OPTIONS, ...AAC_OPTIONS, '-movflags', '+faststart'],
  'h264-aac-index-at-end.mp4': [...H264_OPTIONS, ...AAC_OPTIONS],
  'h264-ac3.mp4': [...H264_OPTIONS, '-c:a', 'ac3', ...STEREO_OPTIONS],
  'h264-mp3.mp4': [...H264_OPTIONS, '-c:a', 'libmp3lame', ...STEREO_OPTIONS],
  'h264-aac.mov': [...H264_OPTIONS, ...AAC_OPTIONS],
  'h264-10bit-aac.mkv': [...H264_OPTIONS, '-pix_fmt', 'yuv420p10le', ...AAC_OPTIONS],
  'h264-422-aac.mkv': [...H264_OPTIONS, '-pix_fmt', 'yuv422p', ...AAC_OPTIONS],
  'h264-aac.mkv': [...H264_OPTIONS, ...AAC_OPTIONS],
  'h264-ac3.mkv': [...H264_OPTIONS, '-c:a', 'ac3', ...SURROUND_OPTIONS],
  'h264-b-frames-ac3.mkv': [
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '50', '-bf', '3'],
    ...['-c:a', 'ac3', ...STEREO_OPTIONS],
  ],
  'h264-open-gops-ac3.mkv': [
    ...['-c:v', 'libx264', '-preset', 'fast', '-pix_fmt', 'yuv420p'],
    ...['-x264-params', 'open-gop=1:keyint=50:min-keyint=50:scenecut=0:bframes=4:b-pyramid=normal'],
    ...['-c:a', 'ac3', ...STEREO_OPTIONS],
  ],
  'h264-eac3.mkv': [...H264_OPTIONS, '-c:a', 'eac3', ...SURROUND_OPTIONS],
  'h264-dts.mkv': [...H264_OPTIONS, ...DTS_OPTIONS],
  'h264-flac.mkv': [...H264_OPTIONS, '-c:a', 'flac', ...STEREO_OPTIONS],
  'h264-opus.mkv': [...H264_OPTIONS, '-c:a', 'libopus', ...STEREO_OPTIONS],
  'h264-vorbis.mkv': [...H264_OPTIONS, '-c:a', 'libvorbis', ...STEREO_OPTIONS],
  'h264-pcm.mov': [...H264_OPTIONS, '-c:a', 'pcm_s16le', ...STEREO_OPTIONS],
  'h264-silent.mkv': [...H264_OPTIONS, '-an'],
  'h264-aac.ts': [...H264_OPTIONS, ...AAC_OPTIONS],
  'h264-interlaced-ac3.ts': [
    ...H264_OPTIONS,
    '-flags',
    '+ildct+ilme',
    '-x264opts',
    'tff=1',
    '-c:a',
    'ac3',
    ...STEREO_OPTIONS,
  ],
  'hevc-aac.mkv': [...HEVC_OPTIONS, ...AAC_OPTIONS],
  'hevc-flac.mkv': [...HEVC_OPTIONS, '-c:a', 'flac', ...STEREO_OPTIONS],
  'hevc-10bit-eac3.mkv': [...HEVC_OPTIONS, '-pix_fmt', 'yuv420p10le', '-c:a', 'eac3', ...STEREO_OPTIONS],
  'hevc-aac.mp4': [...HEVC_OPTIONS, '-tag:v', 'hvc1', ...AAC_OPTIONS],
  'hevc-hdr-aac.mkv': [
    ...HEVC_OPTIONS.slice(0, -2),
    ...['-pix_fmt', 'yuv420p10le', '-x265-params'],
    'log-level=none:keyint=50:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc',
    ...AAC_OPTIONS,
  ],
  'mpeg2-mp2.ts': ['-c:v', 'mpeg2video', '-g', '15', '-c:a', 'mp2', ...STEREO_OPTIONS],
  'mpeg4-mp3.avi': ['-c:v', 'mpeg4', '-vtag', 'XVID', '-c:a', 'libmp3lame', ...STEREO_OPTIONS],
  'mjpeg-pcm.avi': ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le', ...STEREO_OPTIONS],
  'prores-pcm.mov': ['-c:v', 'prores_ks', '-profile:v', '0', '-c:a', 'pcm_s16le', ...STEREO_OPTIONS],
  'vp8-vorbis.webm': [...VP8_OPTIONS, '-c:a', 'libvorbis', ...STEREO_OPTIONS],
  'vp9-opus.webm': [...VP9_OPTIONS, '-c:a', 'libopus', ...STEREO_OPTIONS],
  'vp9-opus.mkv': [...VP9_OPTIONS, '-c:a', 'libopus', ...STEREO_OPTIONS],
  'av1-opus.mkv': [...AV1_OPTIONS, '-c:a', 'libopus', ...STEREO_OPTIONS],
}
const DAMAGE_FUNCTIONS_BY_FILE: Record<string, (file: string, sourceFile: string) => void> = {
  /** Bytes in the middle are overwritten. */
  'damaged.mkv': (file, sourceFile) => {
    const sourceBytes = readFileSync(sourceFile)
    sourceBytes.fill(0x5a, Math.floor(sourceBytes.length * 0.45), Math.floor(sourceBytes.length * 0.5))
    writeFileSync(file, sourceBytes)
  },
  /** The second half is missing. */
  'truncated.mkv': (file, sourceFile) => {
    const sourceBytes = readFileSync(sourceFile)
    writeFileSync(file, sourceBytes)
    truncateSync(file, Math.floor(sourceBytes.length * 0.5))
  },
  'noise.mkv': (file) => writeFileSync(file, Buffer.alloc(100_000, 'no video at all ')),
}

/** Names of all test videos. */
export const TEST_VIDEOS = [
  ...Object.keys(ENCODING_ARGUMENTS_BY_FILE),
  ...Object.keys(SPECIAL_VIDEOS_BY_FILE),
  ...Object.keys(DAMAGE_FUNCTIONS_BY_FILE),
]

/** The videos are kept between test runs. Change the number in the folder name to make all videos again. */
const CACHE_FOLDER = join(tmpdir(), 'marquee-test-videos-2')

/** Returns the path of a test video. Makes the video if it does not exist yet. */
export function makeTestVideo(name: string, folder = CACHE_FOLDER): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  if (existsSync(file)) return file
  const damageFile = DAMAGE_FUNCTIONS_BY_FILE[name]
  // Tests in several processes may make the same file, so a file gets its final name only when it is
  // complete.
  const partialFile = join(folder, `${process.pid}-${name}`)
  if (damageFile) damageFile(partialFile, makeTestVideo('h264-ac3.mkv', folder))
  else runFfmpeg(...getFfmpegArguments(name, folder), partialFile)
  renameSync(partialFile, file)
  return file
}

/** Returns the arguments of ffmpeg, without the output file, for a video that is not damaged. */
function getFfmpegArguments(name: string, folder: string): string[] {
  const specialVideo = SPECIAL_VIDEOS_BY_FILE[name]
  if (specialVideo) return [...specialVideo.createInputs(folder), ...specialVideo.outputArguments]
  const encodingArguments = ENCODING_ARGUMENTS_BY_FILE[name]
  if (!encodingArguments) throw new Error(`unknown test video ${name}`)
  return [...PICTURE_INPUT, ...TONE_INPUT, ...encodingArguments]
}

if (import.meta.main) {
  ensureFfmpeg()
  const folder = process.argv[2] ?? CACHE_FOLDER
  for (const name of TEST_VIDEOS) process.stdout.write(`${makeTestVideo(name, folder)}\n`)
}
