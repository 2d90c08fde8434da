/** What happens to a village's server, at the length that is asked for: the tests run it short, bench/scale/ runs it whole. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Household } from '../support/processes.ts'
import { Visitor } from '../support/visitor.ts'

/** The administrator's device, with the main profile acting. */
export async function adminOf(household: Household, url = household.url): Promise<Visitor> {
  const visitor = new Visitor(url)
  const { status } = await visitor.login(household.admin.email, household.admin.password)
  if (status !== 200) throw new Error(`the administrator cannot sign in: ${status}`)
  const { results } = (await visitor.get('/api/profile')).body
  visitor.profileId = results[0].profile_id
  return visitor
}

/** A new account with one profile, signed in. */
export async function newVisitor(admin: Visitor, name: string): Promise<Visitor & { userId: string }> {
  const [email, password] = [`${name}@example.com`, 'Lumiere1895']
  const made = await admin.post('/api/auth/user', { email, password })
  if (made.status !== 201) throw new Error(`no account: ${made.status} ${JSON.stringify(made.body)}`)
  const visitor = new Visitor(admin.url)
  await visitor.login(email, password)
  visitor.profileId = (await visitor.post('/api/profile', { name })).body.profile_id
  return Object.assign(visitor, { userId: made.body.user_id as string })
}

export async function titleIds(visitor: Visitor, count: number): Promise<string[]> {
  const { body } = await visitor.get(`/api/movies?limit=${count}`)
  return body.results.map((one: { id: string }) => one.id)
}

export interface WriteRun {
  acknowledged: number
  /** Acknowledged and not there afterwards. */
  lost: number
  failed: number
  /** Longest time from the first failure to the last of one trouble, in ms. */
  longestBurstMs: number
  /** Statuses that failures had; 0 is a broken connection. */
  statuses: Record<string, number>
}

/**
 * Devices write without pause, each to titles of its own, while `trouble` goes on; then every title is read again and
 * compared with the last value that was acknowledged for it.
 */
export async function writeDuring(
  household: Household,
  devices: number,
  trouble: () => Promise<void>,
): Promise<WriteRun> {
  const admin = await adminOf(household)
  const visitors: Visitor[] = []
  for (let at = 0; at < devices; at += 1) visitors.push(await newVisitor(admin, `writer${Date.now()}x${at}`))
  const ids = await titleIds(admin, 40)
  const failures: number[] = []
  const statuses: Record<string, number> = {}
  let acknowledged = 0
  let on = true
  const known = visitors.map(() => new Map<string, { last: number; sure: boolean }>())
  const work = visitors.map(async (visitor, at) => {
    for (let turn = 0; on; turn += 1) {
      const id = ids[turn % ids.length] as string
      const progress = 10 + turn
      const { status } = await visitor.post(`/api/profile/${visitor.profileId}/history`, {
        type: 'movie',
        media_id: id,
        progress,
        data: { video_duration: 100_000 },
      })
      if (status === 200) {
        acknowledged += 1
        known[at]?.set(id, { last: progress, sure: true })
        continue
      }
      failures.push(performance.now())
      statuses[status] = (statuses[status] ?? 0) + 1
      // A write that failed may have happened or not: both are right, until the next one is acknowledged.
      const before = known[at]?.get(id)
      if (before) known[at]?.set(id, { last: before.last, sure: false })
      await pause(50)
    }
  })
  await trouble()
  on = false
  await Promise.all(work)
  await untilFine(household)
  let lost = 0
  for (const [at, visitor] of visitors.entries())
    for (const [id, { last, sure }] of known[at] ?? []) {
      const { body } = await visitor.get(`/api/profile/${visitor.profileId}/history/movie/${id}`)
      const found = body.latest?.progress ?? 0
      if (sure ? found !== last : found < last) lost += 1
    }
  return { acknowledged, lost, failed: failures.length, longestBurstMs: longestBurst(failures), statuses }
}

/** Failures with less than a second between them are one burst. */
export function longestBurst(at: number[]): number {
  let longest = 0
  let start = Number.NEGATIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (const time of at.toSorted((a, b) => a - b)) {
    if (time - last > 1_000) start = time
    last = time
    longest = Math.max(longest, last - start)
  }
  return Math.round(longest)
}

export async function untilFine(household: Household, timeoutMs = 30_000): Promise<number> {
  const started = performance.now()
  for (;;) {
    const answers = await Promise.all(
      [household.url, ...household.processes.map((one) => one.url)].map((url) =>
        new Visitor(url).get('/api/health/ready'),
      ),
    )
    if (answers.every(({ status }) => status === 200)) return Math.round(performance.now() - started)
    if (performance.now() - started > timeoutMs) throw new Error(`not ready again after ${timeoutMs} ms`)
    await pause(50)
  }
}

/** kill -9 of one process after the other, each started again at once, `times` altogether. */
export async function killInTurn({ processes }: Household, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await pause(700)
    const victim = processes[time % processes.length]
    await victim?.kill()
    await victim?.up()
  }
  await pause(300)
}

export interface Change {
  name: string
  /** On one process; resolves once it is acknowledged. */
  make: (visitor: Visitor, forbidden: boolean) => Promise<number>
  /** On the other process: what somebody is told who must not (or may again) get through. */
  look: (visitor: Visitor) => Promise<boolean>
}

export interface Staleness {
  trials: number
  /** Answers that were given after the acknowledgement and were still the old ones. */
  stale: number
  /** Until the right answer came, at most, in ms; 0 when the very first was right. */
  longestMs: number
}

/** Makes a change on one process and looks on the other at once, back and forth. */
export async function changeAndLook(
  change: Change,
  { on, from, by }: { on: Visitor; from: Visitor; by: Visitor[] },
  trials: number,
): Promise<Staleness> {
  if (trials % 2 === 1) throw new Error('an odd number of trials would leave it forbidden')
  let [stale, longestMs] = [0, 0]
  let over = false
  // Slow readers that keep filling every cache with what they saw last.
  const readers = by.map(async (reader) => {
    while (!over) await change.look(reader)
  })
  for (let trial = 0; trial < trials; trial += 1) {
    const forbidden = trial % 2 === 0
    const status = await change.make(on, forbidden)
    if (status >= 300) throw new Error(`${change.name} was not done: ${status}`)
    const started = performance.now()
    while ((await change.look(from)) === forbidden) {
      stale += 1
      longestMs = Math.max(longestMs, performance.now() - started)
      if (performance.now() - started > 10_000) throw new Error(`${change.name} was never seen`)
    }
  }
  over = true
  await Promise.all(readers)
  return { trials, stale, longestMs: Math.round(longestMs) }
}

/** Everything whose old answer would let somebody see or do what they must not. */
export async function securityChanges(
  household: Household,
): Promise<{ changes: Change[]; admin: Visitor; viewer: Visitor & { userId: string }; other: Visitor }> {
  const [first] = household.processes
  const admin = await adminOf(household, first?.url)
  const viewer = await newVisitor(admin, `viewer${Date.now()}`)
  const { results } = (await admin.get('/api/movies?limit=50')).body
  const adult = results.find((one: { safe_for_kids: boolean }) => !one.safe_for_kids)
  const plain = results.find((one: { id: string }) => one.id !== adult.id)
  const ok = async (visitor: Visitor, path: string) => (await visitor.get(path)).status === 200
  const inList = async (visitor: Visitor, id: string) =>
    (await visitor.get('/api/movies?limit=50')).body.results.some((one: { id: string }) => one.id === id)
  let block: string | null = null
  const pin = '4711'
  const password = 'Lumiere1895'
  // A profile beside the main one, which alone may become a kids profile; and another device of the same account.
  const second = (await viewer.post('/api/profile', { name: 'Second' })).body.profile_id
  const other = new Visitor(viewer.url)
  await other.login((await viewer.get('/api/auth/me')).body.email, password)
  other.profileId = viewer.profileId
  return {
    admin,
    viewer,
    other,
    changes: [
      {
        name: 'publish',
        make: async (by, off) =>
          (await by.patch(`/api/movies/${plain.id}/publish`, { published: !off })).status,
        look: (by) => ok(by, `/api/movies/${plain.id}`),
      },
      {
        name: 'publish, in lists',
        make: async (by, off) =>
          (await by.patch(`/api/movies/${plain.id}/publish`, { published: !off })).status,
        look: (by) => inList(by, plain.id),
      },
      {
        name: 'block list',
        make: async (by, off) => {
          if (!off) return (await by.delete(`/api/blocklist/${block}`)).status
          const made = await by.post('/api/blocklist', { type: 'movie', media_id: plain.id })
          block = made.body.id
          return made.status
        },
        look: (by) => ok(by, `/api/movies/slug/${plain.slug}`),
      },
      {
        name: 'role',
        make: async (by, off) =>
          (await by.put('/api/auth/user', { user_id: viewer.userId, role: off ? 'user' : 'admin' })).status,
        look: (by) => ok(by, '/api/settings'),
      },
      {
        name: 'kids',
        make: async (by, off) =>
          (await viewer.at(by.url).put(`/api/profile/${second}`, { kids: off, password })).status,
        look: (by) => ok(Object.assign(viewer.at(by.url), { profileId: second }), `/api/movies/${adult.id}`),
      },
      {
        name: 'PIN',
        make: async (by, off) => {
          const here = viewer.at(by.url)
          const path = `/api/profile/${viewer.profileId}`
          return off
            ? (await here.post(`${path}/lock`, { pin, password })).status
            : (await here.put(`${path}/remove-lock`, { password })).status
        },
        look: (by) => ok(other.at(by.url), `/api/profile/${viewer.profileId}/watchlist`),
      },
    ],
  }
}
