/**
 * Reads as fast as they are answered, by `wrk`: who asks shares two cores with who answers, and a request costs it a fraction
 * of what it costs a generator on Node. It keeps its connections open and sends nothing before the last answer is whole.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Found, findServer, needServers } from '../../scripts/servers.ts'
import type { Orders } from './load.ts'

export interface Asked {
  /** One per process; each is asked over connections of its own. */
  urls: string[]
  requests: Orders['requests']
  /** Of each url. */
  connections: number
  seconds: number
}

export interface Answered {
  requests: number
  /** Statuses above 399, and connections that broke. */
  failed: number
  seconds: number
  /** Milliseconds. */
  p50: number
  p99: number
  /** Processor time of `wrk` itself, ms. */
  cpuMs: number
}

export async function wrk({ urls, requests, connections, seconds }: Asked): Promise<Answered> {
  needServers(['wrk'])
  const { file, env } = findServer('wrk') as Found
  const folder = mkdtempSync(join(tmpdir(), 'marquee-wrk-'))
  const script = join(folder, 'requests.lua')
  writeFileSync(script, scriptOf(urls, requests))
  const count = urls.length
  const sizes = ['-t', `${count}`, '-c', `${connections * count}`, '-d', `${seconds}s`, '--timeout', '30s']
  const child = spawn(file, [...sizes, '-s', script, urls[0] as string], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (part) => {
    text += part
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  rmSync(folder, { recursive: true, force: true })
  const told = /^\{.*\}$/m.exec(text)?.[0]
  if (code !== 0 || !told) throw new Error(`wrk ended with ${code}: ${text}`)
  return JSON.parse(told) as Answered
}

/** A thread for each url; they begin at different places of the list, so that they do not ask for the same at once. */
function scriptOf(urls: string[], requests: Orders['requests']): string {
  const texts = requests.map(({ method, path, headers }) => {
    const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    return JSON.stringify(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  })
  return `
local requests = {${texts.join(',\n')}}
local ports = {${urls.map((url) => `"${new URL(url).port}"`).join(', ')}}
local threads = 0
function setup(thread)
  thread.addr = wrk.lookup("127.0.0.1", ports[threads % #ports + 1])[1]
  thread:set("at", math.floor(#requests / #ports) * threads)
  threads = threads + 1
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"failed":%d,"seconds":%.3f,"p50":%.2f,"p99":%.2f,"cpuMs":%.0f}\\n',
    summary.requests, e.status + e.connect + e.read + e.write + e.timeout, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, os.clock() * 1000))
end
`
}
