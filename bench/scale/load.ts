/**
 * Load generator in a separate process: `node load.ts` reads a LoadPlan as JSON from standard input. It uses plain
 * sockets so that it takes little CPU time from the servers under test, and reports the CPU time that it has used.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startCpuTimer } from '../processor-time.ts'
import { getQuantile } from '../statistics.ts'

export interface LoadPlan {
  /** Base URLs; connections are distributed over them in turn. */
  urls: string[]
  /** The connections together send these requests in this order, and start again after the last request. */
  requests: { method: string; path: string; headers: Record<string, string>; body?: string }[]
  connectionCount: number
  seconds: number
  /** Total requests per second. If undefined, each connection sends a request after the previous response. */
  requestsPerSecond?: number
  /** Seconds at the start whose responses are not counted. */
  warmUpSeconds?: number
}

export interface LoadResult {
  /** 2xx responses per second. */
  successPerSecond: number
  /** Requests sent per second. */
  sentPerSecond: number
  /**
   * With `requestsPerSecond`: requests per second that were not sent because all connections were waiting for a
   * response.
   */
  unsentPerSecond: number
  /** Number of responses by status; 0 is a broken connection. */
  responseCountsByStatus: Record<string, number>
  /** Latency percentiles of 2xx responses, in ms. */
  p50Ms: number
  p99Ms: number
  /** 99th percentile of the latency of 503 responses, in ms. */
  rejectedP99Ms: number
  /** Number of 503 and 429 responses without Retry-After. */
  missingRetryAfterCount: number
  /** CPU time of this process, as a fraction of one core. */
  generatorCpuFraction: number
}

/** A connection without a response for this long counts as broken. */
const RESPONSE_TIMEOUT_MS = 30_000
const TICK_MS = 4

class Connection {
  #socket: Socket | null = null
  #received: Buffer = Buffer.alloc(0)
  /** Remaining bytes of the body; -1 before the header is complete, -2 for a chunked body. */
  #remainingBytes = -1
  #status = 0
  #hasRetryAfter = false
  /** True when the response announces that the server closes the socket, so that the next request needs a new one. */
  #isLastResponse = false
  #sentAtMs = 0
  readonly #port: number
  readonly #onResponse: (
    connection: Connection,
    status: number,
    durationMs: number,
    hasRetryAfter: boolean,
  ) => void
  constructor(port: number, onResponse: Connection['onResponse']) {
    this.#port = port
    this.#onResponse = onResponse
  }
  get onResponse() {
    return this.#onResponse
  }
  send(request: Buffer): void {
    this.#sentAtMs = performance.now()
    this.#remainingBytes = -1
    this.#received = Buffer.alloc(0)
    if (!this.#socket) this.#open()
    this.#socket?.write(request)
  }
  close(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.destroy()
  }
  #open(): void {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true })
    this.#socket = socket
    const closeBrokenConnection = () => {
      if (this.#socket !== socket) return
      this.#socket = null
      socket.destroy()
      if (this.#sentAtMs > 0) this.#reportResponse(0)
    }
    socket.setTimeout(RESPONSE_TIMEOUT_MS, closeBrokenConnection)
    socket.on('error', closeBrokenConnection)
    socket.on('close', closeBrokenConnection)
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
  }
  #read(chunk: Buffer): void {
    if (this.#remainingBytes >= 0) this.#remainingBytes -= chunk.length
    else {
      this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
      if (this.#remainingBytes === -1 && !this.#readHead()) return
      if (this.#remainingBytes === -2 && this.#received.subarray(-5).toString('latin1') === '0\r\n\r\n')
        this.#remainingBytes = 0
    }
    if (this.#remainingBytes === 0) this.#reportResponse(this.#status)
  }
  #readHead(): boolean {
    const headerEndIndex = this.#received.indexOf('\r\n\r\n')
    if (headerEndIndex < 0) return false
    const headerText = this.#received.toString('latin1', 0, headerEndIndex).toLowerCase()
    this.#status = Number(headerText.slice(9, 12))
    this.#hasRetryAfter = headerText.includes('\r\nretry-after:')
    const bodyLengthText = /\r\ncontent-length: *(\d+)/.exec(headerText)?.[1]
    const hasNoBody = this.#status === 204 || this.#status === 304
    this.#remainingBytes = bodyLengthText
      ? Number(bodyLengthText) - (this.#received.length - headerEndIndex - 4)
      : hasNoBody
        ? 0
        : -2
    this.#isLastResponse = /\r\nconnection: *close/.test(headerText)
    return true
  }
  #reportResponse(status: number): void {
    const durationMs = performance.now() - this.#sentAtMs
    this.#sentAtMs = 0
    if (this.#isLastResponse) this.close()
    this.#onResponse(this, status, durationMs, this.#hasRetryAfter)
  }
}

const encodeRequest = ({ method, path, headers, body = '' }: LoadPlan['requests'][number]): Buffer => {
  const allHeaders = {
    Host: '127.0.0.1',
    ...headers,
    ...(body && { 'Content-Length': Buffer.byteLength(body) }),
  }
  const headerLines = Object.entries(allHeaders).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${headerLines.join('\r\n')}\r\n\r\n${body}`)
}

export async function generateLoad(plan: LoadPlan): Promise<LoadResult> {
  const { seconds, warmUpSeconds = 0, requestsPerSecond } = plan
  const encodedRequests = plan.requests.map(encodeRequest)
  const startMs = performance.now()
  const measurementStartMs = startMs + warmUpSeconds * 1_000
  const endMs = measurementStartMs + seconds * 1_000
  const observedResponses = {
    successDurationsMs: [] as number[],
    rejectedDurationsMs: [] as number[],
    countsByStatus: {} as Record<string, number>,
  }
  let [missingRetryAfterCount, nextRequestIndex, sentCount, unsentCount, dueCount] = [0, 0, 0, 0, 0]
  const idleConnections: Connection[] = []
  const sendNextRequest = (connection: Connection) => {
    if (performance.now() >= measurementStartMs) sentCount += 1
    connection.send(encodedRequests[nextRequestIndex++ % encodedRequests.length] as Buffer)
  }
  const onResponse = (connection: Connection, status: number, durationMs: number, hasRetryAfter: boolean) => {
    const nowMs = performance.now()
    if (nowMs >= endMs) return
    if (nowMs >= measurementStartMs) {
      observedResponses.countsByStatus[status] = (observedResponses.countsByStatus[status] ?? 0) + 1
      if (status >= 200 && status < 300) observedResponses.successDurationsMs.push(durationMs)
      if (status === 503) observedResponses.rejectedDurationsMs.push(durationMs)
      if ((status === 503 || status === 429) && !hasRetryAfter) missingRetryAfterCount += 1
    }
    if (requestsPerSecond) idleConnections.push(connection)
    else if (status === 0) setTimeout(sendNextRequest, 10, connection)
    else sendNextRequest(connection)
  }
  const ports = plan.urls.map((url) => Number(new URL(url).port))
  const connections = Array.from(
    { length: plan.connectionCount },
    (_, index) => new Connection(ports[index % ports.length] as number, onResponse),
  )
  if (requestsPerSecond) idleConnections.push(...connections)
  else for (const connection of connections) sendNextRequest(connection)
  const readCpuMs = startCpuTimer()
  while (performance.now() < endMs) {
    await pause(TICK_MS)
    for (
      const dueRequestCount = requestsPerSecond
        ? ((performance.now() - startMs) / 1_000) * requestsPerSecond
        : 0;
      dueCount < dueRequestCount;
      dueCount += 1
    ) {
      const connection = idleConnections.shift()
      if (connection) sendNextRequest(connection)
      else if (performance.now() >= measurementStartMs) unsentCount += 1
    }
  }
  const generatorCpuMs = readCpuMs()
  for (const connection of connections) connection.close()
  const getRoundedQuantile = (durationsMs: number[], fraction: number) =>
    durationsMs.length === 0 ? 0 : Math.round(getQuantile(durationsMs, fraction) * 10) / 10
  return {
    successPerSecond: Math.round(observedResponses.successDurationsMs.length / seconds),
    sentPerSecond: Math.round(sentCount / seconds),
    unsentPerSecond: Math.round(unsentCount / seconds),
    responseCountsByStatus: observedResponses.countsByStatus,
    p50Ms: getRoundedQuantile(observedResponses.successDurationsMs, 0.5),
    p99Ms: getRoundedQuantile(observedResponses.successDurationsMs, 0.99),
    rejectedP99Ms: getRoundedQuantile(observedResponses.rejectedDurationsMs, 0.99),
    missingRetryAfterCount,
    generatorCpuFraction: Math.round(generatorCpuMs / (seconds + warmUpSeconds) / 10) / 100,
  }
}

if (import.meta.main) {
  let planJson = ''
  for await (const chunk of process.stdin) planJson += chunk
  process.stdout.write(JSON.stringify(await generateLoad(JSON.parse(planJson) as LoadPlan)))
  process.exit(0)
}
