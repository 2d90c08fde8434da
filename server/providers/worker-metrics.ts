/**
 * Collects the measurements of all cluster workers, so that one request returns those of every process of the machine. The
 * worker that serves the request asks the primary process, which asks the other workers.
 */
import cluster, { type Worker } from 'node:cluster'
import { measureProcess, type ProcessMetrics } from '../core/process-metrics.ts'

/** A worker that does not answer in this time, because it is busy or stopping, is left out. */
const REPLY_TIMEOUT_MS = 1_000

interface MetricsMessage {
  /** `collect`: worker to primary; `measure`: primary to worker; `reply`: worker to primary; `result`: primary to worker. */
  metrics: 'collect' | 'measure' | 'reply' | 'result'
  id: number
  values: ProcessMetrics[]
}

const isMetricsMessage = (value: unknown): value is MetricsMessage =>
  typeof value === 'object' && value !== null && 'metrics' in value && 'values' in value

let lastId = 0
const createId = () => (lastId += 1)

/** Answers the requests of the primary process. Runs in each worker. */
export function answerMetricsRequests(): void {
  process.on('message', (message) => {
    if (isMetricsMessage(message) && message.metrics === 'measure' && process.connected)
      process.send?.({ ...message, metrics: 'reply', values: [measureProcess()] } satisfies MetricsMessage)
  })
}

/** Passes requests for measurements to the other workers. Runs in the primary process. */
export function relayMetricsRequests(): void {
  cluster.on('message', (requester, message: unknown) => {
    if (!isMetricsMessage(message) || message.metrics !== 'collect') return
    const otherWorkers = Object.values(cluster.workers ?? {}).filter(
      (worker): worker is Worker =>
        worker !== undefined && worker.id !== requester.id && worker.isConnected(),
    )
    void Promise.all(otherWorkers.map(requestMeasurement)).then((replies) => {
      const result: MetricsMessage = { ...message, metrics: 'result', values: replies.flat() }
      if (requester.isConnected()) requester.send(result)
    })
  })
}

function requestMeasurement(worker: Worker): Promise<ProcessMetrics[]> {
  const request: MetricsMessage = { metrics: 'measure', id: createId(), values: [] }
  return new Promise((resolve) => {
    const finish = (values: ProcessMetrics[]) => {
      clearTimeout(timer)
      worker.off('message', handleMessage)
      resolve(values)
    }
    const handleMessage = (message: unknown) => {
      if (isMetricsMessage(message) && message.metrics === 'reply' && message.id === request.id)
        finish(message.values)
    }
    const timer = setTimeout(() => finish([]), REPLY_TIMEOUT_MS)
    worker.on('message', handleMessage)
    worker.send(request)
  })
}

/** Returns the measurements of this process and, with WORKERS, of all other workers, by number of the worker. */
export async function collectProcessMetrics(): Promise<ProcessMetrics[]> {
  const values = [measureProcess(), ...(cluster.isWorker ? await collectFromOtherWorkers() : [])]
  return values.toSorted((a, b) => a.worker - b.worker)
}

function collectFromOtherWorkers(): Promise<ProcessMetrics[]> {
  const request: MetricsMessage = { metrics: 'collect', id: createId(), values: [] }
  return new Promise((resolve) => {
    const finish = (values: ProcessMetrics[]) => {
      clearTimeout(timer)
      process.off('message', handleMessage)
      resolve(values)
    }
    const handleMessage = (message: unknown) => {
      if (isMetricsMessage(message) && message.metrics === 'result' && message.id === request.id)
        finish(message.values)
    }
    const timer = setTimeout(() => finish([]), 2 * REPLY_TIMEOUT_MS)
    process.on('message', handleMessage)
    process.send?.(request)
  })
}
