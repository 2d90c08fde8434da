/**
 * Derives signals for the recommendation engine from the actions of a profile. Users can switch off
 * individual signals.
 */

import type { RecommendationSignal as WireSignal } from '../../../src/lib/contract/recommendations.ts'
import { KIDS_GENRE_IDS } from '../../../src/lib/rules/genres.ts'
import { Problem } from '../../core/problem.ts'
import type { Database } from '../../db/database.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import type { ProfileRow } from '../../queries/profile.ts'
import {
  selectExcludedSignals,
  selectSignals,
  setSignalsExcluded,
} from '../../queries/recommendation-signal.ts'
import { signalWeights } from '../../recommend/constants.ts'
import { getRatingSignal } from '../../recommend/rating-signal.ts'
import { disableSignals, getSignalId, listJointSignalIds, type ProfileSignal } from '../../recommend/types.ts'
import { getTitleLanguage, getViewerDate, type Viewer } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import type { ProfileContext } from '../context.ts'
import type { Deps } from '../deps.ts'

/** Number of finished episodes from which a series counts as much as a finished movie. */
const FULL_WEIGHT_EPISODE_COUNT = 6
const SIGNAL_PATTERN = /^(liked|disliked|completed|watched|in_list):[1-9]\d{0,14}$|^genre:[1-9]\d{0,5}$/

type SignalProfile = Pick<ProfileRow, 'profile_id' | 'content_genres' | 'created_at' | 'kids'>

/**
 * Returns all signals of the profile, and marks the signals that the profile has switched off. `today` is the date of
 * the viewer, which decides which episodes are released.
 */
export async function loadSignals(
  db: Database['primary'],
  profile: SignalProfile,
  today: string,
): Promise<ProfileSignal[]> {
  const [{ feedback, ratings, progress, watchlist, seenSeriesIds }, excludedSignalIds] = await Promise.all([
    selectSignals(db, profile.profile_id, today),
    selectExcludedSignals(db, profile.profile_id),
  ])
  const chosenGenres = JSON.parse(profile.content_genres) as { movie: number[]; tv: number[] }
  // A profile that became a kids profile keeps its earlier genres, because it may become an adult profile
  // again. Genres outside KIDS_GENRE_IDS are ignored meanwhile.
  const isUsableGenre = (genre: number) =>
    profile.kids !== 1 || (KIDS_GENRE_IDS as readonly number[]).includes(genre)
  const genres = [...new Set([...chosenGenres.movie, ...chosenGenres.tv])].filter(isUsableGenre)
  const limitSignalWeight = createWeightLimiter(ratings)
  const signals = [
    ...genres.map((genre): ProfileSignal => ({ kind: 'genre', genre, at: profile.created_at })),
    ...createOpinionSignals(feedback, ratings),
    ...[
      ...progress.map((row): ProfileSignal => {
        const signalAtMs = Number(row.at)
        const finishedCount = Number(row.finished)
        const isSeen = row.type === 'movie' ? finishedCount > 0 : seenSeriesIds.has(row.title_id)
        if (isSeen || row.type === 'movie')
          return { kind: isSeen ? 'completed' : 'watched', titleKey: row.title_id, at: signalAtMs }
        const { watched: watchedWeight, completed: completedWeight } = signalWeights
        const weight =
          watchedWeight +
          (completedWeight - watchedWeight) * Math.min(1, finishedCount / FULL_WEIGHT_EPISODE_COUNT)
        return { kind: 'watched', titleKey: row.title_id, at: signalAtMs, weight }
      }),
      ...watchlist.map(
        (row): ProfileSignal => ({
          kind: row.state === 'completed' ? 'completed' : 'in_list',
          titleKey: row.title_id,
          at: row.updated_at,
        }),
      ),
    ].map(limitSignalWeight),
  ]
  return disableSignals(signals, excludedSignalIds)
}

type RatingRow = Awaited<ReturnType<typeof selectSignals>>['ratings'][number]
type FeedbackRow = Awaited<ReturnType<typeof selectSignals>>['feedback'][number]

/**
 * Returns a signal for each title with a like, dislike or rating. If a rating agrees with the like or dislike
 * of the title, the rating determines the weight. If they disagree, the rating is ignored.
 */
function createOpinionSignals(
  feedback: readonly FeedbackRow[],
  ratings: readonly RatingRow[],
): ProfileSignal[] {
  const ratingsByTitleId = new Map(ratings.map((row) => [row.title_id, row]))
  const feedbackSignals = feedback.map((row): ProfileSignal => {
    const ratingRow = ratingsByTitleId.get(row.title_id)
    ratingsByTitleId.delete(row.title_id)
    const kind = row.feedback === 'liked' ? 'liked' : 'disliked'
    const ratingSignal = ratingRow && getRatingSignal(ratingRow.rating)
    return {
      kind,
      titleKey: row.title_id,
      at: Math.max(row.updated_at, ratingRow?.updated_at ?? 0),
      ...(ratingSignal?.kind === kind && { weight: ratingSignal.weight }),
    }
  })
  const ratingSignals = [...ratingsByTitleId.values()].map(
    (row): ProfileSignal => ({
      ...getRatingSignal(row.rating),
      titleKey: row.title_id,
      at: row.updated_at,
    }),
  )
  return [...feedbackSignals, ...ratingSignals]
}

/**
 * Returns a function that limits the weight of a signal if the rating of its title is between dislike and like. Even if
 * the title was watched to the end, the signal gets at most the weight of the rating.
 */
function createWeightLimiter(ratings: readonly RatingRow[]): (signal: ProfileSignal) => ProfileSignal {
  const maxWeightsByTitleId = new Map(
    ratings.flatMap((row) => {
      const { kind, weight } = getRatingSignal(row.rating)
      return kind === 'watched' ? [[row.title_id, weight]] : []
    }),
  )
  return (signal) => {
    const maxWeight = maxWeightsByTitleId.get(signal.titleKey ?? 0)
    const weight = signal.weight ?? signalWeights[signal.kind]
    return maxWeight === undefined || weight <= maxWeight ? signal : { ...signal, weight: maxWeight }
  }
}

/** Returns the ids of titles that are not recommended: disliked and completed titles. */
export const collectOmittedTitleIds = (signals: ProfileSignal[]): Set<number> =>
  collectTitleIds(signals, ['disliked', 'completed'])

export const collectDislikedTitleIds = (signals: ProfileSignal[]): Set<number> =>
  collectTitleIds(signals, ['disliked'])

function collectTitleIds(signals: ProfileSignal[], kinds: ProfileSignal['kind'][]): Set<number> {
  return new Set(
    signals.flatMap((signal) =>
      kinds.includes(signal.kind) && signal.titleKey !== undefined ? [signal.titleKey] : [],
    ),
  )
}

/**
 * Returns the title names by id, in the title language of the caller. Omits titles that the caller may not
 * see.
 */
export async function loadTitleNames(
  deps: Deps,
  caller: Viewer,
  titleIds: number[],
): Promise<Map<number, string>> {
  const rows = await selectTitlesInOrder(deps.database.reader, caller.audience, [...new Set(titleIds)])
  const cards = await loadCards(deps, rows, getTitleLanguage(caller))
  return new Map(cards.map((card) => [Number(card.id), card.title]))
}

/**
 * Returns the signals of the profile, newest first, without signals of titles that the profile may not see. `off` is
 * true for switched-off signals.
 */
export async function listSignals({ deps, caller }: ProfileContext) {
  const signals = await loadSignals(deps.database.primary, caller.profile, getViewerDate(caller, deps.now()))
  const titleNamesById = await loadTitleNames(
    deps,
    caller,
    signals.flatMap((signal) => signal.titleKey ?? []),
  )
  signals.sort((a, b) => b.at - a.at || (a.titleKey ?? 0) - (b.titleKey ?? 0))
  // A title that is completed both in the player and in My List has two signals with the same id.
  const listedSignalIds = new Set<string>()
  return {
    results: signals.flatMap((signal): WireSignal[] => {
      const signalId = getSignalId(signal)
      if (listedSignalIds.has(signalId)) return []
      listedSignalIds.add(signalId)
      const commonFields = { signal: signalId, kind: signal.kind, off: signal.isDisabled === true }
      if (signal.titleKey === undefined) return [{ ...commonFields, genre: signal.genre ?? 0 }]
      const titleName = titleNamesById.get(signal.titleKey)
      return titleName === undefined
        ? []
        : [{ ...commonFields, media_id: String(signal.titleKey), title: titleName }]
    }),
  }
}

/**
 * Switches a signal off or on. All positive signals about a title are switched together. Throws 422 for a malformed
 * signal id.
 */
export async function switchSignal(
  { deps, caller }: ProfileContext,
  signalId: string,
  isSwitchedOff: boolean,
): Promise<void> {
  if (!SIGNAL_PATTERN.test(signalId))
    throw new Problem('validation_error', { errors: { signal: ['unknown'] } })
  const profileId = caller.profile.profile_id
  await setSignalsExcluded(deps.database.primary, {
    profileId,
    signals: listJointSignalIds(signalId),
    isExcluded: isSwitchedOff,
    nowMs: deps.now(),
  })
}
