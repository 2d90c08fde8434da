/**
 * Collects the measurements of all cluster workers, so that one request returns the measurements of every process of
 * the machine. The worker that serves the request asks the primary process, which asks the other workers.
 */
import cluster, { type Worker } from 'node:cluster'
import { measureProcess, type ProcessMetrics } from '../core/process-metrics.ts'
import { sendToWorker } from './cluster-event-bus.ts'

/** Time limit for the reply of a worker. A worker that is busy or stopping may exceed it and is then left out. */
const REPLY_TIMEOUT_MS = 1_000

interface MetricsMessage {
  /**
   * `collect`: worker to primary; `measure`: primary to worker; `reply`: worker to primary; `result`: primary to
   * worker.
   */
  messageType: 'collect' | 'measure' | 'reply' | 'result'
  id: number
  metrics: ProcessMetrics[]
}

const isMetricsMessage = (value: unknown): value is MetricsMessage =>
  typeof value === 'object' && value !== null && 'messageType' in value && 'metrics' in value

let lastMessageId = 0
const createMessageId = () => (lastMessageId += 1)

/** Answers the requests of the primary process. Runs in each worker. */
export function answerMetricsRequests(): void {
  process.on('message', (message) => {
    if (isMetricsMessage(message) && message.messageType === 'measure' && process.connected)
      process.send?.({
        ...message,
        messageType: 'reply',
        metrics: [measureProcess()],
      } satisfies MetricsMessage)
  })
}

/**
 * Passes a worker's request for measurements to the other workers, and sends their replies to the worker that asked.
 * Runs in the primary process.
 */
export function relayMetricsRequests(): void {
  cluster.on('message', (requestingWorker, message: unknown) => {
    if (!isMetricsMessage(message) || message.messageType !== 'collect') return
    const otherWorkers = Object.values(cluster.workers ?? {}).filter(
      (worker): worker is Worker =>
        worker !== undefined && worker.id !== requestingWorker.id && worker.isConnected(),
    )
    void Promise.all(otherWorkers.map(requestMeasurement)).then((replies) => {
      const resultMessage: MetricsMessage = { ...message, messageType: 'result', metrics: replies.flat() }
      if (requestingWorker.isConnected()) sendToWorker(requestingWorker, resultMessage)
    })
  })
}

const requestMeasurement = (worker: Worker): Promise<ProcessMetrics[]> =>
  requestMetrics(worker, { requestType: 'measure', replyType: 'reply', timeoutMs: REPLY_TIMEOUT_MS })

/**
 * Returns the measurements of this process and, when the setting WORKERS starts several processes, of all other
 * workers. They are sorted by the number of the worker.
 */
export async function collectProcessMetrics(): Promise<ProcessMetrics[]> {
  const processMetrics = [measureProcess(), ...(cluster.isWorker ? await collectFromOtherWorkers() : [])]
  return processMetrics.toSorted((a, b) => a.workerId - b.workerId)
}

const collectFromOtherWorkers = (): Promise<ProcessMetrics[]> =>
  requestMetrics(process, { requestType: 'collect', replyType: 'result', timeoutMs: 2 * REPLY_TIMEOUT_MS })

interface MetricsRequest {
  requestType: 'collect' | 'measure'
  replyType: 'reply' | 'result'
  timeoutMs: number
}

/**
 * Sends a message to another process and returns the measurements in its reply; an empty list if no reply arrives
 * within `timeoutMs`.
 */
function requestMetrics(
  peer: NodeJS.EventEmitter & { send?: (message: MetricsMessage, onSent: () => void) => unknown },
  { requestType, replyType, timeoutMs }: MetricsRequest,
): Promise<ProcessMetrics[]> {
  const message: MetricsMessage = { messageType: requestType, id: createMessageId(), metrics: [] }
  return new Promise((resolve) => {
    const finishRequest = (processMetrics: ProcessMetrics[]) => {
      clearTimeout(timer)
      peer.off('message', acceptReply)
      resolve(processMetrics)
    }
    const acceptReply = (receivedMessage: unknown) => {
      if (
        isMetricsMessage(receivedMessage) &&
        receivedMessage.messageType === replyType &&
        receivedMessage.id === message.id
      )
        finishRequest(receivedMessage.metrics)
    }
    const timer = setTimeout(() => finishRequest([]), timeoutMs)
    peer.on('message', acceptReply)
    // The empty callback ignores an error: a process that has just ended sends no measurements.
    peer.send?.(message, () => {})
  })
}
