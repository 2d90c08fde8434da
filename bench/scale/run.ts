/**
 * `npm run bench:scale` produces the figures of docs/measurements/scaling.md, with PostgreSQL, Redis and nginx on this
 * machine and the load generator in its own process. Arguments select parts: `npm run bench:scale -- sqlite reads cost
 * overload kills redis postgres stale`. The part `stale` counts outdated replies of one process after a change of
 * access through another process. Names after `stale` select changes, for example `stale role PIN`.
 */
import { availableParallelism, cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import {
  createUserClient,
  killProcessesInTurn,
  loadTitleIds,
  signInAdmin,
  waitUntilInstallationReady,
  writeDuringFailure,
} from '../../tests/scale/scenarios.ts'
import { createSecurityChanges, runStalenessTrials } from '../../tests/scale/staleness.ts'
import { HttpTestClient } from '../../tests/support/http-test-client.ts'
import { startTestInstallation, type TestInstallation } from '../../tests/support/server-processes.ts'
import { measureRequestCost } from './cost.ts'
import type { LoadPlan } from './load.ts'
import {
  createAuthHeaders,
  listReadRequests,
  printResult,
  runLoadGenerator,
  waitForIdleMachine,
} from './measure.ts'
import { measureReadsOnPostgres, measureReadsOnSqlite } from './reads.ts'

const RUN_SECONDS = 8
const TRIAL_COUNT = 10_000
const OUTAGE_MS = 10_000
const REDIS_PAUSE_MS = 30_000

async function createMixedRequests(
  installation: TestInstallation,
  admin: HttpTestClient,
): Promise<LoadPlan['requests']> {
  const viewers = []
  for (let index = 0; index < 5; index += 1)
    viewers.push(await createUserClient(admin, `load${Date.now()}x${index}`))
  const titleIds = await loadTitleIds(admin, 50)
  const writeRequests = viewers.flatMap((viewer) =>
    titleIds.slice(0, 10).map((media_id, index) => ({
      method: 'POST',
      path: `/api/profile/${viewer.profileId}/history`,
      headers: { ...createAuthHeaders(viewer), 'Content-Type': 'application/json' },
      body: JSON.stringify({
        type: 'movie',
        media_id,
        progress: 60 + index,
        data: { video_duration: 6_000 },
      }),
    })),
  )
  const loginRequest = {
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: installation.admin.email, password: installation.admin.password }),
  }
  const viewerRequests = [...(await listReadRequests(admin)), ...writeRequests]
  return viewerRequests.flatMap((request, index) => (index % 20 === 0 ? [loginRequest, request] : [request]))
}

/**
 * Finds the saturation throughput and offers ten times as much load. Then offers half of the saturation throughput, and
 * measures how long requests still fail or are slow. Requests count as slow while the p99 is above 50 ms and above
 * twice its value before the overload.
 */
async function measureOverload(household: TestInstallation): Promise<void> {
  const admin = await signInAdmin(household)
  const requests = await createMixedRequests(household, admin)
  const urls = household.processes.map(({ url }) => url)
  printResult('CPU load before the run', await waitForIdleMachine())
  const saturationResult = await runLoadGenerator({
    urls,
    requests,
    connectionCount: 32,
    seconds: RUN_SECONDS,
    warmUpSeconds: 2,
  })
  printResult('mixed load at saturation (closed loop, 32 connections)', saturationResult)
  const halfLoadPlan = {
    urls,
    requests,
    connectionCount: 32,
    requestsPerSecond: saturationResult.successPerSecond / 2,
  }
  const baselineResult = await runLoadGenerator({ ...halfLoadPlan, seconds: 5 })
  printResult('half of saturation', baselineResult)
  const overloadResult = await runLoadGenerator({
    urls,
    requests,
    connectionCount: 1_500,
    requestsPerSecond: saturationResult.successPerSecond * 10,
    seconds: 15,
    warmUpSeconds: 3,
  })
  printResult('ten times saturation', overloadResult)
  printResult(
    'goodput relative to saturation (target 0.8)',
    Math.round((overloadResult.successPerSecond / saturationResult.successPerSecond) * 100) / 100,
  )
  for (let second = 0; second < 15; second += 1) {
    const currentResult = await runLoadGenerator({ ...halfLoadPlan, seconds: 1 })
    if (
      currentResult.p99Ms <= Math.max(baselineResult.p99Ms * 2, 50) &&
      Object.keys(currentResult.responseCountsByStatus).every((status) => status.startsWith('2'))
    ) {
      printResult('recovered after (target 10 s)', { seconds: second + 1, p99: currentResult.p99Ms })
      return
    }
  }
  printResult('recovered after (target 10 s)', 'more than 15 s')
}

async function measureRedisOutage(household: TestInstallation): Promise<void> {
  const admin = await signInAdmin(household)
  const requests = await listReadRequests(admin)
  const urls = household.processes.map(({ url }) => url)
  const outagePlan = {
    urls,
    requests,
    connectionCount: 16,
    requestsPerSecond: 200,
    seconds: REDIS_PAUSE_MS / 1_000,
  }
  printResult('before Redis is paused', await runLoadGenerator({ ...outagePlan, seconds: 5 }))
  household.redis.pause()
  const pausedRunPromise = runLoadGenerator(outagePlan)
  const signInResults = []
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const { status, durationMs } = await new HttpTestClient(household.url).login(
      household.admin.email,
      household.admin.password,
    )
    signInResults.push([status, Math.round(durationMs)])
    await pause(2_000)
  }
  printResult('while Redis is paused', { ...(await pausedRunPromise), signIns: signInResults })
  household.redis.resume()
  await household.redis.crash()
  await household.redis.start()
  printResult('after Redis restarted empty', await runLoadGenerator({ ...outagePlan, seconds: 5 }))
}

async function measurePostgresOutage(installation: TestInstallation): Promise<void> {
  const writeRunResult = await writeDuringFailure(installation, 6, async () => {
    await pause(3_000)
    await installation.postgres.crash()
    await pause(OUTAGE_MS)
    await installation.postgres.start()
    printResult('ready after PostgreSQL restarted (ms)', await waitUntilInstallationReady(installation))
    await pause(3_000)
  })
  printResult('PostgreSQL outage of 10 s', writeRunResult)
}

async function measureStaleness(household: TestInstallation): Promise<void> {
  const { changes, admin, viewer, otherDevice } = await createSecurityChanges(household)
  const [firstUrl, secondUrl] = household.processes.map(({ url }) => url) as [string, string]
  // The trials of a change alternately forbid and allow the access. Their number is even, so that the last trial allows
  // the access again and the next change starts with full access.
  const trialsPerChange = Math.ceil(TRIAL_COUNT / changes.length / 2) * 2
  const selectedChanges = changes.filter(({ name }) => selectedParts.includes(name))
  for (const change of selectedChanges.length > 0 ? selectedChanges : changes) {
    const affectedClient = change.name === 'publish' || change.name === 'block list' ? admin : viewer
    const clientRoles = {
      changer: admin.withServer(firstUrl),
      observer: affectedClient.withServer(secondUrl),
      backgroundReaders: [affectedClient.withServer(secondUrl)],
    }
    let remainingTrialCount = trialsPerChange
    const totalResult = { trialCount: 0, staleCount: 0, longestMs: 0 }
    while (remainingTrialCount > 0) {
      // Renews the access tokens, which expire after ten minutes.
      await Promise.all([
        renewToken(admin, [clientRoles.changer]),
        renewToken(otherDevice, []),
        renewToken(
          viewer,
          affectedClient === viewer ? [clientRoles.observer, ...clientRoles.backgroundReaders] : [],
        ),
      ])
      if (affectedClient === admin)
        for (const visitor of [clientRoles.observer, ...clientRoles.backgroundReaders])
          visitor.accessToken = admin.accessToken
      const { trialCount, staleCount, longestMs } = await runStalenessTrials(
        change,
        clientRoles,
        Math.min(remainingTrialCount, 100),
      )
      remainingTrialCount -= trialCount
      totalResult.trialCount += trialCount
      totalResult.staleCount += staleCount
      totalResult.longestMs = Math.max(totalResult.longestMs, longestMs)
      printResult(`staleness on the other process: ${change.name}`, totalResult)
    }
  }
}

async function renewToken(visitor: HttpTestClient, clientCopies: HttpTestClient[]): Promise<void> {
  const { status, body } = await visitor.post('/api/auth/refresh')
  if (status !== 200) throw new Error(`no new token: ${status}`)
  visitor.accessToken = body.access_token
  for (const clientCopy of clientCopies) clientCopy.accessToken = visitor.accessToken
}

const BENCHMARK_PARTS: Record<string, (installation: TestInstallation) => Promise<void>> = {
  reads: measureReadsOnPostgres,
  cost: measureRequestCost,
  overload: measureOverload,
  kills: async (household) => {
    printResult(
      'ten processes killed with SIGKILL',
      await writeDuringFailure(household, 6, () => killProcessesInTurn(household, 10)),
    )
  },
  redis: measureRedisOutage,
  postgres: measurePostgresOutage,
  stale: measureStaleness,
}

const selectedParts = process.argv.slice(2)
printResult('machine', { cores: availableParallelism(), model: cpus()[0]?.model, node: process.version })
if (selectedParts.length === 0 || selectedParts.includes('sqlite')) await measureReadsOnSqlite()
if (selectedParts.length === 1 && selectedParts[0] === 'sqlite') process.exit(0)
const installation = await startTestInstallation()
try {
  for (const [name, measurePart] of Object.entries(BENCHMARK_PARTS))
    if (selectedParts.length === 0 || selectedParts.includes(name)) await measurePart(installation)
} finally {
  await installation.stop()
}
process.exit(0)
