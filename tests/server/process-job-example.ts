/** The module that process-job.test.ts runs in a child process. */
import { getPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { runProcessJob } from '../../server/core/process-job.ts'

interface ExampleJob {
  kind: 'double' | 'fail' | 'exit' | 'wait' | 'priority'
  values: Float32Array
}

runProcessJob<ExampleJob, unknown, object>(async ({ kind, values }, reportProgress) => {
  if (kind === 'fail') throw new Error('no such database')
  if (kind === 'exit') process.exit(7)
  if (kind === 'priority') return getPriority()
  if (kind === 'wait') {
    reportProgress({ pid: process.pid })
    await pause(60_000)
  }
  reportProgress({ done: 1 })
  return values.map((value) => 2 * value)
})
