/**
 * Videos of the playback benchmark: two minutes of a moving, noisy picture, so that encoders have work to do.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const CUT_SECONDS = 6
export const FILM_SECONDS = 120
const createPicture = (size: string) =>
  `testsrc2=size=${size}:rate=24:duration=${CUT_SECONDS},noise=alls=12:allf=t`
const TONE = `sine=frequency=440:sample_rate=48000:duration=${CUT_SECONDS}`
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '8M', '-pix_fmt', 'yuv420p', '-g', '48']
const HEVC = ['-c:v', 'libx265', '-preset', 'ultrafast', '-b:v', '6M', '-pix_fmt', 'yuv420p']
const KEYFRAMES = ['-x265-params', 'log-level=none:keyint=48']

const HEVC_AC3 = [...HEVC, ...KEYFRAMES, '-c:a', 'ac3', '-ac', '6']
const [FULL_HD, HD] = ['1920x1080', '1280x720']
/** The films of the benchmark, by the delivery that Chromium needs for them. */
export const FILMS = {
  direct: {
    file: 'direct.mp4',
    size: FULL_HD,
    arguments: [...H264, '-c:a', 'aac', '-ac', '2', '-movflags', '+faststart'],
  },
  remux: { file: 'remux.mkv', size: FULL_HD, arguments: [...H264, '-c:a', 'ac3', '-ac', '6'] },
  transcode720: { file: 'transcode-720.mkv', size: HD, arguments: HEVC_AC3 },
  transcode: { file: 'transcode.mkv', size: FULL_HD, arguments: HEVC_AC3 },
} as const
export type FilmName = keyof typeof FILMS

/**
 * Makes the films. A few seconds are encoded and then repeated, because encoding minutes of 1080p takes
 * minutes.
 */
export function makeFilms(folder: string): Record<FilmName, string> {
  mkdirSync(folder, { recursive: true })
  const makeFilm = ({ file, size, arguments: args }: (typeof FILMS)[FilmName]) => {
    const cut = join(folder, `cut-${file}`)
    const film = join(folder, file)
    runFfmpeg(['-f', 'lavfi', '-i', createPicture(size), '-f', 'lavfi', '-i', TONE, ...args, cut])
    const repeats = String(FILM_SECONDS / CUT_SECONDS - 1)
    const fastStart = file.endsWith('.mp4') ? ['-movflags', '+faststart'] : []
    runFfmpeg(['-stream_loop', repeats, '-i', cut, '-c', 'copy', ...fastStart, film])
    return film
  }
  return {
    direct: makeFilm(FILMS.direct),
    remux: makeFilm(FILMS.remux),
    transcode720: makeFilm(FILMS.transcode720),
    transcode: makeFilm(FILMS.transcode),
  }
}

function runFfmpeg(args: string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`ffmpeg ${args.at(-1)}: ${stderr}`)
}
