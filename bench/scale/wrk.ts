/**
 * Generates read load with `wrk`, which needs a fraction of the CPU time of a generator in Node. The CPU time matters,
 * because the generator shares two cores with the servers under test. wrk keeps connections open and sends a request
 * only after the previous response.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms, findProgram, type InstalledProgram } from '../../scripts/servers.ts'
import type { LoadPlan } from './load.ts'

export interface WrkPlan {
  /** One URL per server process, each with its own connections. */
  urls: string[]
  requests: LoadPlan['requests']
  /** Connections per URL. */
  connectionsPerProcess: number
  seconds: number
}

export interface WrkResult {
  responseCount: number
  /** Number of responses with a status above 399, and of broken connections. */
  failureCount: number
  seconds: number
  /** Latency percentiles of the responses. */
  p50Ms: number
  p99Ms: number
  /** CPU time of `wrk`, in ms. */
  cpuMs: number
}

export async function runWrk({
  urls,
  requests,
  connectionsPerProcess,
  seconds,
}: WrkPlan): Promise<WrkResult> {
  ensurePrograms(['wrk'])
  const { executable, env } = findProgram('wrk') as InstalledProgram
  const folder = mkdtempSync(join(tmpdir(), 'marquee-wrk-'))
  const scriptFile = join(folder, 'requests.lua')
  writeFileSync(scriptFile, createLuaScript(urls, requests))
  const threadCount = urls.length
  const wrkArguments = [
    '-t',
    `${threadCount}`,
    '-c',
    `${connectionsPerProcess * threadCount}`,
    '-d',
    `${seconds}s`,
    '--timeout',
    '30s',
  ]
  const wrkProcess = spawn(executable, [...wrkArguments, '-s', scriptFile, urls[0] as string], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let wrkOutput = ''
  wrkProcess.stdout.on('data', (output) => {
    wrkOutput += output
  })
  const exitCode = await new Promise((resolve) => wrkProcess.once('close', resolve))
  rmSync(folder, { recursive: true, force: true })
  const summaryJson = /^\{.*\}$/m.exec(wrkOutput)?.[0]
  if (exitCode !== 0 || !summaryJson) throw new Error(`wrk ended with ${exitCode}: ${wrkOutput}`)
  return JSON.parse(summaryJson) as WrkResult
}

/**
 * Creates the Lua script of `wrk`, which runs one thread per URL. Threads start at different positions in `requests`,
 * so that they do not send the same request at the same time.
 */
function createLuaScript(urls: string[], requests: LoadPlan['requests']): string {
  const encodedRequests = requests.map(({ method, path, headers }) => {
    const headerLines = Object.entries({ Host: '127.0.0.1', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    return JSON.stringify(`${method} ${path} HTTP/1.1\r\n${headerLines.join('\r\n')}\r\n\r\n`)
  })
  return `
local requests = {${encodedRequests.join(',\n')}}
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
    '{"responseCount":%d,"failureCount":%d,"seconds":%.3f,"p50Ms":%.2f,"p99Ms":%.2f,"cpuMs":%.0f}\\n',
    summary.requests, e.status + e.connect + e.read + e.write + e.timeout, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, os.clock() * 1000))
end
`
}
