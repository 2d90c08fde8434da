/** Requests over many connections, from a process of its own: `node load.ts` reads its orders from standard input. */
import { Agent, request } from 'node:http'
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
  /** Counts by status; 0 is a broken connection. */
  statuses: Record<string, number>
  /** Of good answers, in ms. */
  p50: number
  p99: number
  /** 503 and 429 without Retry-After. */
  impolite: number
}

const RETRY = new Set([503, 429])

export async function load(orders: Orders): Promise<Outcome> {
  const { connections, seconds, warmSeconds = 0 } = orders
  const started = performance.now()
  const from = started + warmSeconds * 1_000
  const end = from + seconds * 1_000
  const seen: { status: number; ms: number }[] = []
  let impolite = 0
  let next = 0
  const gap = orders.rate ? (1_000 * connections) / orders.rate : 0
  const one = async (at: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const url = new URL(orders.urls[at % orders.urls.length] as string)
    let due = started + (gap * at) / connections
    while (performance.now() < end) {
      if (gap > 0) {
        const wait = due - performance.now()
        if (wait > 0) await pause(wait)
        due = Math.max(due + gap, performance.now() - gap)
      }
      const wish = orders.requests[next++ % orders.requests.length] as Orders['requests'][number]
      const asked = performance.now()
      const { status, polite } = await ask(agent, url, wish)
      const now = performance.now()
      if (now < from || now > end) continue
      seen.push({ status, ms: now - asked })
      if (RETRY.has(status) && !polite) impolite += 1
      if (status === 0) await pause(10)
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: connections }, (_, at) => one(at)))
  const good = seen.filter(({ status }) => status >= 200 && status < 300).map(({ ms }) => ms)
  good.sort((a, b) => a - b)
  const statuses: Record<string, number> = {}
  for (const { status } of seen) statuses[status] = (statuses[status] ?? 0) + 1
  const at = (share: number) => Math.round((good[Math.floor(good.length * share)] ?? 0) * 10) / 10
  return { good: Math.round(good.length / seconds), statuses, p50: at(0.5), p99: at(0.99), impolite }
}

function ask(
  agent: Agent,
  url: URL,
  wish: Orders['requests'][number],
): Promise<{ status: number; polite: boolean }> {
  return new Promise((resolve) => {
    const sent = request(
      {
        agent,
        host: url.hostname,
        port: url.port,
        method: wish.method,
        path: wish.path,
        headers: wish.headers,
        timeout: 30_000,
      },
      (response) => {
        response.resume()
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            polite: response.headers['retry-after'] !== undefined,
          }),
        )
        response.on('error', () => resolve({ status: 0, polite: false }))
      },
    )
    sent.on('timeout', () => sent.destroy())
    sent.on('error', () => resolve({ status: 0, polite: false }))
    sent.end(wish.body)
  })
}

if (import.meta.main) {
  let text = ''
  for await (const part of process.stdin) text += part
  process.stdout.write(JSON.stringify(await load(JSON.parse(text) as Orders)))
}
