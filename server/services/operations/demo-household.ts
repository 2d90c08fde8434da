/**
 * Creates the first administrator and, in the demo, a household of four profiles with sample data, so that no section
 * of the demo is empty.
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
 * Returns a random password that satisfies the password rule. The password contains no characters that are
 * easily confused.
 */
export function generatePassword(): string {
  const pickRandom = (alphabet: string, count: number) =>
    Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${pickRandom('ABCDEFGHJKLMNPQRSTUVWXYZ', 4)}-${pickRandom('abcdefghijkmnpqrstuvwxyz', 4)}-${pickRandom('23456789', 4)}`
}

/**
 * Creates the first administrator in an empty database. Also creates the demo household when the demo is
 * enabled. Calls `saveCredentials` before the account exists. If the process ends in between, the next start creates
 * other credentials. In the opposite order, the operator would be locked out of an account with unknown credentials.
 */
export async function createFirstAccount(
  deps: Deps,
  saveCredentials: (credentials: FirstCredentials) => void,
): Promise<FirstCredentials> {
  const password = generatePassword()
  const account = await buildAccount(deps, { email: FIRST_ADMIN_EMAIL, password, role: 'admin' })
  if (!deps.config.isDemoEnabled) {
    const credentials = { email: FIRST_ADMIN_EMAIL, password }
    saveCredentials(credentials)
    await insertAccount(deps.database.primary, account)
    return credentials
  }
  const pin = String(randomInt(10_000)).padStart(4, '0')
  const credentials = { email: FIRST_ADMIN_EMAIL, password, pin }
  saveCredentials(credentials)
  await createHousehold(deps, { ...account, onboarded: 1 }, pin)
  return credentials
}

async function createHousehold(deps: Deps, account: AccountRow, pin: string): Promise<void> {
  const movies = await selectPopularTitles(deps.database.primary, 'movie', 60)
  const series = await selectPopularTitles(deps.database.primary, 'tv', 30)
  const profileIds = {
    main: createRandomId(),
    kids: createRandomId(),
    locked: createRandomId(),
    arabic: createRandomId(),
  }
  const { account_id } = account
  const pinHash = await hashPin(deps, { account_id, profile_id: profileIds.locked }, pin)
  await deps.database.primary.transaction().execute(async (trx) => {
    await insertAccount(trx, account)
    const addProfile = (profileId: string, name: string, avatar: number, overrides: object) =>
      insertProfile(trx, {
        profile_id: profileId,
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
    await addProfile(profileIds.main, 'Alex', 1, { main: 1 })
    await addProfile(profileIds.kids, 'Sunny', 5, {
      kids: 1,
      content_genres: JSON.stringify({ movie: [16, 10751], tv: [16, 10762] }),
    })
    await addProfile(profileIds.locked, 'Robin', 9, { pin_hash: pinHash })
    await addProfile(profileIds.arabic, 'ليلى', 12, { language: 'ar' })
    const selectKidsTitles = (titles: PopularTitle[]) => titles.filter((title) => title.safe_for_kids === 1)
    const profileTitles = [
      { profileId: profileIds.main, movies, series },
      { profileId: profileIds.kids, movies: selectKidsTitles(movies), series: selectKidsTitles(series) },
      { profileId: profileIds.locked, movies: movies.slice(12), series: series.slice(4) },
      { profileId: profileIds.arabic, movies: movies.slice(5), series: series.slice(2) },
    ]
    for (const [firstTitleIndex, titles] of profileTitles.entries())
      await addSampleActivity(trx, { deps, ...titles, firstTitleIndex })
  })
}

interface SampleActivity {
  deps: Deps
  profileId: string
  movies: PopularTitle[]
  series: PopularTitle[]
  firstTitleIndex: number
}

interface SampleProgress {
  /** Watched part of the title, 0 to 1. */
  watchedShare: number
  hoursAgo: number
  season?: number
  episode?: number
}

/**
 * Adds sample data to a profile: progress, watchlist entries, feedback, and a partly watched season of a
 * series.
 */
async function addSampleActivity(
  trx: Parameters<typeof upsertProgress>[0],
  { deps, profileId, movies, series, firstTitleIndex }: SampleActivity,
): Promise<void> {
  const nowMs = deps.now()
  const getPastTimeMs = (hoursAgo: number) => nowMs - hoursAgo * HOUR_MS
  const profileColumn = { profile_id: profileId }
  const [halfWatchedMovie, watchedMovie, likedMovie, dislikedMovie, plannedMovie, secondPlannedMovie] =
    movies.slice(firstTitleIndex)
  const [startedSeries, plannedSeries] = series.slice(firstTitleIndex)
  const addProgress = async (
    title: PopularTitle,
    { watchedShare, hoursAgo, season = 0, episode = 0 }: SampleProgress,
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
      updated_at: getPastTimeMs(hoursAgo),
    }
    await upsertProgress(trx, row)
    if (finished) await insertViewing(trx, row)
  }
  const addToWatchlist = (title: PopularTitle, watchState: string, hoursAgo: number) =>
    upsertWatchlistEntry(trx, {
      ...profileColumn,
      title_id: title.title_id,
      in_watchlist: 1,
      state: watchState,
      favorite: 0,
      added_at: getPastTimeMs(hoursAgo),
      updated_at: getPastTimeMs(hoursAgo),
    })
  const addFeedback = (title: PopularTitle, feedback: 'liked' | 'disliked', hoursAgo: number) =>
    setTitleFeedback(trx, {
      profileId,
      titleId: title.title_id,
      feedback,
      nowMs: getPastTimeMs(hoursAgo),
    })
  if (halfWatchedMovie) await addProgress(halfWatchedMovie, { watchedShare: 0.42, hoursAgo: 20 })
  if (watchedMovie) await addProgress(watchedMovie, { watchedShare: 1, hoursAgo: 90 })
  if (watchedMovie) await addToWatchlist(watchedMovie, 'completed', 95)
  if (likedMovie) await addFeedback(likedMovie, 'liked', 50)
  if (dislikedMovie) await addFeedback(dislikedMovie, 'disliked', 60)
  if (plannedMovie) await addToWatchlist(plannedMovie, 'planned', 30)
  if (secondPlannedMovie) await addToWatchlist(secondPlannedMovie, 'planned', 31)
  if (startedSeries) {
    await addProgress(startedSeries, { watchedShare: 1, hoursAgo: 30, season: 1, episode: 1 })
    await addProgress(startedSeries, { watchedShare: 1, hoursAgo: 28, season: 1, episode: 2 })
    await addProgress(startedSeries, { watchedShare: 0.35, hoursAgo: 4, season: 1, episode: 3 })
    await addToWatchlist(startedSeries, 'watching', 40)
  }
  if (plannedSeries) await addToWatchlist(plannedSeries, 'planned', 35)
}
