/**
 * A converted stream of one viewer. Its segments are produced when they are requested: a run of ffmpeg continues from
 * segment to segment, waits when it is far ahead of the viewer, and is replaced when the viewer seeks elsewhere.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeliveryReason } from '../../../../src/lib/contract/playback.ts'
import { buildConversionArguments } from '../../../providers/ffmpeg/conversion-arguments.ts'
import type { Encoder } from '../../../providers/ffmpeg/encoders.ts'
import type { Ffmpeg } from '../../../providers/ffmpeg/ffmpeg-binary.ts'
import type { AudioTrack, VideoTrack } from '../../../providers/ffmpeg/media-probe.ts'
import type { WatchIdentity } from '../watch-access.ts'
import type { ConversionPlan } from './conversion-plan.ts'
import { type ConversionRun, startConversionRun } from './conversion-run.ts'
import { ENCODED_SEGMENT_SECONDS, getSegmentEnd, type SegmentTimes } from './segments.ts'

export interface ConversionSource {
  ffmpeg: Ffmpeg
  realPath: string
  video: VideoTrack
  audio: AudioTrack | null
  times: SegmentTimes
  /** Encoders to try in this order; empty when the video is copied. */
  encoders: Encoder[]
  /** True when ffmpeg cannot seek precisely in the container. */
  needsPreroll: boolean
  reason?: DeliveryReason
}
export interface ConversionSession {
  key: string
  /** Path of the file relative to the media folder. */
  path: string
  plan: ConversionPlan
  watchIdentity: WatchIdentity
  startedAtMs: number
  lastRequestAtMs: () => number
  encoderName: () => string | null
  getStoredBytes: () => number
  isEnded: () => boolean
  /** Returns the path of the initialisation segment. `startIndex` is the segment that the player will request next. */
  getInitialization: (startIndex: number) => Promise<string>
  /** Returns the path of a segment; null when the file ends before it. Throws `ConversionFailure`. */
  getSegment: (index: number) => Promise<string | null>
  /** Ends the process and deletes the segments. */
  end: () => Promise<void>
}
/** `timeout`: the machine is too slow, or a part of the file is missing; `failed`: ffmpeg cannot convert the file. */
export class ConversionFailure extends Error {
  readonly code: 'timeout' | 'failed' | 'ended'
  constructor(code: ConversionFailure['code'], detail = '') {
    super(`conversion ${code} ${detail}`.trim())
    this.code = code
  }
}

/** A run waits when it is this far ahead of the segment requested last. */
const MAX_AHEAD_SECONDS = 90
/** A run that is this close to a requested segment reaches it sooner than a new run starts. */
const MAX_WAIT_AHEAD_SECONDS = 12
/** Segments this far behind the viewer are deleted; a short seek back is served from the disk. */
const KEPT_BEHIND_SECONDS = 60
const SEGMENT_TIMEOUT_MS = 30_000
const [COPY_PREROLL_SECONDS, ENCODE_PREROLL_SECONDS] = [12, 3]

export interface ConversionSessionOptions {
  key: string
  path: string
  plan: ConversionPlan
  watchIdentity: WatchIdentity
  folder: string
  source: ConversionSource
  now: () => number
  /** Maximum size of the stored segments. */
  maxBytes: number
  onEncoderFailure: (encoder: string, errorText: string) => void
}

export function createConversionSession(options: ConversionSessionOptions): ConversionSession {
  const { folder, source, plan, now } = options
  const { times } = source
  const stored = new Map<number, number>()
  const startedAtMs = now()
  let lastRequestAtMs = startedAtMs
  let wantedIndex = 0
  let run: ConversionRun | null = null
  let encoderIndex = 0
  let hasInitialization = false
  let isEnded = false
  /** Segments that the file does not contain, because it is damaged or shorter than its header says. */
  const missing = new Set<number>()
  let waiters: (() => void)[] = []
  const initializationPath = join(folder, 'init.mp4')
  const getSegmentPath = (index: number) => join(folder, `${index}.m4s`)
  const notify = () => {
    const resolvers = waiters
    waiters = []
    for (const resolve of resolvers) resolve()
  }
  const getStoredBytes = () => [...stored.values()].reduce((sum, bytes) => sum + bytes, 0)
  const ready = mkdir(folder, { recursive: true })

  const hasDemand = (index: number) => {
    const aheadSeconds = (times.starts[index] ?? 0) - (times.starts[wantedIndex] ?? 0)
    if (index <= wantedIndex + 1) return true
    return aheadSeconds < MAX_AHEAD_SECONDS && getStoredBytes() < options.maxBytes
  }

  function startRun(startIndex: number): void {
    const startSeconds = times.starts[startIndex] ?? 0
    const encoder = source.encoders[encoderIndex]
    const isCopied = plan.maxHeight === null
    run?.stop()
    const newRun = startConversionRun({
      ffmpegPath: source.ffmpeg.ffmpegPath,
      args: buildConversionArguments({
        path: source.realPath,
        startSeconds,
        prerollSeconds: source.needsPreroll ? (isCopied ? COPY_PREROLL_SECONDS : ENCODE_PREROLL_SECONDS) : 0,
        video: source.video,
        audio: source.audio,
        isAudioCopied: plan.isAudioCopied,
        encoding:
          plan.maxHeight === null || !encoder
            ? null
            : {
                encoder,
                maxHeight: plan.maxHeight,
                segmentSeconds: ENCODED_SEGMENT_SECONDS,
                hasZscale: source.ffmpeg.filters.has('zscale') && source.ffmpeg.filters.has('tonemap'),
              },
      }),
      times,
      startIndex,
      storeInitialization: async (bytes) => {
        if (hasInitialization || isEnded) return
        await ready
        await writeFile(initializationPath, bytes)
        hasInitialization = true
        notify()
      },
      storeSegment: async (index, bytes) => {
        if (isEnded || run !== newRun) return
        await writeFile(getSegmentPath(index), bytes)
        stored.set(index, bytes.length)
        notify()
      },
      waitForDemand: async (index) => {
        while (!isEnded && run === newRun && !hasDemand(index))
          await new Promise<void>((resolve) => waiters.push(resolve))
      },
    })
    run = newRun
    void newRun.ended.then(() => {
      if (run !== newRun || isEnded) return
      if (newRun.result() === 'failed') handleFailure(newRun)
      notify()
    })
  }

  /** Falls back to the next encoder when a device of the graphics hardware fails. */
  function handleFailure(failedRun: ConversionRun): void {
    const encoder = source.encoders[encoderIndex]
    if (!encoder || encoderIndex + 1 >= source.encoders.length) return
    options.onEncoderFailure(encoder.name, failedRun.getErrorText())
    encoderIndex += 1
    hasInitialization = false
    startRun(failedRun.currentIndex())
  }

  async function removeSegmentsBehind(index: number): Promise<void> {
    const keptFrom = (times.starts[index] ?? 0) - KEPT_BEHIND_SECONDS
    for (const storedIndex of [...stored.keys()]) {
      if (getSegmentEnd(times, storedIndex) >= keptFrom) continue
      stored.delete(storedIndex)
      await rm(getSegmentPath(storedIndex), { force: true })
    }
  }

  /** Starts a run unless the current one reaches the segment soon. */
  function requireRun(index: number): void {
    const current = run?.currentIndex() ?? 0
    const waitSeconds = (times.starts[index] ?? 0) - (times.starts[current] ?? 0)
    const isSoon = run?.result() === null && index >= current && waitSeconds <= MAX_WAIT_AHEAD_SECONDS
    if (!isSoon) startRun(index)
  }

  /** Returns false when the current run has ended or has passed the segment without producing it. */
  async function waitUntil(isReady: () => boolean, index = Number.POSITIVE_INFINITY): Promise<boolean> {
    const deadline = performance.now() + SEGMENT_TIMEOUT_MS
    while (!isReady()) {
      if (isEnded) throw new ConversionFailure('ended')
      if (run?.result() === 'failed') throw new ConversionFailure('failed', run.getErrorText())
      if (run?.result() === 'finished' || (run && run.currentIndex() > index)) return false
      const remainingMs = deadline - performance.now()
      if (remainingMs <= 0) throw new ConversionFailure('timeout')
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, remainingMs)
        waiters.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
    return true
  }

  return {
    key: options.key,
    path: options.path,
    plan,
    watchIdentity: options.watchIdentity,
    startedAtMs,
    lastRequestAtMs: () => lastRequestAtMs,
    encoderName: () => source.encoders[encoderIndex]?.name ?? null,
    getStoredBytes,
    isEnded: () => isEnded,
    async getInitialization(startIndex) {
      lastRequestAtMs = now()
      if (hasInitialization) return initializationPath
      wantedIndex = startIndex
      if (!run || run.result() !== null) startRun(startIndex)
      if (!(await waitUntil(() => hasInitialization)))
        throw new ConversionFailure('failed', run?.getErrorText())
      return initializationPath
    },
    async getSegment(index) {
      lastRequestAtMs = now()
      if (missing.has(index)) return null
      wantedIndex = index
      notify()
      void removeSegmentsBehind(index)
      while (!stored.has(index)) {
        requireRun(index)
        if (await waitUntil(() => stored.has(index), index)) break
        if (run?.startIndex === index) {
          missing.add(index)
          return null
        }
      }
      return getSegmentPath(index)
    },
    async end() {
      isEnded = true
      run?.stop()
      notify()
      await ready.catch(() => {})
      await run?.ended.catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}
