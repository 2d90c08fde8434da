/**
 * Measures the gain of a second process for reads: the throughput, and the CPU time per request of each
 * component. The server processes share the two cores with the load generator, and on PostgreSQL also with
 * the database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUserClient, signInAdmin } from '../../tests/scale/scenarios.ts'
import { listChildProcessIds } from '../../tests/support/child-processes.ts'
import type { HttpTestClient } from '../../tests/support/http-test-client.ts'
import {
  prepareServerProcess,
  readFirstSignIn,
  type TestInstallation,
} from '../../tests/support/server-processes.ts'
import { readMachineCpuTimes, readProcessCpuMs } from '../processor-time.ts'
import { getMedian } from '../statistics.ts'
import type { LoadPlan } from './load.ts'
import {
  listReadRequests,
  measureCoreScaling,
  printResult,
  roundToHundredths,
  waitForIdleMachine,
} from './measure.ts'
import { runWrk, type WrkResult } from './wrk.ts'

const ROUND_COUNT = 3
const RUN_SECONDS = 8
const WARM_UP_SECONDS = 2
const CONNECTIONS_PER_PROCESS = 16
/** Number of households. Their requests are interleaved. */
const HOUSEHOLD_COUNT = 12

type GetPids = () => number[]
/** A deployment under test: the URLs and process ids of its API, and the process ids of its other components. */
interface Deployment {
  urls: string[]
  requests: LoadPlan['requests']
  getApiPids: GetPids
  otherComponents: Record<string, GetPids>
}

/** Returns the read requests of all households, interleaved. */
async function createHouseholdRequests(admin: HttpTestClient): Promise<LoadPlan['requests']> {
  const visitorClients = [admin]
  while (visitorClients.length < HOUSEHOLD_COUNT)
    visitorClients.push(await createUserClient(admin, `reads${Date.now()}x${visitorClients.length}`))
  const requestsByVisitor = await Promise.all(visitorClients.map((visitor) => listReadRequests(visitor)))
  return (requestsByVisitor[0] ?? []).flatMap((_, index) =>
    requestsByVisitor.flatMap((requests) => requests.slice(index, index + 1)),
  )
}

const sumCpuMs = (pids: number[]) => pids.reduce((ms, pid) => ms + readProcessCpuMs(pid), 0)
const computeMicrosecondsPerRequest = (cpuMs: number, { responseCount }: WrkResult) =>
  Math.round((cpuMs * 1_000) / responseCount)

async function measureDeployment(name: string, { urls, requests, getApiPids, otherComponents }: Deployment) {
  const plan = { urls, requests, connectionsPerProcess: CONNECTIONS_PER_PROCESS }
  await runWrk({ ...plan, seconds: WARM_UP_SECONDS })
  await waitForIdleMachine()
  const pidGettersByComponent = { api: getApiPids, ...otherComponents }
  const readComponentCpuMs = () =>
    Object.entries(pidGettersByComponent).map(
      ([component, getPids]) => [component, sumCpuMs(getPids())] as const,
    )
  const [cpuEntriesBefore, machineCpuBeforeMs] = [readComponentCpuMs(), readMachineCpuTimes().busyMs]
  const wrkResult = await runWrk({ ...plan, seconds: RUN_SECONDS })
  const [cpuEntriesAfter, machineCpuMs] = [
    readComponentCpuMs(),
    readMachineCpuTimes().busyMs - machineCpuBeforeMs,
  ]
  if (wrkResult.failureCount > 0) throw new Error(`${wrkResult.failureCount} reads failed`)
  const componentCpuEntries = cpuEntriesAfter.map(
    ([component, ms], index) => [component, ms - (cpuEntriesBefore[index]?.[1] ?? 0)] as const,
  )
  const attributedCpuMs = componentCpuEntries.reduce(
    (ms, [, componentCpuMs]) => ms + componentCpuMs,
    wrkResult.cpuMs,
  )
  const apiCpuMs = componentCpuEntries[0]?.[1] ?? 0
  const unrelatedLoad = roundToHundredths(
    (machineCpuMs - attributedCpuMs) / 1_000 / wrkResult.seconds / availableParallelism(),
  )
  const successPerSecond = Math.round(wrkResult.responseCount / wrkResult.seconds)
  printResult(name, {
    successPerSecond,
    p50Ms: wrkResult.p50Ms,
    p99Ms: wrkResult.p99Ms,
    unrelatedLoad,
    /* CPU time per request, for each component. `rest` is kernel time and CPU time of unrelated processes. */
    cpuMicrosecondsPerRequest: {
      ...Object.fromEntries(
        componentCpuEntries.map(([component, ms]) => [
          component,
          computeMicrosecondsPerRequest(ms, wrkResult),
        ]),
      ),
      generator: computeMicrosecondsPerRequest(wrkResult.cpuMs, wrkResult),
      rest: computeMicrosecondsPerRequest(machineCpuMs - attributedCpuMs, wrkResult),
    },
    coresOfApi: roundToHundredths(apiCpuMs / 1_000 / wrkResult.seconds),
  })
  return { successPerSecond, apiCpuMsPerRequest: apiCpuMs / wrkResult.responseCount }
}

async function compareDeployments(
  name: string,
  oneProcess: Deployment,
  twoProcesses: Deployment,
): Promise<void> {
  const ratiosByRound: { throughput: number; perCore: number; machine: number }[] = []
  for (let round = 0; round < ROUND_COUNT; round += 1) {
    const coreScaling = await measureCoreScaling()
    const [oneProcessResult, twoProcessesResult] = [
      await measureDeployment(`${name}, one process`, oneProcess),
      await measureDeployment(`${name}, two processes`, twoProcesses),
    ]
    ratiosByRound.push({
      throughput: roundToHundredths(twoProcessesResult.successPerSecond / oneProcessResult.successPerSecond),
      perCore: roundToHundredths(
        (2 * oneProcessResult.apiCpuMsPerRequest) / twoProcessesResult.apiCpuMsPerRequest,
      ),
      machine: coreScaling,
    })
  }
  printResult(
    `${name}: ratio of two processes to one: throughput, per API core (target 1.8 with a database on its own cores), of the machine`,
    ratiosByRound,
  )
  printResult(`${name}: medians`, {
    throughput: getMedian(ratiosByRound.map(({ throughput }) => throughput)),
    perCore: getMedian(ratiosByRound.map(({ perCore }) => perCore)),
  })
}

export async function measureReadsOnPostgres(installation: TestInstallation): Promise<void> {
  const requests = await createHouseholdRequests(await signInAdmin(installation))
  const otherComponents = {
    postgres: installation.postgres.listPids,
    redis: () => [installation.redis.getPid()],
  }
  const createDeployment = (count: number): Deployment => {
    const processes = installation.processes.slice(0, count)
    return {
      urls: processes.map(({ url }) => url),
      requests,
      getApiPids: () => processes.map(({ getPid }) => getPid()),
      otherComponents,
    }
  }
  await compareDeployments('reads on PostgreSQL', createDeployment(1), createDeployment(2))
}

/**
 * Compares two deployments of the same demo catalogue, in separate folders: one process, and two workers on one port.
 */
export async function measureReadsOnSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-reads-'))
  const startDeployment = async (workerCount: number) => {
    const dataDir = join(folder, `${workerCount}`)
    const server = await prepareServerProcess(dataDir, {
      WORKERS: `${workerCount}`,
      DATABASE_URL: '',
      REDIS_URL: '',
      DEMO: '1',
    })
    await server.start()
    const admin = await signInAdmin({ admin: readFirstSignIn([dataDir]), url: server.url })
    const requests = await createHouseholdRequests(admin)
    const deployment: Deployment = {
      urls: Array.from({ length: workerCount }, () => server.url),
      requests,
      getApiPids: () => [server.getPid(), ...listChildProcessIds(server.getPid())],
      otherComponents: {},
    }
    return { deployment, stop: server.terminate }
  }
  const [oneProcess, twoProcesses] = [await startDeployment(1), await startDeployment(2)]
  try {
    await compareDeployments('reads on SQLite', oneProcess.deployment, twoProcesses.deployment)
  } finally {
    await Promise.all([oneProcess.stop(), twoProcesses.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}
