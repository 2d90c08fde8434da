/** The demo household: four profiles with a life, so that no section is empty at first sight. */
import { randomInt } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { insertAccount } from '../queries/account.ts'
import { putFeedback } from '../queries/feedback.ts'
import type { AccountRow } from '../queries/login.ts'
import { insertProfile } from '../queries/profile.ts'
import { putProgress } from '../queries/progress.ts'
import { popularTitles, type SampleTitle } from '../queries/sample.ts'
import { putWatchlistEntry } from '../queries/watchlist.ts'
import { newAccount } from './accounts.ts'
import { storedPin } from './pin.ts'
import { randomId } from './secret.ts'

const HOUR_MS = 3_600_000
const EMAIL = 'admin@marquee.local'

export interface FirstSignIn {
  email: string
  password: string
  /** Of the profile that has one. */
  pin?: string
}

/** A password of the rule's four kinds that can be typed from a screen. */
export function randomPassword(): string {
  const pick = (letters: string, count: number) =>
    Array.from({ length: count }, () => letters[randomInt(letters.length)]).join('')
  return `${pick('ABCDEFGHJKLMNPQRSTUVWXYZ', 4)}-${pick('abcdefghijkmnpqrstuvwxyz', 4)}-${pick('23456789', 4)}`
}

/** The first administrator of an empty database; with the demo, a household around them. */
export async function createFirstAccount(deps: Deps): Promise<FirstSignIn> {
  const password = randomPassword()
  const account = await newAccount(deps, { email: EMAIL, password, role: 'admin' })
  if (!deps.config.demo) {
    await insertAccount(deps.database.primary, account)
    return { email: EMAIL, password }
  }
  const pin = String(randomInt(10_000)).padStart(4, '0')
  await createHousehold(deps, { ...account, onboarded: 1 }, pin)
  return { email: EMAIL, password, pin }
}

async function createHousehold(deps: Deps, account: AccountRow, pin: string): Promise<void> {
  const movies = await popularTitles(deps.database.primary, 'movie', 60)
  const series = await popularTitles(deps.database.primary, 'tv', 30)
  const ids = { main: randomId(), kids: randomId(), locked: randomId(), arabic: randomId() }
  const pinHash = await storedPin(deps, ids.locked, pin)
  await deps.database.primary.transaction().execute(async (trx) => {
    await insertAccount(trx, account)
    const profile = (id: string, name: string, avatar: number, more: object) =>
      insertProfile(trx, {
        profile_id: id,
        account_id: account.account_id,
        name,
        avatar,
        main: 0,
        kids: 0,
        language: 'en',
        pin_hash: null,
        content_genres: JSON.stringify({ movie: [18, 878, 53], tv: [80, 10765] }),
        autoplay_next: 1,
        autoplay_previews: 1,
        hide_spoilers: 0,
        created_at: deps.now() + avatar,
        ...more,
      })
    await profile(ids.main, 'Alex', 1, { main: 1 })
    await profile(ids.kids, 'Sunny', 5, {
      kids: 1,
      content_genres: JSON.stringify({ movie: [16, 10751], tv: [16, 10762] }),
    })
    await profile(ids.locked, 'Robin', 9, { pin_hash: pinHash })
    await profile(ids.arabic, 'ليلى', 12, { language: 'ar' })
    const kids = (list: SampleTitle[]) => list.filter((title) => title.safe_for_kids === 1)
    for (const [place, [id, m, s]] of [
      [ids.main, movies, series],
      [ids.kids, kids(movies), kids(series)],
      [ids.locked, movies.slice(12), series.slice(4)],
      [ids.arabic, movies.slice(5), series.slice(2)],
    ].entries() as IterableIterator<[number, [string, SampleTitle[], SampleTitle[]]]>) {
      await live(trx, { deps, profileId: id, movies: m, series: s, offset: place })
    }
  })
}

interface Life {
  deps: Deps
  profileId: string
  movies: SampleTitle[]
  series: SampleTitle[]
  offset: number
}

/** Some history, a list, likes, and a series in the middle of a season. */
async function live(
  trx: Parameters<typeof putProgress>[0],
  { deps, profileId, movies, series, offset }: Life,
): Promise<void> {
  const now = deps.now()
  const ago = (hours: number) => now - hours * HOUR_MS
  const mine = { profile_id: profileId }
  const [half, seen, liked, disliked, planned, alsoPlanned] = movies.slice(offset)
  const [following, queued] = series.slice(offset)
  const progress = (title: SampleTitle, share: number, hours: number, season = 0, episode = 0) => {
    const duration = title.runtime ?? 2_700
    const finished = share >= 0.9 ? 1 : 0
    return putProgress(trx, {
      ...mine,
      title_id: title.title_id,
      season_number: season,
      episode_number: episode,
      progress: Math.round(duration * share),
      duration,
      finished,
      plays: finished,
      updated_at: ago(hours),
    })
  }
  const list = (title: SampleTitle, state: string, hours: number) =>
    putWatchlistEntry(trx, {
      ...mine,
      title_id: title.title_id,
      in_watchlist: 1,
      state,
      favorite: 0,
      added_at: ago(hours),
      updated_at: ago(hours),
    })
  if (half) await progress(half, 0.42, 20)
  if (seen) await progress(seen, 1, 90)
  if (seen) await list(seen, 'completed', 95)
  if (liked) await putFeedback(trx, { profileId, titleId: liked.title_id, feedback: 'liked', now: ago(50) })
  if (disliked)
    await putFeedback(trx, { profileId, titleId: disliked.title_id, feedback: 'disliked', now: ago(60) })
  if (planned) await list(planned, 'planned', 30)
  if (alsoPlanned) await list(alsoPlanned, 'planned', 31)
  if (following) {
    await progress(following, 1, 30, 1, 1)
    await progress(following, 1, 28, 1, 2)
    await progress(following, 0.35, 4, 1, 3)
    await list(following, 'watching', 40)
  }
  if (queued) await list(queued, 'planned', 35)
}
