/**
 * Kills a real server at random moments (SIGKILL) while it writes, takes a backup and rebuilds the search index. Every
 * acknowledged write must exist after the restart.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { HttpTestClient } from './http-test-client.ts'
import { prepareServerProcess } from './server-processes.ts'

const TITLE_COUNT = 40
/** Number of concurrent writers. Each writes to its own titles, so that the order of the writes per title is known. */
const WRITER_COUNT = 8
/** Watch states that do not change the playback position of a title, unlike the state `completed`. */
const WATCH_STATES = ['planned', 'watching'] as const

interface TrackedTitleState {
  watchState: string | null
  positionSeconds: number
}
/**
 * A title with its two allowed states after a kill: that of the last acknowledged write, and that of the write in
 * flight.
 */
interface TrackedTitle {
  id: string
  acknowledgedState: TrackedTitleState
  inFlightState: TrackedTitleState | null
}

export interface KillReport {
  finishedRoundCount: number
  acknowledgedWriteCount: number
  /** Number of titles with a write in flight when the server was killed. */
  inFlightWriteCount: number
  /** Acknowledged writes per second of writing time, over all rounds. */
  writesPerSecond: number
  /** Number of rounds in which a backup was running when the server was killed. */
  backupRoundCount: number
  /** Number of rounds in which a rebuild of the search index was running when the server was killed. */
  rebuildRoundCount: number
  /** One message for each title that had lost an acknowledged write after a restart. */
  lostWrites: string[]
}

/**
 * Runs `roundCount` rounds in one data folder with SQLite. Each round writes for 0.3 to 1.5 s during backups and
 * rebuilds of the search index, kills the server and then calls `onRoundDone`.
 */
export async function runKillRounds(
  roundCount: number,
  onRoundDone: (round: number) => void = () => {},
): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-kill-'))
  const server = await prepareServerProcess(folder, { DEMO: '1' })
  const report: KillReport = {
    finishedRoundCount: 0,
    acknowledgedWriteCount: 0,
    inFlightWriteCount: 0,
    writesPerSecond: 0,
    backupRoundCount: 0,
    rebuildRoundCount: 0,
    lostWrites: [],
  }
  let totalWriteMs = 0
  try {
    await server.start()
    const client = await signInToMainProfile(server.url, folder)
    const titles = await loadTitles(client)
    for (; report.finishedRoundCount < roundCount; report.finishedRoundCount++) {
      if (report.finishedRoundCount > 0) await server.start()
      if ((await client.get('/api/auth/me')).status !== 200) await signIn(client, folder)
      await recordLostWrites(client, titles, report)
      totalWriteMs += await writeUntilKilled(client, titles, report, server.kill)
      onRoundDone(report.finishedRoundCount + 1)
    }
    await server.start()
    await recordLostWrites(client, titles, report)
    report.writesPerSecond = Math.round(report.acknowledgedWriteCount / (totalWriteMs / 1_000))
    return report
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

const readSignInNote = (folder: string, label: string) =>
  new RegExp(`${label}: (.+)`).exec(readFileSync(join(folder, 'first-sign-in.txt'), 'utf8'))?.[1] ?? ''

async function signIn(client: HttpTestClient, folder: string): Promise<void> {
  await client.login(readSignInNote(folder, 'Email'), readSignInNote(folder, 'Password'))
}

async function signInToMainProfile(url: string, folder: string): Promise<HttpTestClient> {
  const client = new HttpTestClient(url)
  await signIn(client, folder)
  const { results } = (await client.get('/api/profile')).body
  client.profileId = results.find((profile: { main: boolean }) => profile.main).profile_id
  return client
}

async function loadTitles(client: HttpTestClient): Promise<TrackedTitle[]> {
  const { results } = (await client.get(`/api/movies?limit=${TITLE_COUNT}`)).body
  const titles: TrackedTitle[] = []
  for (const { id: titleId } of results as { id: string }[]) {
    await client.delete(`${buildProfilePath(client)}/history/movie/${titleId}`)
    titles.push({
      id: titleId,
      acknowledgedState: await readTitleState(client, titleId),
      inFlightState: null,
    })
  }
  return titles
}

const buildProfilePath = (client: HttpTestClient) => `/api/profile/${client.profileId}`

async function readTitleState(client: HttpTestClient, id: string): Promise<TrackedTitleState> {
  const watchlistResponse = await client.get(`${buildProfilePath(client)}/watchlist/movie/${id}`)
  const historyResponse = await client.get(`${buildProfilePath(client)}/history/movie/${id}`)
  if (watchlistResponse.status !== 200 || historyResponse.status !== 200)
    throw new Error(`cannot read title ${id}: ${watchlistResponse.status}, ${historyResponse.status}`)
  return {
    watchState: watchlistResponse.body.state,
    positionSeconds: historyResponse.body.latest?.progress ?? 0,
  }
}

async function recordLostWrites(
  client: HttpTestClient,
  titles: TrackedTitle[],
  report: KillReport,
): Promise<void> {
  for (const title of titles) {
    const storedState = await readTitleState(client, title.id)
    const matchesStoredState = (expectedState: TrackedTitleState | null) =>
      expectedState?.watchState === storedState.watchState &&
      expectedState.positionSeconds === storedState.positionSeconds
    if (!matchesStoredState(title.acknowledgedState) && !matchesStoredState(title.inFlightState))
      report.lostWrites.push(`title ${title.id}: ${JSON.stringify({ ...title, found: storedState })}`)
    Object.assign(title, { acknowledgedState: storedState, inFlightState: null })
  }
}

const JOB_PATHS = ['/api/admin/backups', '/api/settings/sync-search-engine']
/** Pause between two starts of the jobs. A job takes less time than a round, so each job is started repeatedly. */
const JOB_INTERVAL_MS = 25

/** Starts a backup and a rebuild of the search index again and again, until the server is killed. */
async function repeatJobs(client: HttpTestClient): Promise<void> {
  for (;;) {
    for (const path of JOB_PATHS) {
      const { status } = await client.post(path)
      if (status === 0) return
      if (status !== 202 && status !== 409) throw new Error(`${path} answered ${status}`)
    }
    await pause(JOB_INTERVAL_MS)
  }
}

async function recordRunningJobs(client: HttpTestClient, report: KillReport): Promise<void> {
  const { results } = (await client.get('/api/jobs')).body
  const runningKinds = (results as { kind: string; status: string }[])
    .filter(({ status }) => status === 'running')
    .map(({ kind }) => kind)
  if (runningKinds.includes('backup')) report.backupRoundCount++
  if (runningKinds.includes('search_sync')) report.rebuildRoundCount++
}

/**
 * Each writer takes its titles in turn. Each write changes the watch state or the position of one title. The writers
 * stop when a request fails because the server was killed. Returns the writing time in milliseconds.
 */
async function writeUntilKilled(
  client: HttpTestClient,
  titles: TrackedTitle[],
  report: KillReport,
  kill: () => Promise<void>,
): Promise<number> {
  const startedAtMs = performance.now()
  const writerPromises = Array.from({ length: WRITER_COUNT }, async (_, writerIndex) => {
    const ownTitles = titles.filter((_title, index) => index % WRITER_COUNT === writerIndex)
    for (let writeCount = 0; ; writeCount++) {
      const title = ownTitles[writeCount % ownTitles.length]
      if (!title) return
      const newState = { ...title.acknowledgedState }
      if (Math.random() < 0.5)
        newState.watchState = WATCH_STATES[Math.floor(Math.random() * WATCH_STATES.length)] ?? 'planned'
      else newState.positionSeconds += 1
      title.inFlightState = newState
      const { status } = await sendWrite(client, title, newState)
      if (status === 0) {
        report.inFlightWriteCount++
        return
      }
      if (status !== 200) throw new Error(`a write failed with status ${status}`)
      Object.assign(title, { acknowledgedState: newState, inFlightState: null })
      report.acknowledgedWriteCount++
    }
  })
  const jobLoopPromise = repeatJobs(client)
  await pause(300 + Math.random() * 1_200)
  await recordRunningJobs(client, report)
  const writeMs = performance.now() - startedAtMs
  await kill()
  await Promise.all([...writerPromises, jobLoopPromise])
  return writeMs
}

function sendWrite(
  client: HttpTestClient,
  { id, acknowledgedState }: TrackedTitle,
  newState: TrackedTitleState,
) {
  if (newState.positionSeconds === acknowledgedState.positionSeconds)
    return client.put(`${buildProfilePath(client)}/watchlist/movie/${id}/state/${newState.watchState}`)
  const body = {
    type: 'movie',
    media_id: id,
    progress: newState.positionSeconds,
    data: { video_duration: 1_000_000 },
  }
  return client.post(`${buildProfilePath(client)}/history`, body)
}
