/**
 * A converted stream of one viewer. Its segments are produced when they are requested. A run of ffmpeg
 * produces one segment after the other and waits when it is far ahead of the viewer. When the viewer seeks
 * elsewhere, a new run replaces the current run.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildConversionArguments } from '../../../providers/ffmpeg/conversion-arguments.ts'
import { chooseEntryPoint } from '../../../providers/ffmpeg/scan-keyframes.ts'
import type { WatchIdentity } from '../watch-access.ts'
import { ConversionFailure } from './conversion-failure.ts'
import type { ConversionSessionOptions } from './conversion-options.ts'
import type { ConversionPlan } from './conversion-plan.ts'
import { type ConversionRun, startConversionRun } from './conversion-run.ts'
import { ENCODED_SEGMENT_SECONDS, getSegmentEndSeconds, type SegmentTimes } from './segments.ts'

/** Distance from the segment requested last at which a run waits. */
const MAX_RUN_AHEAD_SECONDS = 90
/**
 * If a requested segment is at most this far ahead of a run, waiting for the run is faster than starting a
 * new run.
 */
const MAX_WAIT_AHEAD_SECONDS = 12
/**
 * Time before the requested segment for which segments stay stored, so that short seeks back need no new run. Earlier
 * segments are deleted.
 */
const KEPT_BEHIND_SECONDS = 60
const SEGMENT_TIMEOUT_MS = 30_000
const [COPY_PREROLL_SECONDS, ENCODE_PREROLL_SECONDS] = [12, 3]

export class ConversionSession {
  readonly key: string
  readonly path: string
  readonly fileVersion: ConversionSessionOptions['fileVersion']
  readonly segmentTimes: SegmentTimes
  readonly plan: ConversionPlan
  readonly watchIdentity: WatchIdentity
  readonly startedAtMs: number
  /** Time of `monotonicNow()` at the last request. */
  lastRequestMonotonicMs: number

  readonly #options: ConversionSessionOptions
  /** Sizes of the stored segments in bytes, by index. */
  readonly #segmentSizesBytes = new Map<number, number>()
  /**
   * Indexes of segments that the file does not contain, because the file is damaged or shorter than its header
   * says.
   */
  readonly #missingIndexes = new Set<number>()
  readonly #folderPromise: Promise<unknown>
  #wantedIndex = 0
  /**
   * Number of segment requests. Only the latest request may start a run, because a player that seeks abandons
   * its earlier requests.
   */
  #requestCount = 0
  #run: ConversionRun | null = null
  #encoderIndex = 0
  #hasInitialization = false
  #hasRetried = false
  #isEnded = false
  /**
   * Callbacks of waiting requests, and of a run that waits until the viewer needs more segments. They are called when a
   * segment was stored, another segment was requested, or the run or the session has ended.
   */
  #waiters: (() => void)[] = []

  constructor(options: ConversionSessionOptions) {
    const { key, path, fileVersion, source, plan, watchIdentity, folder, now } = options
    this.key = key
    this.path = path
    this.fileVersion = fileVersion
    this.segmentTimes = source.segmentTimes
    this.plan = plan
    this.watchIdentity = watchIdentity
    this.startedAtMs = now()
    this.lastRequestMonotonicMs = options.monotonicNow()
    this.#options = options
    this.#folderPromise = mkdir(folder, { recursive: true })
    this.#folderPromise.catch(() => {})
  }

  getEncoderName(): string | null {
    return this.#options.source.encoders[this.#encoderIndex]?.name ?? null
  }

  /**
   * Starts a run for the segment that the player will request after the playlist. Does nothing if a run was
   * started before.
   */
  prepare(startIndex: number): void {
    if (this.#run || this.#isEnded) return
    this.#wantedIndex = startIndex
    this.#startRequestedRun(startIndex)
  }

  /**
   * Returns the path of the initialisation segment; null when `startIndex` is beyond the last segment. `startIndex` is
   * the index of the segment that the player will request next. Throws `ConversionFailure` when the run fails or takes
   * too long, or when the session has ended.
   */
  async getInitialization(startIndex: number): Promise<string | null> {
    this.lastRequestMonotonicMs = this.#options.monotonicNow()
    if (!this.#hasSegment(startIndex)) return null
    if (this.#hasInitialization) return this.#getInitializationPath()
    this.#wantedIndex = startIndex
    if (this.#run?.getResult() !== null) this.#startRequestedRun(startIndex)
    if (!(await this.#waitUntil(() => this.#hasInitialization)))
      throw new ConversionFailure('failed', this.#run?.getErrorText())
    return this.#getInitializationPath()
  }

  /**
   * Returns the path of a segment; null when the file does not contain the segment, or when it is beyond the last
   * segment. Throws `ConversionFailure` when the run fails or takes too long, when the session has ended, or when the
   * player has requested another segment meanwhile.
   */
  async getSegment(segmentIndex: number): Promise<string | null> {
    this.lastRequestMonotonicMs = this.#options.monotonicNow()
    if (!this.#hasSegment(segmentIndex) || this.#missingIndexes.has(segmentIndex)) return null
    this.#wantedIndex = segmentIndex
    this.#requestCount += 1
    const requestNumber = this.#requestCount
    this.#notify()
    void this.#removeSegmentsBehind(segmentIndex)
    while (!this.#segmentSizesBytes.has(segmentIndex)) {
      this.#requireRun(segmentIndex)
      if (await this.#waitUntil(() => this.#segmentSizesBytes.has(segmentIndex), segmentIndex)) break
      if (requestNumber !== this.#requestCount) throw new ConversionFailure('ended')
      if (this.#run?.startIndex === segmentIndex) {
        this.#missingIndexes.add(segmentIndex)
        return null
      }
    }
    return this.#getSegmentPath(segmentIndex)
  }

  /** Stops the process of the session and deletes its segments. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#run?.stop()
    this.#notify()
    await this.#folderPromise.catch(() => {})
    await this.#run?.endedPromise
    await rm(this.#options.folder, { recursive: true, force: true })
  }

  #getInitializationPath = () => join(this.#options.folder, 'init.mp4')
  #getSegmentPath = (index: number) => join(this.#options.folder, `${index}.m4s`)
  #hasSegment = (index: number) => index < this.segmentTimes.startsSeconds.length
  #getStart = (index: number) => this.segmentTimes.startsSeconds[index] ?? 0

  #notify(): void {
    const waiters = this.#waiters
    this.#waiters = []
    for (const resolve of waiters) resolve()
  }

  #hasDemand(segmentIndex: number): boolean {
    if (segmentIndex <= this.#wantedIndex + 1) return true
    const storedBytes = [...this.#segmentSizesBytes.values()].reduce((sum, bytes) => sum + bytes, 0)
    const secondsAheadOfPlayer = this.#getStart(segmentIndex) - this.#getStart(this.#wantedIndex)
    return secondsAheadOfPlayer < MAX_RUN_AHEAD_SECONDS && storedBytes < this.#options.getMaxStoredBytes()
  }

  /** Starts a run unless the current run will reach the segment soon. */
  #requireRun(segmentIndex: number): void {
    const currentSegmentIndex = this.#run?.getCurrentSegmentIndex() ?? 0
    const secondsUntilSegment = this.#getStart(segmentIndex) - this.#getStart(currentSegmentIndex)
    const isSegmentExpectedSoon =
      this.#run?.getResult() === null &&
      segmentIndex >= currentSegmentIndex &&
      secondsUntilSegment <= MAX_WAIT_AHEAD_SECONDS
    if (!isSegmentExpectedSoon) this.#startRequestedRun(segmentIndex)
  }

  #startRequestedRun(startIndex: number): void {
    this.#hasRetried = false
    this.#startRun(startIndex)
  }

  #startRun(startIndex: number): void {
    this.#run?.stop()
    const isCurrentRun = () => !this.#isEnded && this.#run === run
    const run = startConversionRun({
      ffmpegPath: this.#options.source.ffmpeg.ffmpegPath,
      ffmpegArguments: this.#buildArguments(startIndex),
      segmentTimes: this.segmentTimes,
      startIndex,
      storeInitialization: async (bytes) => {
        if (this.#hasInitialization || !isCurrentRun()) return
        await this.#folderPromise
        await writeFile(this.#getInitializationPath(), bytes)
        this.#hasInitialization = true
        this.#notify()
      },
      storeSegment: async (index, bytes) => {
        if (!isCurrentRun()) return
        await writeFile(this.#getSegmentPath(index), bytes)
        this.#segmentSizesBytes.set(index, bytes.length)
        this.#hasRetried = false
        this.#notify()
      },
      waitForDemand: async (segmentIndex) => {
        while (isCurrentRun() && !this.#hasDemand(segmentIndex))
          await new Promise<void>((resolve) => this.#waiters.push(resolve))
      },
      onEnd: () => {
        if (!isCurrentRun()) return
        if (run.getResult() !== 'finished') this.#recover(run)
        this.#notify()
      },
    })
    this.#run = run
  }

  #buildArguments(startIndex: number): string[] {
    const { source, plan } = this.#options
    const encoder = source.encoders[this.#encoderIndex]
    const prerollSeconds = plan.maxHeightPixels === null ? COPY_PREROLL_SECONDS : ENCODE_PREROLL_SECONDS
    const { filters } = source.ffmpeg
    const startSeconds = this.#getStart(startIndex)
    return buildConversionArguments({
      path: source.realPath,
      startSeconds,
      entryPoint: source.entryPoints && chooseEntryPoint(source.entryPoints, startSeconds),
      prerollSeconds: source.needsPreroll ? prerollSeconds : 0,
      video: source.video,
      audio: source.audio,
      isAudioCopied: plan.isAudioCopied,
      encoding:
        plan.maxHeightPixels === null || !encoder
          ? null
          : {
              encoder,
              maxHeight: plan.maxHeightPixels,
              segmentSeconds: ENCODED_SEGMENT_SECONDS,
              hasZscale: filters.has('zscale') && filters.has('tonemap'),
              burntInSubtitleIndex: plan.burntInSubtitleIndex,
            },
    })
  }

  /**
   * Continues after a failed run. If ffmpeg failed and there is another encoder, starts a run with that encoder and a
   * new initialisation segment, because each encoder has its own parameters. In all other cases, starts a run with the
   * same encoder, because the system may have killed the process. If this run fails before it has stored a segment, no
   * further run starts.
   */
  #recover(failedRun: ConversionRun): void {
    const { encoders } = this.#options.source
    const encoder = encoders[this.#encoderIndex]
    const hasNextEncoder = this.#encoderIndex + 1 < encoders.length
    if (encoder && hasNextEncoder && failedRun.getResult() === 'failed') {
      this.#options.onEncoderFailure(encoder.name, failedRun.getErrorText())
      this.#encoderIndex += 1
      this.#hasInitialization = false
    } else if (this.#hasRetried) return
    else this.#hasRetried = true
    this.#startRun(failedRun.getCurrentSegmentIndex())
  }

  async #removeSegmentsBehind(segmentIndex: number): Promise<void> {
    const keptFromSeconds = this.#getStart(segmentIndex) - KEPT_BEHIND_SECONDS
    for (const storedIndex of [...this.#segmentSizesBytes.keys()]) {
      if (getSegmentEndSeconds(this.segmentTimes, storedIndex) >= keptFromSeconds) continue
      this.#segmentSizesBytes.delete(storedIndex)
      await rm(this.#getSegmentPath(storedIndex), { force: true })
    }
  }

  /**
   * Waits until `isReady` returns true. Returns false when the current run has reached the end of the file or has
   * passed the segment without producing it. Throws `ConversionFailure` when the run fails or takes too long, or
   * when the session has ended.
   */
  async #waitUntil(isReady: () => boolean, segmentIndex = Number.POSITIVE_INFINITY): Promise<boolean> {
    const deadlineMs = performance.now() + SEGMENT_TIMEOUT_MS
    while (!isReady()) {
      if (this.#isEnded) throw new ConversionFailure('ended')
      const runResult = this.#run?.getResult()
      if (runResult === 'failed' || runResult === 'interrupted')
        throw new ConversionFailure(runResult, this.#run?.getErrorText())
      if (runResult === 'finished' || (this.#run?.getCurrentSegmentIndex() ?? 0) > segmentIndex) return false
      const remainingMs = deadlineMs - performance.now()
      if (remainingMs <= 0) throw new ConversionFailure('timeout')
      await this.#waitForChange(remainingMs)
    }
    return true
  }

  #waitForChange(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#waiters.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}
