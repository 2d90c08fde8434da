/** Unusual files that occur in film folders: with wrong headers, joined, trimmed, with covers and picture subtitles. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPgsStream } from '../../../scripts/test-subtitles.ts'
import { makeTestVideo } from '../../../scripts/test-videos.ts'

function runFfmpeg(...args: string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`ffmpeg ${args.at(-1)}: ${stderr}`)
}

/** Writes another duration into the header of a Matroska file: the element 0x4489 with a float of eight bytes. */
function copyWithDuration(source: string, file: string, seconds: number): void {
  const bytes = Buffer.from(readFileSync(source))
  const position = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]))
  if (position < 0) throw new Error(`${source} states no duration`)
  bytes.writeDoubleBE(seconds * 1_000, position + 3)
  writeFileSync(file, bytes)
}

/** Writes another duration into the movie header and the track headers of an MP4 file. */
function copyMp4WithDuration(source: string, file: string, factor: number): void {
  const bytes = Buffer.from(readFileSync(source))
  for (const [type, offset] of [
    ['mvhd', 20],
    ['tkhd', 24],
    ['mdhd', 20],
  ] as const)
    for (let position = bytes.indexOf(type); position >= 0; position = bytes.indexOf(type, position + 4))
      bytes.writeUInt32BE(Math.floor(bytes.readUInt32BE(position + offset) * factor), position + offset)
  writeFileSync(file, bytes)
}

/** Creates each file, by its name. `folder` is for intermediate files. */
export const ODD_FILES: Record<string, (file: string, folder: string) => void> = {
  'too-long.mkv': (file) => copyWithDuration(makeTestVideo('h264-ac3.mkv'), file, 7_200),
  'states-4-s.mkv': (file) => copyWithDuration(makeTestVideo('h264-ac3.mkv'), file, 4),
  'states-4-s-hevc.mkv': (file) => copyWithDuration(makeTestVideo('hevc-aac.mkv'), file, 4),
  'too-long.mp4': (file) => copyMp4WithDuration(makeTestVideo('h264-aac.mp4'), file, 100),
  'live.mkv': (file) =>
    runFfmpeg('-i', makeTestVideo('hevc-aac.mkv'), '-c', 'copy', '-f', 'matroska', '-live', '1', file),
  'cut.mp4': (file) => {
    const bytes = readFileSync(makeTestVideo('h264-aac.mp4'))
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length * 0.6)))
  },
  // Two halves of a recording whose timestamps start at different times.
  'joined.ts': (file, folder) => {
    const halves = [5_000, 100].map((offsetSeconds, index) => {
      const halfFile = join(folder, `half-${index}.ts`)
      const range = ['-ss', String(index * 5), '-t', '5', '-output_ts_offset', String(offsetSeconds)]
      const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-c:a', 'copy']
      runFfmpeg('-i', makeTestVideo('h264-aac.mp4'), ...range, ...codecs, halfFile)
      return readFileSync(halfFile)
    })
    writeFileSync(file, Buffer.concat(halves))
  },
  // Trimmed on a phone: the film starts between two keyframes.
  'trimmed.mov': (file) => runFfmpeg('-ss', '3', '-i', makeTestVideo('h264-aac.mp4'), '-c', 'copy', file),
  'hevc-flac.mkv': (file) => copyFileSync(makeTestVideo('hevc-flac.mkv'), file),
  'cover-first.mkv': (file, folder) => {
    const cover = join(folder, 'cover.png')
    runFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=640x480', '-frames:v', '1', cover)
    const film = makeTestVideo('hevc-aac.mkv')
    runFfmpeg('-i', cover, '-i', film, '-map', '0:v', '-map', '1', '-c', 'copy', file)
  },
  'pictures.mkv': (file, folder) =>
    runFfmpeg(
      ...['-i', makeTestVideo('hevc-aac.mkv'), '-f', 'sup', '-i', writePictures(folder)],
      ...['-map', '0', '-map', '1', '-c', 'copy', file],
    ),
  'pictures.ts': (file, folder) =>
    runFfmpeg(
      ...['-i', makeTestVideo('hevc-aac.mkv'), '-f', 'sup', '-i', writePictures(folder)],
      ...['-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'dvbsub', file],
    ),
  'film.mpg': (file) => runFfmpeg('-i', makeTestVideo('mpeg2-mp2.ts'), '-c', 'copy', '-f', 'vob', file),
}

/** Writes subtitles with one white picture from second 1 to second 9. */
function writePictures(folder: string): string {
  const file = join(folder, 'pictures.sup')
  const cue = { startSeconds: 1, endSeconds: 9, x: 480, y: 800, width: 960, height: 200 }
  writeFileSync(file, createPgsStream([cue], { width: 1920, height: 1080 }))
  return file
}
