/** What happens to a village's server, at the length that is asked for: the tests run it short, bench/scale/ runs it whole. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Household } from '../support/processes.ts'
import { Visitor } from '../support/visitor.ts'

/** The administrator's device, with the main profile acting. */
export async function adminOf(
  household: Pick<Household, 'admin' | 'url'>,
  url = household.url,
): Promise<Visitor> {
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
