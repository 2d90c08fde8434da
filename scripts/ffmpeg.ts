/** ffmpeg for tests: finds an installed ffmpeg, otherwise installs the Debian package (only as root), and runs it. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'

const areProgramsInstalled = () =>
  ['ffmpeg', 'ffprobe'].every((name) => spawnSync(name, ['-version']).status === 0)

function runInstaller(installerArguments: string[]): void {
  process.stderr.write(`ffmpeg not found, running: apt-get ${installerArguments.join(' ')} …\n`)
  spawnSync('apt-get', installerArguments, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 240_000 })
}

/** Installs ffmpeg when it is missing and the user is root. Throws when it is still missing afterwards. */
export function ensureFfmpeg(): void {
  if (areProgramsInstalled()) return
  if (process.getuid?.() === 0) {
    runInstaller(['update', '-qq'])
    runInstaller(['install', '-y', '-qq', '--no-install-recommends', 'ffmpeg'])
  }
  if (!areProgramsInstalled())
    throw new Error(
      'The tests need ffmpeg and ffprobe on the PATH: install them (Debian: apt-get install ffmpeg).',
    )
}

/** Runs ffmpeg. The last argument is the output file. After a failure, deletes this file and throws. */
export function runFfmpeg(...ffmpegArguments: string[]): void {
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...ffmpegArguments], {
    encoding: 'utf8',
  })
  if (status === 0) return
  const outputFile = ffmpegArguments.at(-1) ?? ''
  rmSync(outputFile, { force: true })
  throw new Error(`ffmpeg could not make ${outputFile}: ${stderr}`)
}

if (import.meta.main) {
  try {
    ensureFfmpeg()
    process.stderr.write('ffmpeg: installed\n')
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    process.exitCode = 1
  }
}
