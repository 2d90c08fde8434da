/**
 * Creates the demo household. It has four profiles with sample data, so that no section of the demo is empty.
 */
import { randomInt } from 'node:crypto'
import { insertAccount } from '../../queries/account.ts'
import { setTitleFeedback } from '../../queries/feedback.ts'
import type { AccountRow } from '../../queries/login.ts'
import { type PopularTitle, selectPopularTitles } from '../../queries/popular-title.ts'
import { insertProfile } from '../../queries/profile.ts'
import { insertViewing, upsertProgress } from '../../queries/progress.ts'
import { upsertWatchlistEntry } from '../../queries/watchlist.ts'
import { buildAccount } from '../accounts/accounts.ts'
import { createRandomId } from '../auth/secret.ts'
import type { Deps } from '../deps.ts'
import { hashPin } from '../profiles/pin.ts'

const HOUR_MS = 3_600_000
const FIRST_ADMIN_EMAIL = 'admin@marquee.local'

export interface FirstCredentials {
  email: string
  password: string
  /** PIN of the locked demo profile. */
  pin?: string
}

/**
 * Returns a random password that satisfies the password rule. It contains no characters that are easily
 * confused.
 */
export function generatePassword(): string {
  const pickRandom = (letters: string, count: number) =>
    Array.from({ length: count }, () => letters[randomInt(letters.length)]).join('')
  return `${pickRandom('ABCDEFGHJKLMNPQRSTUVWXYZ', 4)}-${pickRandom('abcdefghijkmnpqrstuvwxyz', 4)}-${pickRandom('23456789', 4)}`
}

/**
 * Creates the first administrator in an empty database. Also creates the demo household when the demo is
 * enabled.
 */
export async function createFirstAccount(deps: Deps): Promise<FirstCredentials> {
  const password = generatePassword()
  const account = await buildAccount(deps, { email: FIRST_ADMIN_EMAIL, password, role: 'admin' })
  if (!deps.config.demo) {
    await insertAccount(deps.database.primary, account)
    return { email: FIRST_ADMIN_EMAIL, password }
  }
  const pin = String(randomInt(10_000)).padStart(4, '0')
  await createHousehold(deps, { ...account, onboarded: 1 }, pin)
  return { email: FIRST_ADMIN_EMAIL, password, pin }
}

async function createHousehold(deps: Deps, account: AccountRow, pin: string): Promise<void> {
  const movies = await selectPopularTitles(deps.database.primary, 'movie', 60)
  const series = await selectPopularTitles(deps.database.primary, 'tv', 30)
  const ids = {
    main: createRandomId(),
    kids: createRandomId(),
    locked: createRandomId(),
    arabic: createRandomId(),
  }
  const pinHash = await hashPin(deps, ids.locked, pin)
  await deps.database.primary.transaction().execute(async (trx) => {
    await insertAccount(trx, account)
    const addProfile = (id: string, name: string, avatar: number, overrides: object) =>
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
        ...overrides,
      })
    await addProfile(ids.main, 'Alex', 1, { main: 1 })
    await addProfile(ids.kids, 'Sunny', 5, {
      kids: 1,
      content_genres: JSON.stringify({ movie: [16, 10751], tv: [16, 10762] }),
    })
    await addProfile(ids.locked, 'Robin', 9, { pin_hash: pinHash })
    await addProfile(ids.arabic, 'ليلى', 12, { language: 'ar' })
    const selectKidsTitles = (titles: PopularTitle[]) => titles.filter((title) => title.safe_for_kids === 1)
    for (const [index, [id, profileMovies, profileSeries]] of [
      [ids.main, movies, series],
      [ids.kids, selectKidsTitles(movies), selectKidsTitles(series)],
      [ids.locked, movies.slice(12), series.slice(4)],
      [ids.arabic, movies.slice(5), series.slice(2)],
    ].entries() as IterableIterator<[number, [string, PopularTitle[], PopularTitle[]]]>) {
      await addSampleActivity(trx, {
        deps,
        profileId: id,
        movies: profileMovies,
        series: profileSeries,
        offset: index,
      })
    }
  })
}

interface SampleActivity {
  deps: Deps
  profileId: string
  movies: PopularTitle[]
  series: PopularTitle[]
  offset: number
}

/**
 * Adds sample data to a profile: progress, watchlist entries, feedback, and a partly watched season of a
 * series.
 */
async function addSampleActivity(
  trx: Parameters<typeof upsertProgress>[0],
  { deps, profileId, movies, series, offset }: SampleActivity,
): Promise<void> {
  const nowMs = deps.now()
  const getTimeHoursAgo = (hours: number) => nowMs - hours * HOUR_MS
  const profileColumn = { profile_id: profileId }
  const [halfWatched, watched, liked, disliked, planned, alsoPlanned] = movies.slice(offset)
  const [inProgress, queued] = series.slice(offset)
  const addProgress = async (
    title: PopularTitle,
    watchedShare: number,
    hours: number,
    season = 0,
    episode = 0,
  ) => {
    const durationSeconds = title.runtime ?? 2_700
    const finished = watchedShare >= 0.9 ? 1 : 0
    const row = {
      ...profileColumn,
      title_id: title.title_id,
      season_number: season,
      episode_number: episode,
      progress: Math.round(durationSeconds * watchedShare),
      duration: durationSeconds,
      finished,
      plays: finished,
      updated_at: getTimeHoursAgo(hours),
    }
    await upsertProgress(trx, row)
    if (finished) await insertViewing(trx, row)
  }
  const addToWatchlist = (title: PopularTitle, state: string, hours: number) =>
    upsertWatchlistEntry(trx, {
      ...profileColumn,
      title_id: title.title_id,
      in_watchlist: 1,
      state,
      favorite: 0,
      added_at: getTimeHoursAgo(hours),
      updated_at: getTimeHoursAgo(hours),
    })
  if (halfWatched) await addProgress(halfWatched, 0.42, 20)
  if (watched) await addProgress(watched, 1, 90)
  if (watched) await addToWatchlist(watched, 'completed', 95)
  if (liked)
    await setTitleFeedback(trx, {
      profileId,
      titleId: liked.title_id,
      feedback: 'liked',
      nowMs: getTimeHoursAgo(50),
    })
  if (disliked)
    await setTitleFeedback(trx, {
      profileId,
      titleId: disliked.title_id,
      feedback: 'disliked',
      nowMs: getTimeHoursAgo(60),
    })
  if (planned) await addToWatchlist(planned, 'planned', 30)
  if (alsoPlanned) await addToWatchlist(alsoPlanned, 'planned', 31)
  if (inProgress) {
    await addProgress(inProgress, 1, 30, 1, 1)
    await addProgress(inProgress, 1, 28, 1, 2)
    await addProgress(inProgress, 0.35, 4, 1, 3)
    await addToWatchlist(inProgress, 'watching', 40)
  }
  if (queued) await addToWatchlist(queued, 'planned', 35)
}
