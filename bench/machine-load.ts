/** Measures how many cores other processes use during a benchmark. */
import { loadavg } from 'node:os'
import {
  readMachineCpuTimes,
  readProcessCpuMs,
  readTerminatedChildrenCpuMs,
  startCpuTimer,
} from './processor-time.ts'

/**
 * Highest average number of cores that other processes may use. Above this limit, figures are not reliable. The work of
 * the kernel on files counts as work of other processes, but stays below this limit.
 */
const MAX_CORES_USED_BY_OTHERS = 0.25

export interface MachineLoad {
  /** Cores that other processes used on average. */
  coresUsedByOthers: number
  isBusy: boolean
  summary: string
}

/**
 * Returns a function that reports the load of the machine since the call of `startLoadMeter`. Child processes that have
 * ended, and the processes of `listOwnPids`, for example those of a database server, count as part of the benchmark.
 */
export function startLoadMeter(listOwnPids: () => number[] = () => []): () => MachineLoad {
  const [startMs, startBusyMs] = [performance.now(), readMachineCpuTimes().busyMs]
  const readCpuMs = startCpuTimer()
  const startChildrenCpuMs = readTerminatedChildrenCpuMs()
  const startCpuMsByPid = new Map(listOwnPids().map((pid) => [pid, readProcessCpuMs(pid)]))
  const readOwnProcessesCpuMs = () =>
    listOwnPids().reduce((sum, pid) => sum + readProcessCpuMs(pid) - (startCpuMsByPid.get(pid) ?? 0), 0)
  return () => {
    const childrenCpuMs = readTerminatedChildrenCpuMs() - startChildrenCpuMs
    const ownCpuMs = readCpuMs() + childrenCpuMs + readOwnProcessesCpuMs()
    const otherCpuMs = readMachineCpuTimes().busyMs - startBusyMs - ownCpuMs
    const coresUsedByOthers = Math.max(0, otherCpuMs / (performance.now() - startMs))
    return {
      coresUsedByOthers,
      isBusy: coresUsedByOthers > MAX_CORES_USED_BY_OTHERS,
      summary: `load average ${loadavg()[0]?.toFixed(1)}, other processes used ${coresUsedByOthers.toFixed(2)} cores`,
    }
  }
}
