/** Shared helpers of the scaling benchmark: load generation, CPU accounting, waiting for an idle machine. */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { HttpTestClient } from '../../tests/support/http-test-client.ts'
import { readMachineCpuTimes } from '../processor-time.ts'
import type { LoadPlan, LoadResult } from './load.ts'

export const printResult = (name: string, value: unknown): void => {
  process.stdout.write(`${name}: ${JSON.stringify(value)}\n`)
}

/** Runs the load generator (load.ts) in its own process, and returns its result. */
export function runLoadGenerator(plan: LoadPlan): Promise<LoadResult> {
  const generatorProcess = spawn(process.execPath, ['bench/scale/load.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  generatorProcess.stdin.end(JSON.stringify(plan))
  return new Promise((resolve, reject) => {
    let generatorOutput = ''
    generatorProcess.stdout.on('data', (output) => {
      generatorOutput += output
    })
    generatorProcess.on('exit', (code) =>
      code === 0
        ? resolve(JSON.parse(generatorOutput) as LoadResult)
        : reject(new Error(`load ended: ${code}`)),
    )
  })
}

export const createAuthHeaders = (visitor: HttpTestClient) => ({
  Authorization: `Bearer ${visitor.accessToken}`,
  'X-Profile-Id': visitor.profileId ?? '',
})

/** Returns the read requests of a typical viewer: lists, featured movies and details of many movies. */
export async function listReadRequests(visitor: HttpTestClient): Promise<LoadPlan['requests']> {
  const { results } = (await visitor.get('/api/movies?limit=50')).body
  const detailPaths = results.map(({ id }: { id: string }) => `/api/movies/${id}`)
  const titleListPaths = [
    '/api/movies?limit=20',
    '/api/series?limit=20',
    '/api/movies/featured?limit=10',
    '/api/movies?limit=20&sort=rating.desc',
  ]
  return [...detailPaths, ...titleListPaths, ...titleListPaths].map((path) => ({
    method: 'GET',
    path,
    headers: createAuthHeaders(visitor),
  }))
}

/** Script that does CPU-bound work for one second and prints the number of iterations. */
const CPU_BOUND_SCRIPT = `
  const text = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, title: 'title ' + id })))
  let turns = 0
  for (const end = performance.now() + 1000; performance.now() < end; turns += 1) JSON.stringify(JSON.parse(text))
  process.stdout.write(String(turns))`

/**
 * Returns the throughput of two CPU-bound processes divided by the throughput of one process. The result is 2 if two
 * cores are idle.
 */
export async function measureCoreScaling(): Promise<number> {
  const runCpuBoundProcess = async () => {
    const cpuBoundProcess = spawn(process.execPath, ['-e', CPU_BOUND_SCRIPT], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const outputChunks = await cpuBoundProcess.stdout.toArray()
    return Number(Buffer.concat(outputChunks).toString())
  }
  await waitForIdleMachine()
  const singleProcessCount = await runCpuBoundProcess()
  const [firstCount, secondCount] = await Promise.all([runCpuBoundProcess(), runCpuBoundProcess()])
  return roundToHundredths((firstCount + secondCount) / singleProcessCount)
}

/**
 * Measures the CPU load once per second until the load is below 15 %, but at most six times. Returns the last measured
 * load (1 = all cores are busy).
 */
export async function waitForIdleMachine(): Promise<number> {
  for (let attempt = 0; ; attempt += 1) {
    const busyBeforeMs = readMachineCpuTimes().busyMs
    await pause(1_000)
    const busyMs = readMachineCpuTimes().busyMs - busyBeforeMs
    const busyFraction = roundToHundredths(busyMs / 1_000 / availableParallelism())
    if (busyFraction < 0.15 || attempt === 5) return busyFraction
  }
}

export const roundToHundredths = (value: number) => Math.round(value * 100) / 100
