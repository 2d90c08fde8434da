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
const PICTURE = ['-f', 'lavfi', '-i', `testsrc2=size=320x180:rate=25:duration=${TEST_VIDEO_SECONDS}`]
const ODD_PICTURE = ['-f', 'lavfi', '-i', `testsrc2=size=321x181:rate=25:duration=${TEST_VIDEO_SECONDS}`]
const TONE = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${TEST_VIDEO_SECONDS}`]
const LOW_TONE = ['-f', 'lavfi', '-i', `sine=frequency=220:sample_rate=48000:duration=${TEST_VIDEO_SECONDS}`]

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50']
const HEVC = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-pix_fmt',
  'yuv420p',
  '-x265-params',
  'log-level=none:keyint=50',
]
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '300k', '-g', '50']
const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '16', '-b:v', '300k', '-g', '50']
const AV1 = ['-c:v', 'libsvtav1', '-preset', '12', '-g', '50']
const STEREO = ['-ac', '2']
const SURROUND = ['-ac', '6']
const AAC = ['-c:a', 'aac', ...STEREO]
const DTS = ['-c:a', 'dca', '-strict', '-2', ...SURROUND]

/** Arguments after the inputs `PICTURE` and `TONE`, by file name. */
const RECIPES: Record<string, string[]> = {
  'h264-aac.mp4': [...H264, ...AAC, '-movflags', '+faststart'],
  'h264-aac-index-at-end.mp4': [...H264, ...AAC],
  'h264-ac3.mp4': [...H264, '-c:a', 'ac3', ...STEREO],
  'h264-mp3.mp4': [...H264, '-c:a', 'libmp3lame', ...STEREO],
  'h264-aac.mov': [...H264, ...AAC],
  'h264-10bit-aac.mkv': [...H264, '-pix_fmt', 'yuv420p10le', ...AAC],
  'h264-422-aac.mkv': [...H264, '-pix_fmt', 'yuv422p', ...AAC],
  'h264-aac.mkv': [...H264, ...AAC],
  'h264-ac3.mkv': [...H264, '-c:a', 'ac3', ...SURROUND],
  'h264-eac3.mkv': [...H264, '-c:a', 'eac3', ...SURROUND],
  'h264-dts.mkv': [...H264, ...DTS],
  'h264-flac.mkv': [...H264, '-c:a', 'flac', ...STEREO],
  'h264-opus.mkv': [...H264, '-c:a', 'libopus', ...STEREO],
  'h264-vorbis.mkv': [...H264, '-c:a', 'libvorbis', ...STEREO],
  'h264-pcm.mov': [...H264, '-c:a', 'pcm_s16le', ...STEREO],
  'h264-silent.mkv': [...H264, '-an'],
  'h264-aac.ts': [...H264, ...AAC],
  'h264-interlaced-ac3.ts': [
    ...H264,
    '-flags',
    '+ildct+ilme',
    '-x264opts',
    'tff=1',
    '-c:a',
    'ac3',
    ...STEREO,
  ],
  'hevc-aac.mkv': [...HEVC, ...AAC],
  'hevc-flac.mkv': [...HEVC, '-c:a', 'flac', ...STEREO],
  'hevc-10bit-eac3.mkv': [...HEVC, '-pix_fmt', 'yuv420p10le', '-c:a', 'eac3', ...STEREO],
  'hevc-aac.mp4': [...HEVC, '-tag:v', 'hvc1', ...AAC],
  'hevc-hdr-aac.mkv': [
    ...HEVC.slice(0, -2),
    ...['-pix_fmt', 'yuv420p10le', '-x265-params'],
    'log-level=none:keyint=50:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc',
    ...AAC,
  ],
  'mpeg2-mp2.ts': ['-c:v', 'mpeg2video', '-g', '15', '-c:a', 'mp2', ...STEREO],
  'mpeg4-mp3.avi': ['-c:v', 'mpeg4', '-vtag', 'XVID', '-c:a', 'libmp3lame', ...STEREO],
  'mjpeg-pcm.avi': ['-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p', '-c:a', 'pcm_s16le', ...STEREO],
  'prores-pcm.mov': ['-c:v', 'prores_ks', '-profile:v', '0', '-c:a', 'pcm_s16le', ...STEREO],
  'vp8-vorbis.webm': [...VP8, '-c:a', 'libvorbis', ...STEREO],
  'vp9-opus.webm': [...VP9, '-c:a', 'libopus', ...STEREO],
  'vp9-opus.mkv': [...VP9, '-c:a', 'libopus', ...STEREO],
  'av1-opus.mkv': [...AV1, '-c:a', 'libopus', ...STEREO],
}
/** Sound in two languages and a commentary, and two subtitles. */
const TRACKS_VIDEO = 'h264-two-languages.mkv'
/**
 * Two styled subtitles in one language, an empty one, a font, and an attachment of another type that is named
 * like a font.
 */
const STYLED_VIDEO = 'h264-styled-subtitles.mkv'
/** Picture subtitles: PGS in English, a DVD subtitle in French, and a PGS in German whose picture is larger than any screen. */
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
const DAMAGED_VIDEOS: Record<string, (file: string, source: string) => void> = {
  /** Bytes in the middle are overwritten. */
  'damaged.mkv': (file, source) => {
    const bytes = readFileSync(source)
    bytes.fill(0x5a, Math.floor(bytes.length * 0.45), Math.floor(bytes.length * 0.5))
    writeFileSync(file, bytes)
  },
  /** The second half is missing. */
  'truncated.mkv': (file, source) => {
    const bytes = readFileSync(source)
    writeFileSync(file, bytes)
    truncateSync(file, Math.floor(bytes.length * 0.5))
  },
  'noise.mkv': (file) => writeFileSync(file, Buffer.alloc(100_000, 'no video at all ')),
}

/** Names of all test videos. */
export const TEST_VIDEOS = [
  ...Object.keys(RECIPES),
  'h264-vfr-aac.mkv',
  'h264-odd-size-aac.mkv',
  TRACKS_VIDEO,
  STYLED_VIDEO,
  PICTURES_VIDEO,
  CHAPTERS_VIDEO,
  ...Object.keys(DAMAGED_VIDEOS),
]

/** The videos are kept between test runs. A new number in the name of the folder makes all videos again. */
const CACHE_FOLDER = join(tmpdir(), 'marquee-test-videos-2')

/** Returns the path of a test video. Makes the video if it does not exist yet. */
export function makeTestVideo(name: string, folder = CACHE_FOLDER): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, name)
  if (existsSync(file)) return file
  const damage = DAMAGED_VIDEOS[name]
  // Tests in several processes may make the same file, so a file gets its final name only when it is
  // complete.
  const partialFile = join(folder, `${process.pid}-${name}`)
  if (damage) damage(partialFile, makeTestVideo('h264-ac3.mkv', folder))
  else runFfmpeg([...getInputs(name, folder), ...getRecipe(name), partialFile])
  renameSync(partialFile, file)
  return file
}

function getInputs(name: string, folder: string): string[] {
  if (name === 'h264-odd-size-aac.mkv') return [...ODD_PICTURE, ...TONE]
  if (name === TRACKS_VIDEO) return [...PICTURE, ...TONE, ...LOW_TONE, ...writeSubtitles(folder)]
  if (name === STYLED_VIDEO) return [...PICTURE, ...TONE, ...writeStyledInputs(folder)]
  if (name === PICTURES_VIDEO) return [...PICTURE, ...TONE, ...writePictureInputs(folder)]
  if (name === CHAPTERS_VIDEO) return writeChapterInputs(folder)
  return [...PICTURE, ...TONE]
}

function writeChapterInputs(folder: string): string[] {
  const file = join(folder, `${process.pid}-chapters.txt`)
  const chapters = CHAPTERS.map(
    ([start, end, title]) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${end}\ntitle=${title}\n`,
  )
  writeFileSync(file, `;FFMETADATA1\n${chapters.join('')}`)
  return [
    ...['-f', 'lavfi', '-i', `color=red:size=320x180:rate=10:duration=${CHAPTERS_SECONDS}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${CHAPTERS_SECONDS}`],
    ...['-i', file, '-map_metadata', '2'],
  ]
}

function getRecipe(name: string): string[] {
  // In the first five seconds, only every third frame is kept, so that frames have different durations.
  if (name === 'h264-vfr-aac.mkv')
    return ['-vf', "select='if(lt(t,5),not(mod(n,3)),1)'", '-vsync', 'vfr', ...H264, ...AAC]
  if (name === 'h264-odd-size-aac.mkv') return [...H264, '-pix_fmt', 'yuv444p', ...AAC]
  if (name === TRACKS_VIDEO) return TRACKS_RECIPE
  if (name === STYLED_VIDEO) return STYLED_RECIPE
  if (name === PICTURES_VIDEO) return PICTURES_RECIPE
  if (name === CHAPTERS_VIDEO) return [...H264, '-g', '300', '-vf', 'hue=h=t*40', ...AAC]
  const recipe = RECIPES[name]
  if (!recipe) throw new Error(`unknown test video ${name}`)
  return recipe
}

const TRACKS_RECIPE = [
  ...['-map', '0:v', '-map', '1:a', '-map', '2:a', '-map', '1:a', '-map', '3:s', '-map', '4:s'],
  ...[...H264, '-c:a', 'aac', '-c:s:0', 'subrip', '-c:s:1', 'ass'],
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
  return ['Good evening', 'Bonsoir'].flatMap((text, index) => {
    const file = join(folder, `${process.pid}-${index}.srt`)
    writeFileSync(file, `1\n00:00:01,000 --> 00:00:09,000\n${text}\n`)
    return ['-i', file]
  })
}

const STYLED_RECIPE = [
  ...['-map', '0:v', '-map', '1:a', '-map', '2:s', '-map', '3:s', '-map', '4:s'],
  ...[...H264, ...AAC, '-c:s', 'ass'],
  ...['-metadata:s:s:0', 'language=eng', '-metadata:s:s:0', 'title=Full'],
  ...['-metadata:s:s:1', 'language=eng', '-metadata:s:s:1', 'title=Signs'],
  ...['-metadata:s:s:2', 'language=ger'],
]

function writeStyledInputs(folder: string): string[] {
  const scripts = [
    [{ start: '0:00:01.00', end: '0:00:09.00', text: 'Good {\\b1}evening{\\b0}' }],
    [{ start: '0:00:01.00', end: '0:00:09.00', text: '{\\an8\\pos(320,40)}POLICE' }],
    [],
  ]
  const inputs = scripts.flatMap((lines, index) => {
    const file = join(folder, `${process.pid}-${index}.ass`)
    writeFileSync(file, createAssScript(lines))
    return ['-i', file]
  })
  const fonts = [Buffer.from([0, 1, 0, 0, 0, 0]), Buffer.from('<script>alert(1)</script>')]
  const attachments = fonts.flatMap((bytes, index) => {
    const file = join(folder, `${process.pid}-${index}.ttf`)
    writeFileSync(file, bytes)
    return ['-attach', file, `-metadata:s:t:${index}`, 'mimetype=application/x-truetype-font']
  })
  return [...inputs, ...attachments]
}

const PICTURES_RECIPE = [
  ...['-map', '0:v', '-map', '1:a', '-map', '2:s', '-map', '2:s', '-map', '3:s'],
  ...[...H264, ...AAC, '-c:s:0', 'copy', '-c:s:1', 'dvdsub', '-c:s:2', 'copy'],
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
  const cue = { startSeconds: 4, endSeconds: 9, x: 480, y: 800, width: 960, height: 200 }
  const screen = { width: 1920, height: 1080 }
  const streams = [
    createPgsStream([cue, { ...cue, startSeconds: 9.5, endSeconds: 9.8 }], screen),
    createPgsStream([{ ...cue, x: 0, y: 0, width: 60_000, height: 60_000 }], screen),
  ]
  return streams.flatMap((bytes, index) => {
    const file = join(folder, `${process.pid}-${index}.sup`)
    writeFileSync(file, bytes)
    return ['-f', 'sup', '-i', file]
  })
}

function runFfmpeg(args: string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], {
    encoding: 'utf8',
  })
  const file = args.at(-1) ?? ''
  if (status === 0) return
  rmSync(file, { force: true })
  throw new Error(`ffmpeg could not make ${file}: ${stderr}`)
}

if (import.meta.main) {
  ensureFfmpeg()
  const folder = process.argv[2] ?? CACHE_FOLDER
  for (const name of TEST_VIDEOS) process.stdout.write(`${makeTestVideo(name, folder)}\n`)
}
