/**
 * Finds ffmpeg and ffprobe on the system, and lists the encoders and filters of ffmpeg. Both programs are optional.
 * Without them, no file is converted, so viewers can play only files that their browser can decode.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const runFile = promisify(execFile)

export interface Ffmpeg {
  ffmpegPath: string
  ffprobePath: string
  /** Version of ffmpeg, for example `5.1.9`. */
  version: string
  encoders: ReadonlySet<string>
  filters: ReadonlySet<string>
  /** Longest time for which ffprobe may read the start of a file. */
  probeTimeoutMs: number
}
type FfmpegStatus =
  | { status: 'available'; ffmpeg: Ffmpeg }
  | { status: 'missing' }
  | { status: 'outdated'; version: string }
  /** The operator set FFMPEG_PATH to `off`. */
  | { status: 'off' }

const MIN_FFMPEG_VERSION = [5, 1] as const
const COMMAND_TIMEOUT_MS = 10_000
const PROBE_TIMEOUT_MS = 20_000
/**
 * Time after which a missing or outdated program is searched for again, so that operators can install it while the
 * server runs.
 */
const RETRY_INTERVAL_MS = 60_000

export interface FfmpegFinder {
  /** Returns the status. Once ffmpeg was found, it is not searched for again. */
  find: () => Promise<FfmpegStatus>
}

/**
 * `configuredPath` is FFMPEG_PATH: the path of ffmpeg, or `off`. If it is undefined, ffmpeg is searched for in
 * `folders`.
 */
export function createFfmpegFinder(
  configuredPath: string | undefined,
  folders: readonly string[],
): FfmpegFinder {
  let statusPromise: Promise<FfmpegStatus> | null = null
  let retryAtMs = 0
  return {
    find() {
      if (statusPromise && performance.now() < retryAtMs) return statusPromise
      const lookupPromise = findFfmpeg(configuredPath, folders)
      statusPromise = lookupPromise
      retryAtMs = Number.POSITIVE_INFINITY
      void lookupPromise.then(({ status }) => {
        if (status !== 'available') retryAtMs = performance.now() + RETRY_INTERVAL_MS
      })
      return lookupPromise
    },
  }
}

async function findFfmpeg(
  configuredPath: string | undefined,
  folders: readonly string[],
): Promise<FfmpegStatus> {
  if (configuredPath === 'off') return { status: 'off' }
  const ffmpegPath = configuredPath ?? findProgram('ffmpeg', folders)
  if (!ffmpegPath || !existsSync(ffmpegPath)) return { status: 'missing' }
  const siblingFfprobePath = join(dirname(ffmpegPath), 'ffprobe')
  const ffprobePath = existsSync(siblingFfprobePath) ? siblingFfprobePath : findProgram('ffprobe', folders)
  if (!ffprobePath) return { status: 'missing' }
  try {
    const version = parseVersion(await readCommandOutput(ffmpegPath, ['-version']))
    if (!isSupportedFfmpegVersion(version)) return { status: 'outdated', version }
    const [encoders, filters] = await Promise.all([
      readCommandOutput(ffmpegPath, ['-hide_banner', '-encoders']),
      readCommandOutput(ffmpegPath, ['-hide_banner', '-filters']),
    ])
    const ffmpeg: Ffmpeg = {
      ffmpegPath,
      ffprobePath,
      version,
      encoders: parseListedNames(encoders),
      filters: parseListedNames(filters),
      probeTimeoutMs: PROBE_TIMEOUT_MS,
    }
    return { status: 'available', ffmpeg }
  } catch {
    return { status: 'missing' }
  }
}

const findProgram = (programName: string, folders: readonly string[]) =>
  folders.map((folder) => join(folder, programName)).find((path) => existsSync(path))

async function readCommandOutput(path: string, commandArguments: string[]): Promise<string> {
  const { stdout } = await runFile(path, commandArguments, {
    timeout: COMMAND_TIMEOUT_MS,
    maxBuffer: 4 * 1024 * 1024,
  })
  return stdout
}

/**
 * Returns `5.1.9` for `ffmpeg version 5.1.9-0+deb12u1 …`, `N-…` for builds from the development branch, and `unknown`
 * for other texts.
 */
function parseVersion(output: string): string {
  return /^ffmpeg version n?(\d+(?:\.\d+)*|N-\S+)/.exec(output)?.[1] ?? 'unknown'
}

/**
 * True if the version is at least MIN_FFMPEG_VERSION. Builds from the development branch have no version number and
 * count as supported.
 */
export function isSupportedFfmpegVersion(version: string): boolean {
  if (version.startsWith('N-')) return true
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [minMajor, minMinor] = MIN_FFMPEG_VERSION
  return major > minMajor || (major === minMajor && minor >= minMinor)
}

/** Returns the names in the output of `-encoders` or `-filters`. A line consists of flags, a name and a description. */
function parseListedNames(output: string): Set<string> {
  return new Set([...output.matchAll(/^ [A-Z.|]{2,6} ([\w-]+)/gm)].map(([, name = '']) => name))
}
