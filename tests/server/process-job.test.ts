/**
 * Jobs in a child process. The parent must receive the result of the job.
 * Under `node --watch`, the child also sends messages of Node.js to the parent, which the parent must ignore.
 */
import { getPriority } from 'node:os'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startProcessJob } from '../../server/core/process-job.ts'
import { isProcessRunning } from '../../server/core/process-liveness.ts'

const moduleUrl = new URL('./process-job-example.ts', import.meta.url)

afterEach(() => vi.unstubAllEnvs())

describe('a job in a child process', () => {
  it('returns the result after the progress reports', async () => {
    const reports: unknown[] = []
    const { result } = startProcessJob(
      moduleUrl,
      { kind: 'double', values: new Float32Array([1.5]) },
      (report) => reports.push(report),
    )
    expect(await result).toEqual(new Float32Array([3]))
    expect(reports).toEqual([{ done: 1 }])
  })

  it('rejects with the error message of the job', async () => {
    await expect(startProcessJob(moduleUrl, { kind: 'fail' }).result).rejects.toThrow('no such database')
  })

  it('rejects when its process exits without a result', async () => {
    await expect(startProcessJob(moduleUrl, { kind: 'exit' }).result).rejects.toThrow(
      'without a result (code 7)',
    )
  })

  it('rejects when its module does not exist', async () => {
    const { result } = startProcessJob(new URL('./no-such-module.ts', import.meta.url), {})
    await expect(result).rejects.toThrow()
  })

  it('leaves no process after the job was stopped', async () => {
    const pids: number[] = []
    const { result, stop } = startProcessJob<never, { pid: number }>(moduleUrl, { kind: 'wait' }, ({ pid }) =>
      pids.push(pid),
    )
    const rejection = expect(result).rejects.toThrow('without a result')
    await vi.waitUntil(() => pids.length > 0, { timeout: 20_000 })
    await stop()
    await rejection
    expect(isProcessRunning(pids[0] as number)).toBe(false)
  })

  it('runs with a lower priority than the server', async () => {
    expect(await startProcessJob<number>(moduleUrl, { kind: 'priority' }).result).toBeGreaterThan(
      getPriority(),
    )
  })

  it('returns its result under node --watch, which reports every module that the process loads', async () => {
    vi.stubEnv('WATCH_REPORT_DEPENDENCIES', '1')
    const { result } = startProcessJob(moduleUrl, { kind: 'double', values: new Float32Array([2]) })
    expect(await result).toEqual(new Float32Array([4]))
  })
})
