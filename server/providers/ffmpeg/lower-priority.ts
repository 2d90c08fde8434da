import type { ChildProcess } from 'node:child_process'
import { setPriority } from 'node:os'

/** Gives a process a lower priority (`niceValue`), so that it does not slow down the server. Never throws. */
export function lowerPriority({ pid }: ChildProcess, niceValue: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceValue)
  } catch {
    // The process has already ended, or the system does not allow a change of its priority.
  }
}
