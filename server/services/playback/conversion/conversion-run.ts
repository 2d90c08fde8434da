/** A run is one process of ffmpeg. It produces the segments of a stream in order, from a given segment on. */
import type { ChildProcess } from 'node:child_process'
import { TIME_OFFSET_SECONDS } from '../../../providers/ffmpeg/conversion-arguments.ts'
import { readFragments } from '../../../providers/ffmpeg/fragments.ts'
import { GrowingBuffer } from '../../../providers/ffmpeg/growing-buffer.ts'
import { lowerPriority } from '../../../providers/ffmpeg/lower-priority.ts'
import {
  type OutputProcess,
  SYSTEM_KILL_SIGNALS,
  spawnWithOutput,
} from '../../../providers/ffmpeg/output-pipe.ts'
import { findSegmentIndex, type SegmentTimes } from './segments.ts'

/**
 * `finished`: ffmpeg has reached the end of the file, or a damaged part after at least one segment. `failed`: ffmpeg
 * cannot convert the file. `interrupted`: the system killed the process or could not store a segment, so another run
 * may be able to convert the file.
 */
type ConversionResult = 'finished' | 'failed' | 'interrupted'
export interface ConversionRun {
  startIndex: number
  /** Index of the segment that is being produced. */
  getCurrentSegmentIndex: () => number
  /** Result of the run; null while its process runs. */
  getResult: () => ConversionResult | null
  /** Returns the error output of ffmpeg, for the log. */
  getErrorText: () => string
  /** Ends the process immediately. */
  stop: () => void
  /** Resolves when the process has ended and its last segment is stored. */
  endedPromise: Promise<void>
}
interface ConversionRunOptions {
  ffmpegPath: string
  ffmpegArguments: string[]
  segmentTimes: SegmentTimes
  startIndex: number
  storeInitialization: (bytes: Buffer) => Promise<void>
  /** The bytes are overwritten after the promise resolves. */
  storeSegment: (index: number, bytes: Buffer) => Promise<void>
  /** Resolves when the segment may be produced. The run waits while it is far enough ahead of the viewer. */
  waitForDemand: (segmentIndex: number) => Promise<void>
  /** Called as soon as the run has a result, before other code can read `getResult()`. */
  onEnd: () => void
}

const MAX_ERROR_TEXT_LENGTH = 2_000
/**
 * Priority (nice value) of ffmpeg after its first segment, so that requests to the server are handled first.
 * The first segment is produced with the default priority, because a viewer waits for it.
 */
const PROCESS_PRIORITY = 5
/** Size of a segment with 4 seconds of 1080p video at 8 Mbit/s. The buffer grows for larger segments. */
const INITIAL_SEGMENT_BYTES = 4 * 1024 * 1024

export function startConversionRun(options: ConversionRunOptions): ConversionRun {
  const { startIndex } = options
  const runState: ConversionRunState = {
    currentIndex: startIndex,
    result: null,
    isStopped: false,
    errorText: '',
    child: null,
  }
  const stopRun = () => {
    runState.isStopped = true
    runState.child?.kill('SIGKILL')
  }
  const runEndedPromise = runConversion(options, runState, stopRun).then((result) => {
    runState.result = result
    options.onEnd()
  })
  return {
    startIndex,
    getCurrentSegmentIndex: () => runState.currentIndex,
    getResult: () => runState.result,
    getErrorText: () => runState.errorText,
    stop: stopRun,
    endedPromise: runEndedPromise,
  }
}

interface ConversionRunState {
  currentIndex: number
  result: ConversionResult | null
  isStopped: boolean
  errorText: string
  child: ChildProcess | null
}

async function runConversion(
  options: ConversionRunOptions,
  runState: ConversionRunState,
  stopRun: () => void,
): Promise<ConversionResult> {
  const ffmpegProcess = await spawnWithOutput(options.ffmpegPath, options.ffmpegArguments).catch(
    (error: unknown) => {
      runState.errorText += String(error)
      return null
    },
  )
  if (!ffmpegProcess) return 'failed'
  const { child, output, exitPromise } = ffmpegProcess
  runState.child = child
  if (runState.isStopped) stopRun()
  child.stderr?.on('data', (chunk: Buffer) => {
    runState.errorText = (runState.errorText + chunk.toString('utf8')).slice(-MAX_ERROR_TEXT_LENGTH)
  })
  try {
    const segmentCount = await produceSegments({ output, exitPromise }, options, runState)
    const processExit = await exitPromise
    if (processExit instanceof Error) runState.errorText += processExit.message
    if (SYSTEM_KILL_SIGNALS.has(processExit)) return 'interrupted'
    // For a damaged file, ffmpeg exits with an error although it has converted everything before the damage.
    return processExit === 0 || segmentCount > 0 ? 'finished' : 'failed'
  } catch (error) {
    runState.errorText += String(error)
    stopRun()
    await exitPromise
    return isSystemError(error) ? 'interrupted' : 'failed'
  }
}

/** True for errors of the system, such as a full disk. */
const isSystemError = (error: unknown) => error instanceof Error && 'errno' in error

/**
 * Reads the output of ffmpeg, stores its segments, and returns their number. While this function does not read the
 * output, the pipe is full and ffmpeg pauses.
 */
async function produceSegments(
  { output, exitPromise }: Pick<OutputProcess, 'output' | 'exitPromise'>,
  { segmentTimes, startIndex, storeInitialization, storeSegment, waitForDemand }: ConversionRunOptions,
  runState: ConversionRunState,
): Promise<number> {
  const segment = new GrowingBuffer(INITIAL_SEGMENT_BYTES)
  let segmentCount = 0
  const completeSegment = async () => {
    if (segment.bytes.length === 0 || runState.isStopped) return
    await storeSegment(runState.currentIndex, segment.bytes)
    segment.clear()
    if (segmentCount === 0 && runState.child) lowerPriority(runState.child, PROCESS_PRIORITY)
    segmentCount += 1
  }
  for await (const event of readFragments(output)) {
    if (runState.isStopped) break
    if (event.kind === 'initialization') {
      await storeInitialization(event.bytes)
      continue
    }
    const segmentIndex = event.isVideo
      ? findSegmentIndex(segmentTimes, event.startSeconds - TIME_OFFSET_SECONDS)
      : runState.currentIndex
    if (segmentIndex < startIndex) continue
    if (segmentIndex > runState.currentIndex) {
      await completeSegment()
      runState.currentIndex = segmentIndex
      await waitForDemand(segmentIndex)
    }
    segment.append(event.bytes)
  }
  // The last segment of a killed process is incomplete and is not stored.
  if (!SYSTEM_KILL_SIGNALS.has(await exitPromise)) await completeSegment()
  return segmentCount
}
