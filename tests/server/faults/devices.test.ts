/**
 * Two devices of one profile, 500 mixed writes each on 20 titles, over a network that loses and repeats requests and
 * loses replies. What is checked: the state at the end is that of some serial order, everything acknowledged last counts
 * (nothing is lost), there is one row of everything, and progress is that of the newest report since the last reset.
 */
import { afterEach, expect, it } from 'vitest'
import { addAccount, DATABASES, startServer, type TestServer } from '../../support/server.ts'
import { addMovies, movie } from '../admin/service.ts'
import { seeded, Unlucky } from './network.ts'
import { type Deed, type State, states } from './serial.ts'

const TITLES = 20
const WRITES = 500
const DURATION = 1_000
const STATES = ['planned', 'watching', 'completed'] as const

let server: TestServer
afterEach(() => server.close())

it.each(DATABASES)(
  'two devices and a bad network end as some serial order would (%s)',
  async (_name, open) => {
    server = await startServer({ database: await open() })
    const account = await addAccount(server, 'alice@example.com')
    const ids = await addMovies(
      { server },
      Array.from({ length: TITLES }, (_, at) => movie(at + 1)),
    )
    const devices = await Promise.all([1, 2].map(() => signedIn(account.email)))
    const profile = (await devices[0]?.post('/api/profile', { name: 'Alice' }))?.body.profile_id as string
    const draw = seeded(20_261_121)
    const deeds: Deed[] = []
    let clock = 0
    const base = Date.now() - 3_600_000
    await Promise.all(
      devices.map(async (device, which) => {
        device.profileId = profile
        device.faults = { draw: seeded(which + 7), lost: 0.1, repeated: 0.1, unanswered: 0.1 }
        for (let count = 0; count < WRITES; count++) {
          const deed = make(ids[Math.floor(draw() * TITLES)] ?? '', draw, base + count * 2_000 + which)
          const began = clock++
          const answer = await device.insist(deed.method, deed.path(profile), deed.body)
          expect([200, 204]).toContain(answer.status)
          await Promise.all(device.late.splice(0))
          deeds.push({ ...deed, device: which, began, ended: clock++ })
        }
      }),
    )
    expect(deeds).toHaveLength(2 * WRITES)
    const db = server.database.primary
    for (const id of ids) {
      const of = (table: 'watchlist_entry' | 'feedback' | 'progress') =>
        db.selectFrom(table).selectAll().where('title_id', '=', Number(id)).execute()
      const [lists, said, progress] = await Promise.all([
        of('watchlist_entry'),
        of('feedback'),
        of('progress'),
      ])
      expect([lists.length <= 1, said.length <= 1, progress.length <= 1]).toEqual([true, true, true])
      const entry = (await devices[0]?.get(`/api/profile/${profile}/watchlist/movie/${id}`))?.body
      const rated = (await devices[0]?.get(`/api/profile/${profile}/feedback/movie/${id}`))?.body
      const { latest } = (await devices[0]?.get(`/api/profile/${profile}/history/movie/${id}`))?.body ?? {}
      const end: State = {
        list: entry.in_watchlist ? `${entry.state}` : 'out',
        favorite: String(entry.favorite),
        feedback: String(rated.feedback),
        progress: latest ? String(latest.progress) : 'none',
      }
      const mine = deeds.filter((one) => one.id === id)
      for (const [part, value] of Object.entries(end) as [keyof State, string][])
        expect([...states(mine, part)], `${part} of ${id}`).toContain(value)
    }
  },
  90_000,
)

async function signedIn(email: string): Promise<Unlucky> {
  const device = new Unlucky(server)
  await device.login(email)
  return device
}

/** A random write and what it does, in words that the checker knows. */
function make(
  id: string,
  draw: () => number,
  at: number,
): Omit<Deed, 'device' | 'began' | 'ended'> & Request {
  const pick = <T>(all: readonly T[]) => all[Math.floor(draw() * all.length)] as T
  const on = (rest: string) => (profile: string) => `/api/profile/${profile}/${rest}`
  const kind = pick(['in', 'out', 'state', 'favorite', 'rate', 'progress', 'progress', 'reset'] as const)
  if (kind === 'in' || kind === 'out') {
    const body = { in_watchlist: kind === 'in' }
    return { id, kind, value: '', at, method: 'PUT', path: on(`watchlist/movie/${id}/toggle`), body }
  }
  if (kind === 'state') {
    const value = pick(STATES)
    return { id, kind, value, at, method: 'PUT', path: on(`watchlist/movie/${id}/state/${value}`), body: {} }
  }
  if (kind === 'favorite') {
    const favorite = draw() < 0.5
    const path = on(`watchlist/movie/${id}`)
    return { id, kind, value: String(favorite), at, method: 'PUT', path, body: { favorite } }
  }
  if (kind === 'rate') {
    const feedback = pick(['like', 'dislike', null])
    const value = feedback === null ? 'null' : `${feedback}d`
    return { id, kind, value, at, method: 'PUT', path: on(`feedback/movie/${id}`), body: { feedback } }
  }
  if (kind === 'reset')
    return { id, kind, value: '', at, method: 'DELETE', path: on(`history/movie/${id}`), body: undefined }
  const seconds = 1 + Math.floor(draw() * (DURATION - 1))
  const body = {
    type: 'movie',
    media_id: id,
    progress: seconds,
    data: { video_duration: DURATION },
    at: new Date(at).toISOString(),
  }
  return { id, kind, value: String(seconds), at, method: 'POST', path: on('history'), body }
}

interface Request {
  method: string
  path: (profile: string) => string
  body: unknown
}
