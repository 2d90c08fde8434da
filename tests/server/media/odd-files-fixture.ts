/**
 * Creates unusual files that occur in movie folders. Some have a wrong duration in the header, some are concatenated or
 * trimmed recordings, and some contain cover pictures or picture subtitles.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runFfmpeg } from '../../../scripts/ffmpeg.ts'
import { createPgsStream } from '../../../scripts/test-subtitles.ts'
import { makeTestVideo } from '../../../scripts/test-videos.ts'

/**
 * Copies a Matroska file and changes the duration in the header of the copy.
 * The duration is the element 0x4489, a floating-point number of eight bytes. Throws if the file has no such element.
 */
function copyWithStatedDuration(sourcePath: string, filePath: string, durationSeconds: number): void {
  const bytes = Buffer.from(readFileSync(sourcePath))
  const byteOffset = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]))
  if (byteOffset < 0) throw new Error(`${sourcePath} states no duration`)
  bytes.writeDoubleBE(durationSeconds * 1_000, byteOffset + 3)
  writeFileSync(filePath, bytes)
}

/** Copies an MP4 file. Multiplies the durations in the headers of the movie, tracks and media by `durationFactor`. */
function copyMp4WithStatedDuration(sourcePath: string, filePath: string, durationFactor: number): void {
  const bytes = Buffer.from(readFileSync(sourcePath))
  for (const [type, fieldOffset] of [
    ['mvhd', 20],
    ['tkhd', 24],
    ['mdhd', 20],
  ] as const)
    for (
      let byteOffset = bytes.indexOf(type);
      byteOffset >= 0;
      byteOffset = bytes.indexOf(type, byteOffset + 4)
    )
      bytes.writeUInt32BE(
        Math.floor(bytes.readUInt32BE(byteOffset + fieldOffset) * durationFactor),
        byteOffset + fieldOffset,
      )
  writeFileSync(filePath, bytes)
}

/** Functions that create a file at `filePath`, by file name. The functions write intermediate files to `folder`. */
export const FILE_CREATORS_BY_NAME: Record<string, (filePath: string, folder: string) => void> = {
  'too-long.mkv': (filePath) => copyWithStatedDuration(makeTestVideo('h264-ac3.mkv'), filePath, 7_200),
  'states-4-s.mkv': (filePath) => copyWithStatedDuration(makeTestVideo('h264-ac3.mkv'), filePath, 4),
  'states-4-s-hevc.mkv': (filePath) => copyWithStatedDuration(makeTestVideo('hevc-aac.mkv'), filePath, 4),
  'too-long.mp4': (filePath) => copyMp4WithStatedDuration(makeTestVideo('h264-aac.mp4'), filePath, 100),
  'live.mkv': (filePath) =>
    runFfmpeg('-i', makeTestVideo('hevc-aac.mkv'), '-c', 'copy', '-f', 'matroska', '-live', '1', filePath),
  'cut.mp4': (filePath) => {
    const bytes = readFileSync(makeTestVideo('h264-aac.mp4'))
    writeFileSync(filePath, bytes.subarray(0, Math.floor(bytes.length * 0.6)))
  },
  // Two halves of a recording whose timestamps start at different times.
  'joined.ts': (filePath, folder) => {
    const halves = [5_000, 100].map((offsetSeconds, index) => {
      const halfFile = join(folder, `half-${index}.ts`)
      const rangeArguments = ['-ss', String(index * 5), '-t', '5', '-output_ts_offset', String(offsetSeconds)]
      const codecArguments = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-c:a', 'copy']
      runFfmpeg('-i', makeTestVideo('h264-aac.mp4'), ...rangeArguments, ...codecArguments, halfFile)
      return readFileSync(halfFile)
    })
    writeFileSync(filePath, Buffer.concat(halves))
  },
  // Trimmed on a phone: the movie starts almost two seconds after a keyframe.
  'trimmed.mov': (filePath) =>
    runFfmpeg('-ss', '3.9', '-i', makeTestVideo('h264-aac.mp4'), '-c', 'copy', filePath),
  'hevc-flac.mkv': (filePath) => copyFileSync(makeTestVideo('hevc-flac.mkv'), filePath),
  'cover-first.mkv': (filePath, folder) => {
    const coverPath = join(folder, 'cover.png')
    runFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=640x480', '-frames:v', '1', coverPath)
    const videoPath = makeTestVideo('hevc-aac.mkv')
    runFfmpeg('-i', coverPath, '-i', videoPath, '-map', '0:v', '-map', '1', '-c', 'copy', filePath)
  },
  'pictures.mkv': (filePath, folder) =>
    runFfmpeg(
      ...['-i', makeTestVideo('hevc-aac.mkv'), '-f', 'sup', '-i', writePictureSubtitles(folder)],
      ...['-map', '0', '-map', '1', '-c', 'copy', filePath],
    ),
  'pictures.ts': (filePath, folder) =>
    runFfmpeg(
      ...['-i', makeTestVideo('hevc-aac.mkv'), '-f', 'sup', '-i', writePictureSubtitles(folder)],
      ...['-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'dvbsub', filePath],
    ),
  // An empty edit delays the video by three seconds.
  'late-video.mp4': (filePath) =>
    runFfmpeg(
      ...['-itsoffset', '3', '-i', makeTestVideo('h264-aac.mp4'), '-i', makeTestVideo('h264-ac3.mkv')],
      ...['-map', '0:v', '-map', '1:a', '-c', 'copy', filePath],
    ),
  'film.rm': (filePath) =>
    runFfmpeg('-i', makeTestVideo('mpeg2-mp2.ts'), '-c:v', 'rv20', '-c:a', 'ac3', filePath),
  'film.wtv': (filePath) => runFfmpeg('-i', makeTestVideo('mpeg2-mp2.ts'), '-c', 'copy', filePath),
  'film.mxf': (filePath) =>
    runFfmpeg('-i', makeTestVideo('mpeg2-mp2.ts'), '-c:v', 'copy', '-c:a', 'pcm_s16le', filePath),
  'titled-tracks.mkv': (filePath) =>
    runFfmpeg(
      ...['-i', makeTestVideo('h264-ac3.mkv'), '-map', '0:v', '-map', '0:a', '-map', '0:a', '-map', '0:a'],
      ...['-c', 'copy', '-metadata:s:a:0', 'title=Français', '-metadata:s:a:1', 'language=xyz'],
      ...[
        '-metadata:s:a:1',
        'title=English 5.1',
        '-metadata:s:a:2',
        'title=Kommentar des Regisseurs',
        filePath,
      ],
    ),
  'film.mpg': (filePath) =>
    runFfmpeg('-i', makeTestVideo('mpeg2-mp2.ts'), '-c', 'copy', '-f', 'vob', filePath),
}

/** Writes a subtitle file with one white picture, shown from second 1 to second 9. Returns the path of the file. */
function writePictureSubtitles(folder: string): string {
  const filePath = join(folder, 'pictures.sup')
  const cue = { startSeconds: 1, endSeconds: 9, x: 480, y: 800, width: 960, height: 200 }
  writeFileSync(filePath, createPgsStream([cue], { width: 1920, height: 1080 }))
  return filePath
}
