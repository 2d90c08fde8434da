/**
 * Runs a job in a child process of its own. The process returns all its memory to the system when it ends. After a
 * job with a million titles in a worker thread, the allocator of the server process would keep several hundred
 * megabytes.
 */
import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type ResultMessage, receiveWorkerResult } from './worker-message.ts'

/** The result of a job. A child process cannot throw an error in its parent, so it sends the message of the error. */
type ProcessOutcome<Result> = { value: Result } | { error: string }

interface ProgressMessage<Progress> {
  marqueeProgress: Progress
}

const isProgressMessage = <Progress>(message: unknown): message is ProgressMessage<Progress> =>
  typeof message === 'object' && message !== null && 'marqueeProgress' in message

export interface ProcessJob<Result> {
  /**
   * Resolves with the result of the job. Rejects with the message of the error that the job has thrown, or when the
   * process ends without a result.
   */
  result: Promise<Result>
  /** Kills the process if it is running, and resolves when it has ended. */
  stop: () => Promise<void>
}

/**
 * Starts the module `file`, which calls `runProcessJob`, in a child process. `job` is any value that can be
 * structured-cloned. `onProgress` receives each progress value that the process reports.
 */
export function startProcessJob<Result, Progress = never>(
  file: URL,
  job: unknown,
  onProgress: (progress: Progress) => void = () => {},
): ProcessJob<Result> {
  const childProcess = fork(fileURLToPath(file), {
    serialization: 'advanced',
    execArgv: getJobNodeArguments(),
  })
  const exitPromise = new Promise<void>((resolve) => {
    childProcess.once('exit', () => resolve())
    childProcess.once('error', () => resolve())
  })
  childProcess.on('message', (message) => {
    if (isProgressMessage<Progress>(message)) onProgress(message.marqueeProgress)
  })
  const result = receiveWorkerResult<ProcessOutcome<Result>>(childProcess).then((outcome) => {
    if ('error' in outcome) throw new Error(outcome.error)
    return outcome.value
  })
  // If sending fails, the process has ended, and the result rejects.
  childProcess.send(job as object, () => {})
  return {
    result,
    stop: async () => {
      childProcess.kill('SIGKILL')
      await exitPromise
    },
  }
}

/**
 * Runs the job of this child process with low priority, sends the result to the parent, and exits. `runJob` gets a
 * function that reports progress.
 */
export function runProcessJob<Job, Result, Progress = never>(
  runJob: (job: Job, reportProgress: (progress: Progress) => void) => Promise<Result>,
): void {
  setPriority(10)
  const sendMessage = (message: ResultMessage<ProcessOutcome<Result>> | ProgressMessage<Progress>) =>
    new Promise<void>((resolve) => {
      if (process.send) process.send(message, () => resolve())
      else resolve()
    })
  // After a disconnect, the server has ended, and nobody would use the result.
  process.once('disconnect', () => process.exit(1))
  process.once('message', async (job: Job) => {
    const outcome = await runJob(job, (marqueeProgress) => void sendMessage({ marqueeProgress }))
      .then((value) => ({ value }))
      .catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
    await sendMessage({ marqueeWorkerResult: outcome })
    process.exit(0)
  })
}

/**
 * Returns the Node.js arguments of the job process: the arguments of the server without `--max-semi-space-size`. With
 * that argument, `npm start` limits the memory for new objects (decision record 54). A job creates many objects and
 * ends soon, so its process uses the default limit.
 */
const getJobNodeArguments = () =>
  process.execArgv.filter((argument) => !argument.startsWith('--max-semi-space-size'))
