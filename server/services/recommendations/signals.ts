/** Signals for the recommendation engine, derived from what a profile did. Users can switch individual signals off. */

import type { RecommendationSignal as WireSignal } from '../../../src/lib/contract/recommendations.ts'
import { KIDS_GENRES } from '../../../src/lib/rules/genres.ts'
import { toIsoDate } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { Database } from '../../db/database.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import type { ProfileRow } from '../../queries/profile.ts'
import {
  selectExcludedSignals,
  selectSignals,
  setSignalExcluded,
} from '../../queries/recommendation-signal.ts'
import { signalWeights } from '../../recommend/constants.ts'
import { getRatingSignal } from '../../recommend/rating-signal.ts'
import { getSignalId, type ProfileSignal } from '../../recommend/types.ts'
import { getTitleLanguage, type Viewer } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import type { ProfileContext } from '../context.ts'
import type { Deps } from '../deps.ts'

/** Number of finished episodes after which a series counts as much as a finished movie. */
const FULL_WEIGHT_EPISODES = 6
const SIGNAL_PATTERN = /^(liked|disliked|completed|watched|in_list):[1-9]\d{0,14}$|^genre:[1-9]\d{0,5}$/

type SignalProfile = Pick<ProfileRow, 'profile_id' | 'content_genres' | 'created_at' | 'kids'>

/** `nowMs` decides which episodes are released, in milliseconds since 1970. */
export async function loadSignals(
  db: Database['primary'],
  profile: SignalProfile,
  nowMs: number,
): Promise<ProfileSignal[]> {
  const { feedback, ratings, progress, watchlist, seenSeriesIds } = await selectSignals(
    db,
    profile.profile_id,
    toIsoDate(nowMs),
  )
  const chosenGenres = JSON.parse(profile.content_genres) as { movie: number[]; tv: number[] }
  // A profile that became a kids profile keeps the genres that it chose before, for when it is an adult profile again.
  const isUsable = (genre: number) => profile.kids !== 1 || (KIDS_GENRES as readonly number[]).includes(genre)
  const genres = [...new Set([...chosenGenres.movie, ...chosenGenres.tv])].filter(isUsable)
  const limitWeight = createWeightLimit(ratings)
  return [
    ...genres.map((genre): ProfileSignal => ({ kind: 'genre', genre, at: profile.created_at })),
    ...createOpinionSignals(feedback, ratings),
    ...[
      ...progress.map((row): ProfileSignal => {
        const at = Number(row.at)
        const finished = Number(row.finished)
        const isSeen = row.type === 'movie' ? finished > 0 : seenSeriesIds.has(row.title_id)
        if (isSeen || row.type === 'movie')
          return { kind: isSeen ? 'completed' : 'watched', titleKey: row.title_id, at }
        const { watched, completed } = signalWeights
        const weight = watched + (completed - watched) * Math.min(1, finished / FULL_WEIGHT_EPISODES)
        return { kind: 'watched', titleKey: row.title_id, at, weight }
      }),
      ...watchlist.map(
        (row): ProfileSignal => ({
          kind: row.state === 'completed' ? 'completed' : 'in_list',
          titleKey: row.title_id,
          at: row.updated_at,
        }),
      ),
    ].map(limitWeight),
  ]
}

type RatingRow = Awaited<ReturnType<typeof selectSignals>>['ratings'][number]
type FeedbackRow = Awaited<ReturnType<typeof selectSignals>>['feedback'][number]

/** Likes, dislikes and ratings. A rating grades a like or dislike that agrees with it; otherwise the like or dislike counts. */
function createOpinionSignals(
  feedback: readonly FeedbackRow[],
  ratings: readonly RatingRow[],
): ProfileSignal[] {
  const ratingsByTitle = new Map(ratings.map((row) => [row.title_id, row]))
  const feedbackSignals = feedback.map((row): ProfileSignal => {
    const rating = ratingsByTitle.get(row.title_id)
    ratingsByTitle.delete(row.title_id)
    const kind = row.feedback === 'liked' ? 'liked' : 'disliked'
    const ratingSignal = rating && getRatingSignal(rating.rating)
    return {
      kind,
      titleKey: row.title_id,
      at: Math.max(row.updated_at, rating?.updated_at ?? 0),
      ...(ratingSignal?.kind === kind && { weight: ratingSignal.weight }),
    }
  })
  const ratingSignals = [...ratingsByTitle.values()].map(
    (row): ProfileSignal => ({
      ...getRatingSignal(row.rating),
      titleKey: row.title_id,
      at: row.updated_at,
    }),
  )
  return [...feedbackSignals, ...ratingSignals]
}

/** A title that was rated in the middle must not count more because it was watched to its end. */
function createWeightLimit(ratings: readonly RatingRow[]): (signal: ProfileSignal) => ProfileSignal {
  const limits = new Map(
    ratings.flatMap((row) => {
      const { kind, weight } = getRatingSignal(row.rating)
      return kind === 'watched' ? [[row.title_id, weight]] : []
    }),
  )
  return (signal) => {
    const limit = limits.get(signal.titleKey ?? 0)
    const weight = signal.weight ?? signalWeights[signal.kind]
    return limit === undefined || weight <= limit ? signal : { ...signal, weight: limit }
  }
}

/** Returns the ids of titles that are not recommended: disliked ones, and completed ones unless `only` limits the result to dislikes. */
export function collectHiddenTitleIds(signals: ProfileSignal[], only?: 'disliked'): Set<number> {
  const kinds: ProfileSignal['kind'][] = only ? [only] : ['disliked', 'completed']
  return new Set(
    signals.flatMap((signal) =>
      kinds.includes(signal.kind) && signal.titleKey !== undefined ? [signal.titleKey] : [],
    ),
  )
}

/** Returns the title names by id, in the caller's title language. Titles that the caller may not see are missing. */
export async function loadTitleNames(
  deps: Deps,
  caller: Viewer,
  ids: number[],
): Promise<Map<number, string>> {
  const rows = await selectTitlesInOrder(deps.database.reader, caller.audience, [...new Set(ids)])
  const cards = await loadCards(deps, rows, getTitleLanguage(caller))
  return new Map(cards.map((card) => [Number(card.id), card.title]))
}

/** Returns all signals of the profile, newest first, each with its on/off state. */
export async function listSignals({ deps, caller }: ProfileContext) {
  const { primary } = deps.database
  const signals = await loadSignals(primary, caller.profile, deps.now())
  const excludedSignals = new Set(await selectExcludedSignals(primary, caller.profile.profile_id))
  const names = await loadTitleNames(
    deps,
    caller,
    signals.flatMap((signal) => signal.titleKey ?? []),
  )
  signals.sort((a, b) => b.at - a.at || (a.titleKey ?? 0) - (b.titleKey ?? 0))
  // A title that is completed in the player and in My List gives the same signal twice.
  const listedIds = new Set<string>()
  return {
    results: signals.flatMap((signal): WireSignal[] => {
      const id = getSignalId(signal)
      if (listedIds.has(id)) return []
      listedIds.add(id)
      const common = { signal: id, kind: signal.kind, off: excludedSignals.has(id) }
      if (signal.titleKey === undefined) return [{ ...common, genre: signal.genre ?? 0 }]
      const title = names.get(signal.titleKey)
      return title === undefined ? [] : [{ ...common, media_id: String(signal.titleKey), title }]
    }),
  }
}

/** Switches a signal off or on again. Throws 422 for an unknown signal. */
export async function switchSignal(
  { deps, caller }: ProfileContext,
  signal: string,
  off: boolean,
): Promise<void> {
  if (!SIGNAL_PATTERN.test(signal)) throw new Problem('validation_error', { errors: { signal: ['unknown'] } })
  const profileId = caller.profile.profile_id
  await setSignalExcluded(deps.database.primary, { profileId, signal, excluded: off, nowMs: deps.now() })
}
