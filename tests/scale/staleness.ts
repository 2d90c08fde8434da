/** What one process changes and another must know at once, at the length that is asked for (see scenarios.ts). */
import type { Household } from '../support/processes.ts'
import { Visitor } from '../support/visitor.ts'
import { adminOf, newVisitor } from './scenarios.ts'

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
