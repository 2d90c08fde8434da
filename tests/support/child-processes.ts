/** Lists child processes with `pgrep`. */
import { spawnSync } from 'node:child_process'

/** Returns the process ids of the direct children of `pid`. */
export const listChildProcessIds = (pid: number): number[] =>
  spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean)
    .map(Number)
