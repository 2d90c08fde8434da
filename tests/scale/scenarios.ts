/**
 * Failure scenarios for several server processes. The tests run them briefly, and bench/scale/ runs them at full
 * length.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { HttpTestClient } from '../support/http-test-client.ts'
import type { TestInstallation } from '../support/server-processes.ts'

/** Signs in as the administrator and selects the main profile. Throws if the sign-in fails. */
export async function signInAdmin(
  installation: Pick<TestInstallation, 'admin' | 'url'>,
  url = installation.url,
): Promise<HttpTestClient> {
  const client = new HttpTestClient(url)
  const { status } = await client.login(installation.admin.email, installation.admin.password)
  if (status !== 200) throw new Error(`the administrator cannot sign in: ${status}`)
  const { results } = (await client.get('/api/profile')).body
  client.profileId = results[0].profile_id
  return client
}

/** Creates an account with one profile and signs in to the account. Throws if the account cannot be created. */
export async function createUserClient(
  admin: HttpTestClient,
  name: string,
): Promise<HttpTestClient & { userId: string }> {
  const [email, password] = [`${name}@example.com`, 'Lumiere1895']
  const creationResponse = await admin.post('/api/auth/user', { email, password })
  if (creationResponse.status !== 201)
    throw new Error(
      `account not created: ${creationResponse.status} ${JSON.stringify(creationResponse.body)}`,
    )
  const client = new HttpTestClient(admin.url)
  await client.login(email, password)
  client.profileId = (await client.post('/api/profile', { name })).body.profile_id
  return Object.assign(client, { userId: creationResponse.body.user_id as string })
}

export async function loadTitleIds(client: HttpTestClient, count: number): Promise<string[]> {
  const { body } = await client.get(`/api/movies?limit=${count}`)
  return body.results.map((title: { id: string }) => title.id)
}

export interface WriteRunResult {
  /** Number of successful writes. */
  acknowledgedCount: number
  /** Number of pairs of a device and a title whose last acknowledged write was not stored. */
  lostCount: number
  /** Number of failed writes. */
  failedCount: number
  /** Duration of the longest burst of failures (see computeLongestBurstMs). */
  longestBurstMs: number
  /** Number of failures by HTTP status; 0 is a failed connection. */
  failureCountsByStatus: Record<string, number>
}

/**
 * Saves progress continuously from several devices, each with its own account, until `causeFailure` resolves. Then
 * reads every value again and compares the value with the last acknowledged value.
 */
export async function writeDuringFailure(
  installation: TestInstallation,
  deviceCount: number,
  causeFailure: () => Promise<void>,
): Promise<WriteRunResult> {
  const admin = await signInAdmin(installation)
  const clients: HttpTestClient[] = []
  for (let index = 0; index < deviceCount; index += 1)
    clients.push(await createUserClient(admin, `writer${Date.now()}x${index}`))
  const titleIds = await loadTitleIds(admin, 40)
  const failureTimesMs: number[] = []
  const failureCountsByStatus: Record<string, number> = {}
  let acknowledgedCount = 0
  let isRunning = true
  const lastWritesByTitleByClient = clients.map(
    () => new Map<string, { progress: number; isCertain: boolean }>(),
  )
  const writePromises = clients.map(async (client, index) => {
    for (let round = 0; isRunning; round += 1) {
      const titleId = titleIds[round % titleIds.length] as string
      const progress = 10 + round
      const { status } = await client.post(`/api/profile/${client.profileId}/history`, {
        type: 'movie',
        media_id: titleId,
        progress,
        data: { video_duration: 100_000 },
      })
      if (status === 200) {
        acknowledgedCount += 1
        lastWritesByTitleByClient[index]?.set(titleId, { progress, isCertain: true })
        continue
      }
      failureTimesMs.push(performance.now())
      failureCountsByStatus[status] = (failureCountsByStatus[status] ?? 0) + 1
      // A failed write may still have been stored, so the value is uncertain until the next write is acknowledged.
      const lastWrite = lastWritesByTitleByClient[index]?.get(titleId)
      if (lastWrite)
        lastWritesByTitleByClient[index]?.set(titleId, { progress: lastWrite.progress, isCertain: false })
      await pause(50)
    }
  })
  await causeFailure()
  isRunning = false
  await Promise.all(writePromises)
  await waitUntilInstallationReady(installation)
  let lostCount = 0
  for (const [index, client] of clients.entries())
    for (const [titleId, { progress, isCertain }] of lastWritesByTitleByClient[index] ?? []) {
      const { body } = await client.get(`/api/profile/${client.profileId}/history/movie/${titleId}`)
      const storedProgress = body.latest?.progress ?? 0
      if (isCertain ? storedProgress !== progress : storedProgress < progress) lostCount += 1
    }
  return {
    acknowledgedCount,
    lostCount,
    failedCount: failureTimesMs.length,
    longestBurstMs: computeLongestBurstMs(failureTimesMs),
    failureCountsByStatus,
  }
}

/** Returns the duration of the longest burst in ms. Failures at most one second apart belong to the same burst. */
export function computeLongestBurstMs(failureTimesMs: number[]): number {
  let longestBurstMs = 0
  let burstStartMs = Number.NEGATIVE_INFINITY
  let lastFailureMs = Number.NEGATIVE_INFINITY
  for (const timeMs of failureTimesMs.toSorted((a, b) => a - b)) {
    if (timeMs - lastFailureMs > 1_000) burstStartMs = timeMs
    lastFailureMs = timeMs
    longestBurstMs = Math.max(longestBurstMs, lastFailureMs - burstStartMs)
  }
  return Math.round(longestBurstMs)
}

/** Waits until the proxy and every process are ready. Returns the waiting time in ms; throws after `timeoutMs`. */
export async function waitUntilInstallationReady(
  installation: TestInstallation,
  timeoutMs = 30_000,
): Promise<number> {
  const startedAtMs = performance.now()
  for (;;) {
    const responses = await Promise.all(
      [installation.url, ...installation.processes.map((serverProcess) => serverProcess.url)].map((url) =>
        new HttpTestClient(url).get('/api/health/ready'),
      ),
    )
    if (responses.every(({ status }) => status === 200)) return Math.round(performance.now() - startedAtMs)
    if (performance.now() - startedAtMs > timeoutMs) throw new Error(`not ready again after ${timeoutMs} ms`)
    await pause(50)
  }
}

/** Kills the processes in turn with SIGKILL, `killCount` times in total. Restarts each process immediately. */
export async function killProcessesInTurn({ processes }: TestInstallation, killCount: number): Promise<void> {
  for (let round = 0; round < killCount; round += 1) {
    await pause(700)
    const killedProcess = processes[round % processes.length]
    await killedProcess?.kill()
    await killedProcess?.start()
  }
  await pause(300)
}

export interface RequestDelays {
  /** Time from the request of the child until the parent has the notice, in ms. */
  noticeDelayMs: number
  /** Time from the answer of the parent until the child may see the title, in ms. */
  answerDelayMs: number
}

/**
 * Measures the delays of a watch request: a child asks for a title on one process, and a parent answers on the other
 * process. Both devices listen to an event stream and reload data after an event, as pages do. Throws if the server
 * rejects the request, or if the child may see the title before the answer.
 */
export async function measureWatchRequestDelays(
  { processes }: TestInstallation,
  parent: HttpTestClient,
  child: HttpTestClient,
  requestedTitle: { id: string; title: string },
): Promise<RequestDelays> {
  const [parentUrl, childUrl] = processes.map(({ url }) => url) as [string, string]
  const [parentDevice, childDevice] = [parent.withServer(parentUrl), child.withServer(childUrl)]
  const childPath = `/api/profile/${child.profileId}`
  const noticesPath = `/api/profile/${parent.profileId}/notifications/movies`
  const [parentEvents, childEvents] = await Promise.all([
    openEventStream(parentDevice),
    openEventStream(childDevice),
  ])
  try {
    const hasNotice = async () =>
      (await parentDevice.get(noticesPath)).body.results.some(
        ({ kind, media }: { kind: string; media: { id: string } }) =>
          kind === 'request' && media.id === requestedTitle.id,
      )
    const requestedAtMs = performance.now()
    const { status, body } = await childDevice.post(`${childPath}/requests`, {
      name: requestedTitle.title,
      type: 'movie',
      media_id: requestedTitle.id,
    })
    if (status !== 201) throw new Error(`not asked: ${status} ${JSON.stringify(body)}`)
    const noticeDelayMs = (await parentEvents.waitUntil('notices', hasNotice)) - requestedAtMs
    const canLoadTitle = async () =>
      (await childDevice.get(`/api/movies/${requestedTitle.id}`)).status === 200
    if (await canLoadTitle()) throw new Error('the title is visible without an answer')
    const answeredAtMs = performance.now()
    await parentDevice.put(`/api/user/requests/${body.request_id}`, { answer: 'week' })
    const answerDelayMs = (await childEvents.waitUntil('requests', canLoadTitle)) - answeredAtMs
    return { noticeDelayMs, answerDelayMs }
  } finally {
    await Promise.all([parentEvents.stop(), childEvents.stop()])
  }
}

/**
 * Opens the event stream of a device. `waitUntil` checks a condition after each event of `eventKind`, and returns the
 * time at which the condition is met (`performance.now()`). `waitUntil` throws if the stream ends earlier.
 */
async function openEventStream({ url, accessToken }: HttpTestClient) {
  const abortController = new AbortController()
  const response = await fetch(`${url}/api/events`, {
    headers: { Authorization: `Bearer ${accessToken}` },
    signal: abortController.signal,
  })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const waitUntil = async (eventKind: string, isConditionMet: () => Promise<boolean>): Promise<number> => {
    for (;;) {
      const { done: isDone, value: eventBytes } = await reader.read()
      if (isDone) throw new Error('the event stream ended')
      if (new TextDecoder().decode(eventBytes).includes(`"kind":"${eventKind}"`) && (await isConditionMet()))
        return performance.now()
    }
  }
  return { waitUntil, stop: async () => abortController.abort() }
}
