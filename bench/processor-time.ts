/**
 * Reads the processor time of this process, of another process and of the machine. Other load on the machine
 * changes durations more than processor time.
 */
import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Length of a clock tick, the time unit of `/proc` on Linux: USER_HZ is 100 on all common architectures. */
const TICK_MS = 10

/**
 * Starts a timer. The returned function returns the user and system time in ms that this process has used since the
 * start.
 */
export function startCpuTimer(): () => number {
  const startUsage = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(startUsage)
    return (user + system) / 1_000
  }
}

/**
 * Returns the user and system time in ms of a process and its terminated children; 0 if the process is gone. Linux
 * only.
 */
export function readProcessCpuMs(pid: number): number {
  return sum(readCpuFieldsMs(pid))
}

/** Returns the user and system time in ms of the terminated children of this process. Linux only; elsewhere 0. */
export function readTerminatedChildrenCpuMs(): number {
  return sum(readCpuFieldsMs(process.pid).slice(2))
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

/**
 * Returns the fields 14 to 17 of proc_pid_stat(5) in ms: user and system time of the process, and user and system time
 * of its terminated children. Returns an empty list if the process is gone, or if the system has no `/proc`.
 */
function readCpuFieldsMs(pid: number): number[] {
  let statText: string
  try {
    statText = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return []
  }
  // The second field is a name in brackets that may contain spaces and brackets.
  const statFields = statText.replace(/^.*\) /s, '').split(' ')
  return statFields.slice(11, 15).map((field) => Number(field) * TICK_MS)
}

interface MachineCpuTimes {
  /** Busy time, without I/O wait and without the time that other virtual machines took (steal). */
  busyMs: number
  idleMs: number
}

/** Returns the sums of the busy time and of the idle time of all cores in ms, since the machine started. */
export function readMachineCpuTimes(): MachineCpuTimes {
  // Soft interrupts, which handle network packets, are missing in the times of `cpus()`.
  if (existsSync('/proc/stat')) return parseProcStat(readFileSync('/proc/stat', 'utf8'))
  const cpuTimes = cpus().map((processor) => processor.times)
  return {
    busyMs: cpuTimes.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, 0),
    idleMs: cpuTimes.reduce((sum, { idle }) => sum + idle, 0),
  }
}

/** The first line of `/proc/stat` is the sum of all cores: user, nice, system, idle, iowait, irq, softirq. */
function parseProcStat(statText: string): MachineCpuTimes {
  const [cpuLine = ''] = statText.split('\n')
  const [user = 0, nice = 0, system = 0, idle = 0, , irq = 0, softirq = 0] = cpuLine
    .split(/\s+/)
    .slice(1)
    .map((tickText) => Number(tickText) * TICK_MS)
  return { busyMs: user + nice + system + irq + softirq, idleMs: idle }
}
