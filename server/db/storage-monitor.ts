/** Records whether writes to the database fail because the disk is full, fails or is read-only. */
import { isStorageFault } from '../core/database-unavailable.ts'

const PROBE_INTERVAL_MS = 2_000
/** A fault within this time after a recovery is not reported, because writes to a nearly full disk fail repeatedly. */
const FAULT_REPEAT_INTERVAL_MS = 60_000

export interface StorageMonitor {
  /** The error of the first write that failed; null while writes succeed. */
  getFault(): Error | null
  /** Receives every database error. Ignores errors that are not storage faults. */
  observe(error: unknown): void
  /**
   * Called with the error when writes start to fail, and with null when they succeed again. Not called for the start or
   * the end of a fault that starts within FAULT_REPEAT_INTERVAL_MS after a recovery.
   */
  report: (fault: Error | null) => void
  stop(): void
}

/**
 * Creates a storage monitor. While writes fail, the monitor calls `probe` at intervals until `probe` succeeds. `probe`
 * must write to the database.
 */
export function createStorageMonitor(probe: () => Promise<void>): StorageMonitor {
  let fault: Error | null = null
  let isFaultReported = false
  let recoveredAtMs = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const probeAgainLater = () => {
    timer = setTimeout(endFaultWhenWritable, PROBE_INTERVAL_MS)
    timer.unref()
  }
  const endFaultWhenWritable = async () => {
    const isWritable = await probe().then(
      () => true,
      () => false,
    )
    if (!isWritable) return timer && probeAgainLater()
    fault = null
    recoveredAtMs = performance.now()
    if (isFaultReported) monitor.report(null)
  }
  const monitor: StorageMonitor = {
    getFault: () => fault,
    observe(error) {
      if (fault || !isStorageFault(error)) return
      fault = error as Error
      isFaultReported = performance.now() - recoveredAtMs > FAULT_REPEAT_INTERVAL_MS
      if (isFaultReported) monitor.report(fault)
      probeAgainLater()
    },
    report: () => {},
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
  return monitor
}
