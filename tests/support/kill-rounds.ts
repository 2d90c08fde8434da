/** A real server under write load, killed without a word at random moments: what it acknowledged must be there after. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeProcess } from './processes.ts'
import { Visitor } from './visitor.ts'

const TITLES = 20
/** Writers at a time; each has titles of its own, so that the order of its writes is known. */
const LANES = 4
const STATES = ['planned', 'watching', 'completed'] as const

interface Told {
  state: string | null
  seconds: number
}
/** What a title may be after a kill: what was acknowledged last, or the write that was on its way. */
interface Known {
  id: string
  sure: Told
  maybe: Told | null
}

export interface KillReport {
  rounds: number
  acknowledged: number
  /** Titles whose last write was on its way when the server died. */
  underway: number
  /** Sentences, one for each acknowledged write that was not there. */
  lost: string[]
}

/** Plays `rounds` rounds over one SQLite folder. `after` ends each: 50 ms to 650 ms of writing. */
export async function killRounds(
  rounds: number,
  tell: (round: number) => void = () => {},
): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-kill-'))
  const server = await makeProcess(folder, { DEMO: '1' })
  const report: KillReport = { rounds: 0, acknowledged: 0, underway: 0, lost: [] }
  try {
    await server.up()
    const visitor = await enter(server.url, folder)
    const titles = await titlesOf(visitor)
    for (; report.rounds < rounds; report.rounds++) {
      if (report.rounds > 0) await server.up()
      if ((await visitor.get('/api/auth/me')).status !== 200) await signIn(visitor, folder)
      await check(visitor, titles, report)
      await writeUntilDead(visitor, titles, report, server.kill)
      tell(report.rounds + 1)
    }
    await server.up()
    await check(visitor, titles, report)
    return report
  } finally {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}

const noteOf = (folder: string, label: string) =>
  new RegExp(`${label}: (.+)`).exec(readFileSync(join(folder, 'first-sign-in.txt'), 'utf8'))?.[1] ?? ''

async function signIn(visitor: Visitor, folder: string): Promise<void> {
  await visitor.login(noteOf(folder, 'E-mail'), noteOf(folder, 'Password'))
}

async function enter(url: string, folder: string): Promise<Visitor> {
  const visitor = new Visitor(url)
  await signIn(visitor, folder)
  const { results } = (await visitor.get('/api/profile')).body
  visitor.profileId = results.find((one: { main: boolean }) => one.main).profile_id
  return visitor
}

async function titlesOf(visitor: Visitor): Promise<Known[]> {
  const { results } = (await visitor.get(`/api/movies?limit=${TITLES}`)).body
  const titles: Known[] = []
  for (const { id } of results as { id: string }[]) {
    await visitor.delete(`${baseOf(visitor)}/history/movie/${id}`)
    titles.push({ id, sure: await read(visitor, id), maybe: null })
  }
  return titles
}

const baseOf = (visitor: Visitor) => `/api/profile/${visitor.profileId}`

async function read(visitor: Visitor, id: string): Promise<Told> {
  const list = await visitor.get(`${baseOf(visitor)}/watchlist/movie/${id}`)
  const history = await visitor.get(`${baseOf(visitor)}/history/movie/${id}`)
  if (list.status !== 200 || history.status !== 200)
    throw new Error(`no answer about ${id}: ${list.status}, ${history.status}`)
  return { state: list.body.state, seconds: history.body.latest?.progress ?? 0 }
}

async function check(visitor: Visitor, titles: Known[], report: KillReport): Promise<void> {
  for (const title of titles) {
    const found = await read(visitor, title.id)
    const fits = (told: Told | null) => told?.state === found.state && told.seconds === found.seconds
    if (!fits(title.sure) && !fits(title.maybe))
      report.lost.push(`title ${title.id}: ${JSON.stringify({ ...title, found })}`)
    Object.assign(title, { sure: found, maybe: null })
  }
}

/** Every lane writes to its titles in turn, a state or a position, until there is no answer any more. */
async function writeUntilDead(
  visitor: Visitor,
  titles: Known[],
  report: KillReport,
  kill: () => Promise<void>,
) {
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    const mine = titles.filter((_title, at) => at % LANES === lane)
    for (let count = 0; ; count++) {
      const title = mine[count % mine.length]
      if (!title) return
      const told = { ...title.sure }
      if (Math.random() < 0.5) told.state = STATES[Math.floor(Math.random() * STATES.length)] ?? 'planned'
      else told.seconds += 1
      title.maybe = told
      const { status } = await write(visitor, title, told)
      if (status === 0) {
        report.underway++
        return
      }
      if (status !== 200) throw new Error(`a write was answered ${status}`)
      Object.assign(title, { sure: told, maybe: null })
      report.acknowledged++
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 50 + Math.random() * 600))
  await kill()
  await Promise.all(lanes)
}

function write(visitor: Visitor, { id, sure }: Known, told: Told) {
  if (told.seconds === sure.seconds)
    return visitor.put(`${baseOf(visitor)}/watchlist/movie/${id}/state/${told.state}`)
  const body = { type: 'movie', media_id: id, progress: told.seconds, data: { video_duration: 1_000_000 } }
  return visitor.post(`${baseOf(visitor)}/history`, body)
}
