/**
 * Requests over many connections, from a process of its own: `node load.ts` reads its orders from standard input. Written on
 * bare sockets, so that it takes as little of the machine as it can from those whom it asks; it says how much it took.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Orders {
  /** Bases taken in turn, connection by connection. */
  urls: string[]
  /** Taken in turn, request by request. */
  requests: { method: string; path: string; headers: Record<string, string>; body?: string }[]
  connections: number
  seconds: number
  /** Requests a second altogether; absent: as fast as they are answered. */
  rate?: number
  /** Left out of the counts at the beginning. */
  warmSeconds?: number
}

export interface Outcome {
  /** Answers of 2xx, a second. */
  good: number
  /** Requests sent, a second. */
  sent: number
  /** With a rate: wishes that found every connection waiting for an answer, a second. */
  unsent: number
  /** Counts by status; 0 is a broken connection. */
  statuses: Record<string, number>
  /** Of good answers, in ms. */
  p50: number
  p99: number
  /** Of refusals (503), in ms. */
  refusedP99: number
  /** 503 and 429 without Retry-After. */
  impolite: number
  /** Processor time of this process, as a share of one core. */
  ownCpu: number
}

/** At most so long without an answer. */
const PATIENCE_MS = 30_000
const TICK_MS = 4

class Connection {
  #socket: Socket | null = null
  #parts: Buffer = Buffer.alloc(0)
  /** Bytes of the body that are to come; -1 before the head is there, -2 for chunks. */
  #left = -1
  #status = 0
  #polite = false
  #asked = 0
  readonly #port: number
  readonly #done: (one: Connection, status: number, ms: number, polite: boolean) => void
  constructor(port: number, done: Connection['done']) {
    this.#port = port
    this.#done = done
  }
  get done() {
    return this.#done
  }
  send(request: Buffer): void {
    this.#asked = performance.now()
    this.#left = -1
    this.#parts = Buffer.alloc(0)
    if (!this.#socket) this.#open()
    this.#socket?.write(request)
  }
  end(): void {
    const socket = this.#socket
    this.#socket = null
    socket?.destroy()
  }
  #open(): void {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true })
    this.#socket = socket
    const broken = () => {
      if (this.#socket !== socket) return
      this.#socket = null
      socket.destroy()
      if (this.#asked > 0) this.#finish(0)
    }
    socket.setTimeout(PATIENCE_MS, broken)
    socket.on('error', broken)
    socket.on('close', broken)
    socket.on('data', (part: Buffer) => this.#read(part))
  }
  #read(part: Buffer): void {
    if (this.#left >= 0) this.#left -= part.length
    else {
      this.#parts = this.#parts.length === 0 ? part : Buffer.concat([this.#parts, part])
      if (this.#left === -1 && !this.#head()) return
      if (this.#left === -2 && this.#parts.subarray(-5).toString('latin1') === '0\r\n\r\n') this.#left = 0
    }
    if (this.#left === 0) this.#finish(this.#status)
  }
  #head(): boolean {
    const at = this.#parts.indexOf('\r\n\r\n')
    if (at < 0) return false
    const head = this.#parts.toString('latin1', 0, at).toLowerCase()
    this.#status = Number(head.slice(9, 12))
    this.#polite = head.includes('\r\nretry-after:')
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1]
    const empty = this.#status === 204 || this.#status === 304
    this.#left = length ? Number(length) - (this.#parts.length - at - 4) : empty ? 0 : -2
    if (/\r\nconnection: *close/.test(head)) this.#socket?.once('end', () => this.end())
    return true
  }
  #finish(status: number): void {
    const ms = performance.now() - this.#asked
    this.#asked = 0
    this.#done(this, status, ms, this.#polite)
  }
}

const bytesOf = ({ method, path, headers, body = '' }: Orders['requests'][number]): Buffer => {
  const all = { Host: '127.0.0.1', ...headers, ...(body && { 'Content-Length': Buffer.byteLength(body) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
}

export async function load(orders: Orders): Promise<Outcome> {
  const { seconds, warmSeconds = 0, rate } = orders
  const requests = orders.requests.map(bytesOf)
  const started = performance.now()
  const from = started + warmSeconds * 1_000
  const end = from + seconds * 1_000
  const seen = { good: [] as number[], refused: [] as number[], statuses: {} as Record<string, number> }
  let [impolite, next, sent, unsent, wished] = [0, 0, 0, 0, 0]
  const idle: Connection[] = []
  const send = (one: Connection) => {
    if (performance.now() >= from) sent += 1
    one.send(requests[next++ % requests.length] as Buffer)
  }
  const done = (one: Connection, status: number, ms: number, polite: boolean) => {
    const now = performance.now()
    if (now >= end) return
    if (now >= from) {
      seen.statuses[status] = (seen.statuses[status] ?? 0) + 1
      if (status >= 200 && status < 300) seen.good.push(ms)
      if (status === 503) seen.refused.push(ms)
      if ((status === 503 || status === 429) && !polite) impolite += 1
    }
    if (rate) idle.push(one)
    else if (status === 0) setTimeout(send, 10, one)
    else send(one)
  }
  const ports = orders.urls.map((url) => Number(new URL(url).port))
  const all = Array.from(
    { length: orders.connections },
    (_, at) => new Connection(ports[at % ports.length] as number, done),
  )
  if (rate) idle.push(...all)
  else for (const one of all) send(one)
  const cpu = process.cpuUsage()
  while (performance.now() < end) {
    await pause(TICK_MS)
    for (const due = rate ? ((performance.now() - started) / 1_000) * rate : 0; wished < due; wished += 1) {
      const one = idle.shift()
      if (one) send(one)
      else if (performance.now() >= from) unsent += 1
    }
  }
  const { user, system } = process.cpuUsage(cpu)
  for (const one of all) one.end()
  const p = (list: number[], share: number) => {
    list.sort((a, b) => a - b)
    return Math.round((list[Math.floor(list.length * share)] ?? 0) * 10) / 10
  }
  return {
    good: Math.round(seen.good.length / seconds),
    sent: Math.round(sent / seconds),
    unsent: Math.round(unsent / seconds),
    statuses: seen.statuses,
    p50: p(seen.good, 0.5),
    p99: p(seen.good, 0.99),
    refusedP99: p(seen.refused, 0.99),
    impolite,
    ownCpu: Math.round((user + system) / 1_000 / (seconds + warmSeconds) / 10) / 100,
  }
}

if (import.meta.main) {
  let text = ''
  for await (const part of process.stdin) text += part
  process.stdout.write(JSON.stringify(await load(JSON.parse(text) as Orders)))
  process.exit(0)
}
