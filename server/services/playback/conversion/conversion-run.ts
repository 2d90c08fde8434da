/** One process of ffmpeg, which produces the segments of a stream one after the other from a given segment on. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { TIME_OFFSET_SECONDS } from '../../../providers/ffmpeg/conversion-arguments.ts'
import { readFragments } from '../../../providers/ffmpeg/fragments.ts'
import { findSegment, type SegmentTimes } from './segments.ts'

export interface ConversionRun {
  startIndex: number
  /** Segment that is being produced. */
  currentIndex: () => number
  /** Null while the process runs; `finished` at the end of the file, `failed` when the process reports an error. */
  result: () => 'finished' | 'failed' | null
  /** What ffmpeg reported, for the log. */
  getErrorText: () => string
  /** Ends the process at once. */
  stop: () => void
  /** Resolves when the process has ended and its last segment is stored. */
  ended: Promise<void>
}
interface ConversionRunOptions {
  ffmpegPath: string
  args: string[]
  times: SegmentTimes
  startIndex: number
  storeInitialization: (bytes: Buffer) => Promise<void>
  storeSegment: (index: number, bytes: Buffer) => Promise<void>
  /** Resolves when the segment may be produced: while the run is far enough ahead of the viewer, it waits. */
  waitForDemand: (index: number) => Promise<void>
}

const MAX_ERROR_TEXT_LENGTH = 2_000
/** Conversions yield to the requests of the server. */
const PROCESS_PRIORITY = 5

export function startConversionRun(options: ConversionRunOptions): ConversionRun {
  const { ffmpegPath, args, startIndex } = options
  const child = spawn(ffmpegPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const state = { currentIndex: startIndex, result: null as 'finished' | 'failed' | null, isStopped: false }
  let errorText = ''
  lowerPriority(child)
  child.stderr?.on('data', (chunk: Buffer) => {
    errorText = (errorText + chunk.toString('utf8')).slice(-MAX_ERROR_TEXT_LENGTH)
  })
  const exited = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
    child.once('error', (error) => {
      errorText += error.message
      resolve(null)
    })
  })
  const stop = () => {
    state.isStopped = true
    child.kill('SIGKILL')
  }
  const produced = produceSegments(child, options, state).catch((error: unknown) => {
    errorText += String(error)
    stop()
    return 0
  })
  const ended = Promise.all([produced, exited]).then(([segmentCount, exitCode]) => {
    // Damaged files end with an error although everything before the damage was converted.
    state.result = exitCode === 0 || (segmentCount > 0 && !state.isStopped) ? 'finished' : 'failed'
  })
  return {
    startIndex,
    currentIndex: () => state.currentIndex,
    result: () => state.result,
    getErrorText: () => errorText,
    stop,
    ended,
  }
}

/** Returns the number of stored segments. Not reading the output pauses ffmpeg, because the pipe is then full. */
async function produceSegments(
  child: ChildProcess,
  { times, startIndex, storeInitialization, storeSegment, waitForDemand }: ConversionRunOptions,
  state: { currentIndex: number; isStopped: boolean },
): Promise<number> {
  let fragments: Buffer[] = []
  let segmentCount = 0
  const completeSegment = async () => {
    if (fragments.length === 0 || state.isStopped) return
    const bytes = Buffer.concat(fragments)
    fragments = []
    await storeSegment(state.currentIndex, bytes)
    segmentCount += 1
  }
  if (!child.stdout) return 0
  for await (const event of readFragments(child.stdout)) {
    if (state.isStopped) break
    if (event.kind === 'initialization') {
      await storeInitialization(event.bytes)
      continue
    }
    const index = event.isVideo
      ? findSegment(times, event.startSeconds - TIME_OFFSET_SECONDS)
      : state.currentIndex
    if (index < startIndex) continue
    if (index > state.currentIndex) {
      await completeSegment()
      state.currentIndex = index
      await waitForDemand(index)
    }
    fragments.push(event.bytes)
  }
  await completeSegment()
  return segmentCount
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, PROCESS_PRIORITY)
  } catch {
    // The process has ended already, or the system does not allow it.
  }
}
