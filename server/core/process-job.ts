/**
 * Runs a job in a child process of its own. Unlike a worker thread, a process returns all its memory to the system when it ends:
 * the allocator of this process would keep several hundred megabytes after a job at a million titles.
 */
import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

/**
 * The messages of a child process. `node --watch` sends its own messages through the same channel; they have neither field and
 * are ignored.
 */
interface JobMessage<Result, Progress> {
  marqueeResult?: { value: Result } | { error: string }
  marqueeProgress?: Progress
}

export interface ProcessJob<Result> {
  /** Rejects with the message of the error in the process, or when the process ends without a result. */
  result: Promise<Result>
  /** Kills the process if it is running, and resolves when it has ended. */
  stop: () => Promise<void>
}

/**
 * Starts the module `file`, which calls `runProcessJob`, in a child process. `job` is any value that can be structured-cloned.
 * `onProgress` receives what the process reports.
 */
export function startProcessJob<Result, Progress = never>(
  file: URL,
  job: unknown,
  onProgress: (progress: Progress) => void = () => {},
): ProcessJob<Result> {
  const child = fork(fileURLToPath(file), { serialization: 'advanced' })
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const result = new Promise<Result>((resolve, reject) => {
    child.on('message', ({ marqueeResult, marqueeProgress }: JobMessage<Result, Progress>) => {
      if (marqueeProgress !== undefined) onProgress(marqueeProgress)
      if (!marqueeResult) return
      if ('error' in marqueeResult) reject(new Error(marqueeResult.error))
      else resolve(marqueeResult.value)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`The process exited without a result (code ${code}).`)))
    child.send(job as object, (error) => error && reject(error))
  })
  return {
    result,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/**
 * Runs the job of this child process with low priority, sends the result to the parent, and exits. `run` gets a function that
 * reports progress.
 */
export function runProcessJob<Job, Result, Progress = never>(
  run: (job: Job, reportProgress: (progress: Progress) => void) => Promise<Result>,
): void {
  setPriority(10)
  const send = (message: JobMessage<Result, Progress>) =>
    new Promise<void>((resolve) => {
      if (process.send) process.send(message, () => resolve())
      else resolve()
    })
  // The server has ended, so nobody would use the result.
  process.once('disconnect', () => process.exit(1))
  process.once('message', async (job: Job) => {
    const marqueeResult = await run(job, (marqueeProgress) => void send({ marqueeProgress }))
      .then((value) => ({ value }))
      .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
    await send({ marqueeResult })
    process.exit(0)
  })
}
