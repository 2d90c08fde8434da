/** Tells whether other processes disturb a measurement. */
import { cpus, loadavg } from 'node:os'

/** With more than this, figures depend on the other processes. The kernel's own work for files takes less. */
const MAX_OTHER_CORES = 0.25

export interface MachineLoad {
  /** Cores that other processes used on average. */
  otherCores: number
  isBusy: boolean
  text: string
}

/** Returns the time in which all cores worked, in ms. */
const readBusyMs = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0)

/** Returns a function that reports the load of the machine since the start. */
export function startLoadMeter(): () => MachineLoad {
  const [startMs, startBusyMs, startUsage] = [performance.now(), readBusyMs(), process.cpuUsage()]
  return () => {
    const usage = process.cpuUsage(startUsage)
    const otherMs = readBusyMs() - startBusyMs - (usage.user + usage.system) / 1_000
    const otherCores = Math.max(0, otherMs / (performance.now() - startMs))
    return {
      otherCores,
      isBusy: otherCores > MAX_OTHER_CORES,
      text: `load average ${loadavg()[0]?.toFixed(1)}, other processes used ${otherCores.toFixed(2)} cores`,
    }
  }
}
