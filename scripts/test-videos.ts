/**
 * Makes short test videos in many containers and codecs with ffmpeg: a moving test picture and a tone.
 * `node scripts/test-videos.ts FOLDER` makes all of them.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureFfmpeg } from './ffmpeg.ts'
import { createAssScript, createPgsStream } from './test-subtitles.ts'

export const TEST_VIDEO_SECONDS = 10
const PICTURE_INPUT = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${TEST_VIDEO_SECONDS}`]
const ODD_PICTURE_INPUT = [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=321x181:rate=25:duration=${TEST_VIDEO_SECONDS}`,
]
const TONE_INPUT = [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=440:sample_rate=48000:duration=${TEST_VIDEO_SECONDS}`,
]
const LOW_TONE_INPUT = [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=220:sample_rate=48000:duration=${TEST_VIDEO_SECONDS}`,
]

const H264_OPTIONS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50']
const HEVC_OPTIONS = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-x265-params',
  'log-level=none:keyint=50',
]
const VP9_OPTIONS = [
  '-c:v',
  'libvpx-vp9',
  '-deadline',
  'realtime',
  '-cpu-used',
  '8',
  '-b:v',
  '300k',
  '-g',
  '50',
]
const VP8_OPTIONS = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '16', '-b:v', '300k', '-g', '50']
const AV1_OPTIONS = ['-c:v', 'libsvtav1', '-preset', '12', '-g', '50']
const STEREO_OPTIONS = ['-ac', '2']
const SURROUND_OPTIONS = ['-ac', '6']
const AAC_OPTIONS = ['-c:a', 'aac', ...STEREO_OPTIONS]
const DTS_OPTIONS = ['-c:a', 'dca', '-strict', '-2', ...SURROUND_OPTIONS]

/** Arguments after the inputs `PICTURE_INPUT` and `TONE_INPUT`, by file name. */
const FFMPEG_ARGUMENTS_BY_FILE: Record<string, string[]> = {
  'h264-aac.mp4': [...H264_OPTIONS, ...AAC_OPTIONS, '-movflags', '+faststart'],
  'h264-aac-index-at-end.mp4': [...H264_OPTIONS, ...AAC_OPTIONS],
  'h264-ac3.mp4': [...H264_OPTIONS, '-c:a', 'ac3', ...STEREO_OPTIONS],
  'h264-mp3.mp4': [...H264_OPTIONS, '-c:a', 'libmp3lame', ...STEREO_OPTIONS],
  'h264-aac.mov': [...H264_OPTIONS, ...AAC_OPTIONS],
  'h264-10bit-aac.mkv': [...H264_OPTIONS, '-pix_fmt', 'yuv420p10le', ...AAC_OPTIONS],
  'h264-422-aac.mkv': [...H264_OPTIONS, '-pix_fmt', 'yuv422p', ...AAC_OPTIONS],
  'h264-aac.mkv': [...H264_OPTIONS, ...AAC_OPTIONS],
  'h264-ac3.mkv': [...H264_OPTIONS, '-c:a', 'ac3', ...SURROUND_OPTIONS],
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
/** Sound tracks in two languages, a commentary track and two subtitle tracks. */
const MULTI_TRACK_VIDEO = 'h264-two-languages.mkv'
/**
 * Two styled subtitles in one language, an empty one, a font, and an attachment of another type that is named
 * like a font.
 */
const STYLED_VIDEO = 'h264-styled-subtitles.mkv'
/**
 * Picture subtitles: PGS in English, a DVD subtitle in French, and a PGS in German whose picture is larger than any
 * screen.
 */
const PICTURES_VIDEO = 'h264-picture-subtitles.mkv'
/**
 * A video of one minute with three chapters, long enough for thumbnails of the seek bar. Its colour changes
 * continuously. It has a keyframe every 30 seconds.
 */
const CHAPTERS_VIDEO = 'h264-chapters.mkv'
const CHAPTERS_SECONDS = 60
const CHAPTERS: [startSeconds: number, endSeconds: number, title: string][] = [
  [0, 15, 'Opening'],
  [15, 50, 'The harbour'],
  [50, 60, 'Credits'],
]
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
  ...Object.keys(FFMPEG_ARGUMENTS_BY_FILE),
  'h264-vfr-aac.mkv',
  'h264-odd-size-aac.mkv',
  MULTI_TRACK_VIDEO,
  STYLED_VIDEO,
  PICTURES_VIDEO,
  CHAPTERS_VIDEO,
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
  else runFfmpeg([...getInputArguments(name, folder), ...getFfmpegArguments(name), partialFile])
  renameSync(partialFile, file)
  return file
}

function getInputArguments(name: string, folder: string): string[] {
  if (name === 'h264-odd-size-aac.mkv') return [...ODD_PICTURE_INPUT, ...TONE_INPUT]
  if (name === MULTI_TRACK_VIDEO)
    return [...PICTURE_INPUT, ...TONE_INPUT, ...LOW_TONE_INPUT, ...writeSubtitles(folder)]
  if (name === STYLED_VIDEO) return [...PICTURE_INPUT, ...TONE_INPUT, ...writeStyledInputs(folder)]
  if (name === PICTURES_VIDEO) return [...PICTURE_INPUT, ...TONE_INPUT, ...writePictureInputs(folder)]
  if (name === CHAPTERS_VIDEO) return writeChapterInputs(folder)
  return [...PICTURE_INPUT, ...TONE_INPUT]
}

function writeChapterInputs(folder: string): string[] {
  const file = join(folder, `${process.pid}-chapters.txt`)
  const chapters = CHAPTERS.map(
    ([startSeconds, endSeconds, title]) =>
      `[CHAPTER]\nTIMEBASE=1/1\nSTART=${startSeconds}\nEND=${endSeconds}\ntitle=${title}\n`,
  )
  writeFileSync(file, `;FFMETADATA1\n${chapters.join('')}`)
  return [
    ...['-f', 'lavfi', '-i', `color=red:size=320x180:rate=10:duration=${CHAPTERS_SECONDS}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${CHAPTERS_SECONDS}`],
    ...['-i', file, '-map_metadata', '2'],
  ]
}

function getFfmpegArguments(name: string): string[] {
  // In the first five seconds, only every third frame is kept, so that frames have different durations.
  if (name === 'h264-vfr-aac.mkv')
    return ['-vf', "select='if(lt(t,5),not(mod(n,3)),1)'", '-vsync', 'vfr', ...H264_OPTIONS, ...AAC_OPTIONS]
  if (name === 'h264-odd-size-aac.mkv') return [...H264_OPTIONS, '-pix_fmt', 'yuv444p', ...AAC_OPTIONS]
  if (name === MULTI_TRACK_VIDEO) return TRACKS_FFMPEG_ARGUMENTS
  if (name === STYLED_VIDEO) return STYLED_FFMPEG_ARGUMENTS
  if (name === PICTURES_VIDEO) return PICTURES_FFMPEG_ARGUMENTS
  if (name === CHAPTERS_VIDEO) return [...H264_OPTIONS, '-g', '300', '-vf', 'hue=h=t*40', ...AAC_OPTIONS]
  const ffmpegArguments = FFMPEG_ARGUMENTS_BY_FILE[name]
  if (!ffmpegArguments) throw new Error(`unknown test video ${name}`)
  return ffmpegArguments
}

const TRACKS_FFMPEG_ARGUMENTS = [
  ...['-map', '0:v', '-map', '1:a', '-map', '2:a', '-map', '1:a', '-map', '3:s', '-map', '4:s'],
  ...[...H264_OPTIONS, '-c:a', 'aac', '-c:s:0', 'subrip', '-c:s:1', 'ass'],
  ...[
    '-metadata:s:a:0',
    'language=eng',
    '-metadata:s:a:1',
    'language=fre',
    '-metadata:s:a:2',
    'language=eng',
  ],
  ...[
    '-metadata:s:a:2',
    'title=Director commentary',
    '-disposition:a:0',
    'default',
    '-disposition:a:2',
    'comment',
  ],
  ...['-metadata:s:s:0', 'language=eng', '-metadata:s:s:1', 'language=fre'],
]

function writeSubtitles(folder: string): string[] {
  return ['Good evening', 'Bonsoir'].flatMap((subtitleText, index) => {
    const file = join(folder, `${process.pid}-${index}.srt`)
    writeFileSync(file, `1\n00:00:01,000 --> 00:00:09,000\n${subtitleText}\n`)
    return ['-i', file]
  })
}

const STYLED_FFMPEG_ARGUMENTS = [
  ...['-map', '0:v', '-map', '1:a', '-map', '2:s', '-map', '3:s', '-map', '4:s'],
  ...[...H264_OPTIONS, ...AAC_OPTIONS, '-c:s', 'ass'],
  ...['-metadata:s:s:0', 'language=eng', '-metadata:s:s:0', 'title=Full'],
  ...['-metadata:s:s:1', 'language=eng', '-metadata:s:s:1', 'title=Signs'],
  ...['-metadata:s:s:2', 'language=ger'],
]

function writeStyledInputs(folder: string): string[] {
  const subtitleScripts = [
    [{ start: '0:00:01.00', end: '0:00:09.00', text: 'Good {\\b1}evening{\\b0}' }],
    [{ start: '0:00:01.00', end: '0:00:09.00', text: '{\\an8\\pos(320,40)}POLICE' }],
    [],
  ]
  const inputs = subtitleScripts.flatMap((dialogueLines, index) => {
    const file = join(folder, `${process.pid}-${index}.ass`)
    writeFileSync(file, createAssScript(dialogueLines))
    return ['-i', file]
  })
  const fontFiles = [Buffer.from([0, 1, 0, 0, 0, 0]), Buffer.from('<script>alert(1)</script>')]
  const attachments = fontFiles.flatMap((fontBytes, index) => {
    const file = join(folder, `${process.pid}-${index}.ttf`)
    writeFileSync(file, fontBytes)
    return ['-attach', file, `-metadata:s:t:${index}`, 'mimetype=application/x-truetype-font']
  })
  return [...inputs, ...attachments]
}

const PICTURES_FFMPEG_ARGUMENTS = [
  ...['-map', '0:v', '-map', '1:a', '-map', '2:s', '-map', '2:s', '-map', '3:s'],
  ...[...H264_OPTIONS, ...AAC_OPTIONS, '-c:s:0', 'copy', '-c:s:1', 'dvdsub', '-c:s:2', 'copy'],
  ...[
    '-metadata:s:s:0',
    'language=eng',
    '-metadata:s:s:1',
    'language=fre',
    '-metadata:s:s:2',
    'language=ger',
  ],
]

function writePictureInputs(folder: string): string[] {
  const pictureCue = { startSeconds: 4, endSeconds: 9, x: 480, y: 800, width: 960, height: 200 }
  const screenSize = { width: 1920, height: 1080 }
  const pgsStreams = [
    createPgsStream([pictureCue, { ...pictureCue, startSeconds: 9.5, endSeconds: 9.8 }], screenSize),
    createPgsStream([{ ...pictureCue, x: 0, y: 0, width: 60_000, height: 60_000 }], screenSize),
  ]
  return pgsStreams.flatMap((streamBytes, index) => {
    const file = join(folder, `${process.pid}-${index}.sup`)
    writeFileSync(file, streamBytes)
    return ['-f', 'sup', '-i', file]
  })
}

function runFfmpeg(ffmpegArguments: string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...ffmpegArguments], {
    encoding: 'utf8',
  })
  const outputFile = ffmpegArguments.at(-1) ?? ''
  if (status === 0) return
  rmSync(outputFile, { force: true })
  throw new Error(`ffmpeg could not make ${outputFile}: ${stderr}`)
}

if (import.meta.main) {
  ensureFfmpeg()
  const folder = process.argv[2] ?? CACHE_FOLDER
  for (const name of TEST_VIDEOS) process.stdout.write(`${makeTestVideo(name, folder)}\n`)
}
