/**
 * Samples how busy the machine is with other work. The benchmark does nothing during a sample, because its browser
 * would count as other work. Benchmarks without a browser use machine-load.ts.
 */
import { cpus, loadavg } from 'node:os'
import { readMachineCpuTimes } from './processor-time.ts'
import { getQuantile } from './statistics.ts'

/**
 * Limit of the busy fraction of the machine. Above this limit, other processes slow the browser down too much, so a
 * missed target does not make a benchmark fail.
 */
const MAX_BUSY_FRACTION = 0.15
const SAMPLE_DURATION_MS = 250

const busyFractions: number[] = []

/** Records the busy fraction of the processors during SAMPLE_DURATION_MS. The benchmark must be idle in this time. */
export async function sampleMachineLoad(): Promise<void> {
  const cpuTimesBefore = readMachineCpuTimes()
  await new Promise((resolve) => setTimeout(resolve, SAMPLE_DURATION_MS))
  const cpuTimesAfter = readMachineCpuTimes()
  const [busyMs, idleMs] = [
    cpuTimesAfter.busyMs - cpuTimesBefore.busyMs,
    cpuTimesAfter.idleMs - cpuTimesBefore.idleMs,
  ]
  busyFractions.push(busyMs / Math.max(1, busyMs + idleMs))
}

/** Prints the load of the machine during the benchmark. Returns false if the machine was too busy for a verdict. */
export function reportMachineLoad(): boolean {
  const busyFraction = getQuantile(busyFractions, 0.75)
  const isMachineQuiet = busyFraction <= MAX_BUSY_FRACTION
  process.stdout.write(
    `machine: load average ${loadavg()[0]?.toFixed(2)}, other processes use ${Math.round(busyFraction * 100)} % of ${cpus().length} processors (third quartile of ${busyFractions.length} samples)${isMachineQuiet ? '' : ': too busy, so there is no verdict'}\n`,
  )
  return isMachineQuiet
}
