/**
 * Test videos that need more than another encoding: several tracks, subtitles, chapters, or pictures of another size or
 * frame rate.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAssScript, createPgsStream } from './test-subtitles.ts'
import {
  AAC_OPTIONS,
  H264_OPTIONS,
  LOW_TONE_INPUT,
  ODD_PICTURE_INPUT,
  PICTURE_INPUT,
  TONE_INPUT,
} from './test-video-options.ts'

interface SpecialVideo {
  /**
   * Returns the input arguments of ffmpeg. Writes into `folder` the subtitles, fonts and chapters that the arguments
   * name.
   */
  createInputs: (folder: string) => string[]
  outputArguments: string[]
}

const createPictureAndTone = () => [...PICTURE_INPUT, ...TONE_INPUT]

/** In the first five seconds, only every third frame is kept, so that frames have different durations. */
const VARIABLE_FRAME_RATE_VIDEO: SpecialVideo = {
  createInputs: createPictureAndTone,
  outputArguments: [
    ...['-vf', "select='if(lt(t,5),not(mod(n,3)),1)'", '-vsync', 'vfr'],
    ...[...H264_OPTIONS, ...AAC_OPTIONS],
  ],
}

const ODD_SIZE_VIDEO: SpecialVideo = {
  createInputs: () => [...ODD_PICTURE_INPUT, ...TONE_INPUT],
  outputArguments: [...H264_OPTIONS, '-pix_fmt', 'yuv444p', ...AAC_OPTIONS],
}

/** Sound tracks in two languages, a commentary track and two subtitle tracks. */
const TWO_LANGUAGES_VIDEO: SpecialVideo = {
  createInputs: (folder) => [...createPictureAndTone(), ...LOW_TONE_INPUT, ...writeSubtitles(folder)],
  outputArguments: [
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
  ],
}

function writeSubtitles(folder: string): string[] {
  return ['Good evening', 'Bonsoir'].flatMap((subtitleText, index) => {
    const file = join(folder, `${process.pid}-${index}.srt`)
    writeFileSync(file, `1\n00:00:01,000 --> 00:00:09,000\n${subtitleText}\n`)
    return ['-i', file]
  })
}

/**
 * Two styled subtitles in one language, an empty styled subtitle, a font, and an attachment of another type that is
 * named like a font.
 */
const STYLED_SUBTITLES_VIDEO: SpecialVideo = {
  createInputs: (folder) => [...createPictureAndTone(), ...writeStyledSubtitles(folder)],
  outputArguments: [
    ...['-map', '0:v', '-map', '1:a', '-map', '2:s', '-map', '3:s', '-map', '4:s'],
    ...[...H264_OPTIONS, ...AAC_OPTIONS, '-c:s', 'ass'],
    ...['-metadata:s:s:0', 'language=eng', '-metadata:s:s:0', 'title=Full'],
    ...['-metadata:s:s:1', 'language=eng', '-metadata:s:s:1', 'title=Signs'],
    ...['-metadata:s:s:2', 'language=ger'],
  ],
}

function writeStyledSubtitles(folder: string): string[] {
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

/**
 * Picture subtitles: PGS in English, a DVD subtitle in French, and a PGS in German whose picture is larger than any
 * screen.
 */
const PICTURE_SUBTITLES_VIDEO: SpecialVideo = {
  createInputs: (folder) => [...createPictureAndTone(), ...writePictureSubtitles(folder)],
  outputArguments: [
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
  ],
}

function writePictureSubtitles(folder: string): string[] {
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

const CHAPTERS_SECONDS = 60
const CHAPTERS: [startSeconds: number, endSeconds: number, title: string][] = [
  [0, 15, 'Opening'],
  [15, 50, 'The harbour'],
  [50, 60, 'Credits'],
]

/**
 * A video of one minute with three chapters, long enough for thumbnails of the seek bar. Its colour changes
 * continuously. It has a keyframe every 30 seconds.
 */
const CHAPTERS_VIDEO: SpecialVideo = {
  createInputs: writeChapterInputs,
  outputArguments: [...H264_OPTIONS, '-g', '300', '-vf', 'hue=h=t*40', ...AAC_OPTIONS],
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

export const SPECIAL_VIDEOS_BY_FILE: Record<string, SpecialVideo> = {
  'h264-vfr-aac.mkv': VARIABLE_FRAME_RATE_VIDEO,
  'h264-odd-size-aac.mkv': ODD_SIZE_VIDEO,
  'h264-two-languages.mkv': TWO_LANGUAGES_VIDEO,
  'h264-styled-subtitles.mkv': STYLED_SUBTITLES_VIDEO,
  'h264-picture-subtitles.mkv': PICTURE_SUBTITLES_VIDEO,
  'h264-chapters.mkv': CHAPTERS_VIDEO,
}
