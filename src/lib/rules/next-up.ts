/**
 * Computes the next episode and the card of a series in Continue Watching. The functions are pure: the caller passes
 * the time and the records. docs/next-up.md explains the rules, and docs/next-up-vectors.json contains test vectors.
 */
import {
  compareEpisodes,
  type EpisodeFacts,
  type EpisodeRef,
  findFollowingEpisode,
  hasAired,
  isSpecial,
} from './episode-order.ts'
import { getProgressPercentage, isFinished } from './progress.ts'

/** The progress of one profile in one episode. */
export interface EpisodeProgressRecord extends EpisodeRef {
  /** Time of the last report, in milliseconds since 1970. */
  updated_at: number
  /** Position in seconds. */
  progress?: number
  /** Duration in seconds; 0 when not known. */
  duration?: number
  /**
   * Overrides the computed value. The computed value is true if 90 % of the duration or the start of the credits is
   * reached.
   */
  finished?: boolean
  /**
   * How often the episode was finished. This number distinguishes a rewatch from catching up on a skipped episode.
   */
  plays?: number
}

const MAX_IDLE_DAYS = 90
const DAY_MS = 86_400_000

const toUtcDate = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10)

/**
 * Returns the episode after `currentEpisode`: the next episode of its season, else the first episode of the next
 * season that has episodes. Gaps in the numbers are skipped. A special is followed only by specials, and a regular
 * episode only by regular episodes. Returns null when no episode follows or the next one has not aired. `today` is
 * `YYYY-MM-DD`.
 */
export function findNextEpisode<E extends EpisodeFacts>(
  currentEpisode: EpisodeRef,
  episodes: readonly E[],
  today: string,
): E | null {
  const nextEpisode = findFollowingEpisode(currentEpisode, episodes)
  return nextEpisode && hasAired(nextEpisode, episodes, today) ? nextEpisode : null
}

/** Returns the last episode of the highest-numbered season. With `today`, ignores episodes that have not aired. */
export function findLatestEpisode<E extends EpisodeFacts>(episodes: readonly E[], today?: string): E | null {
  const candidateEpisodes =
    today === undefined ? episodes : episodes.filter((episode) => hasAired(episode, episodes, today))
  return candidateEpisodes.reduce<E | null>(
    (latestEpisode, episode) =>
      latestEpisode && compareEpisodes(episode, latestEpisode) <= 0 ? latestEpisode : episode,
    null,
  )
}

/**
 * Returns the first regular episode, or the first special of a series without regular episodes. Returns null when
 * the series has no episodes, and when this episode has not aired.
 */
export function findFirstEpisode<E extends EpisodeFacts>(episodes: readonly E[], today: string): E | null {
  const firstEpisode =
    findFollowingEpisode({ season_number: 1, episode_number: -1 }, episodes) ??
    findFollowingEpisode({ season_number: 0, episode_number: -1 }, episodes)
  return firstEpisode && hasAired(firstEpisode, episodes, today) ? firstEpisode : null
}

export interface SeriesState<E extends EpisodeFacts = EpisodeFacts> {
  episodes: readonly E[]
  /** Time when the card was dismissed, in milliseconds since 1970. A later report of progress shows the card again. */
  dismissed_at?: number | null
  /** Start of the credits in seconds, if the stream has a credits mark. */
  credits_at?: number | null
  /** Returns the viewer's date at a time, `YYYY-MM-DD`; the default is the UTC date. */
  getViewerDate?: (timeMs: number) => string
}

export type SeriesCardReason =
  /* Reasons of the kind `resume`. */
  | 'unfinished'
  | 'unfinished_earlier'
  /* Reasons of the kind `next`. */
  | 'next'
  | 'new_episode'
  | 'rewatch'
  | 'renumbered'
  /* Reasons of the kind `none`. */
  | 'not_started'
  | 'caught_up'
  | 'not_aired'
  | 'dismissed'
  | 'idle'

export interface SeriesCard<E extends EpisodeFacts = EpisodeFacts> {
  kind: 'resume' | 'next' | 'none'
  season: number | null
  episode: number | null
  /** Position in seconds; 0 unless `kind` is `resume`. */
  progress: number
  /** Watched part in percent, 0 to 100. */
  percentage: number
  /** Remaining seconds; null when `kind` is `none`, and when the duration is not known. */
  remaining: number | null
  reason: SeriesCardReason
  /**
   * The offered episode. For `not_aired`, the next episode to air. For `idle`, the episode that was offered until the
   * series became idle.
   */
  facts: E | null
}

interface EpisodeChoice<E> {
  kind: SeriesCard['kind']
  reason: SeriesCardReason
  facts: E | null
}

/**
 * Returns the card of a series in Continue Watching (rules in docs/next-up.md). `nowMs` is in milliseconds since 1970.
 */
export function computeSeriesCard<E extends EpisodeFacts>(
  series: SeriesState<E>,
  records: readonly EpisodeProgressRecord[],
  nowMs: number,
): SeriesCard<E> {
  const playedRecords = records.filter(
    (record) => isPlayedToEnd(record, series.credits_at) || (record.progress ?? 1) > 0,
  )
  const lastRecord = playedRecords.reduce<EpisodeProgressRecord | null>(
    (a, b) => (a && isLaterRecord(a, b) ? a : b),
    null,
  )
  if (!lastRecord) return createCard<E>({ kind: 'none', reason: 'not_started', facts: null }, undefined)
  if (series.dismissed_at != null && series.dismissed_at >= lastRecord.updated_at) {
    return createCard<E>({ kind: 'none', reason: 'dismissed', facts: null }, undefined)
  }
  const { getViewerDate = toUtcDate } = series
  const today = getViewerDate(nowMs)
  const episodeChoice = chooseEpisode(series, { playedRecords, lastRecord, today })
  if (episodeChoice.kind === 'none') return createCard(episodeChoice, undefined)
  const airedAtMs =
    episodeChoice.reason === 'new_episode' ? Date.parse(episodeChoice.facts?.air_date ?? '') || 0 : 0
  if (nowMs - Math.max(lastRecord.updated_at, airedAtMs) > MAX_IDLE_DAYS * DAY_MS) {
    return createCard({ kind: 'none', reason: 'idle', facts: episodeChoice.facts }, undefined)
  }
  return createCard(
    episodeChoice,
    playedRecords.find((record) => episodeChoice.facts && compareEpisodes(record, episodeChoice.facts) === 0),
  )
}

interface PlayedEpisodes {
  playedRecords: readonly EpisodeProgressRecord[]
  lastRecord: EpisodeProgressRecord
  today: string
}

function chooseEpisode<E extends EpisodeFacts>(
  series: SeriesState<E>,
  { playedRecords, lastRecord, today }: PlayedEpisodes,
): EpisodeChoice<E> {
  const lastEpisode = series.episodes.find((episode) => compareEpisodes(episode, lastRecord) === 0)
  if (lastEpisode && !isPlayedToEnd(lastRecord, series.credits_at))
    return { kind: 'resume', reason: 'unfinished', facts: lastEpisode }
  if (isSpecial(lastRecord)) return chooseAfterSpecial(series, { playedRecords, lastRecord, today })
  // An episode that was played fewer times than the last watched episode still has to be watched in this rewatch.
  const targetPlayCount = getPlayCount(lastRecord)
  let currentEpisode: EpisodeRef = lastRecord
  for (;;) {
    const nextEpisode = findFollowingEpisode(currentEpisode, series.episodes)
    if (!nextEpisode) break
    const record = playedRecords.find((candidate) => compareEpisodes(candidate, nextEpisode) === 0)
    if (record && !isPlayedToEnd(record, series.credits_at))
      return { kind: 'resume', reason: 'unfinished', facts: nextEpisode }
    if (!record || getPlayCount(record) < targetPlayCount) {
      if (!record && !hasAired(nextEpisode, series.episodes, today))
        return chooseUnfinishedEpisode(series, playedRecords) ?? createNotAiredChoice(nextEpisode)
      return {
        kind: 'next',
        reason: getNextEpisodeReason({ record, lastRecord, nextEpisode, lastEpisode }, series.getViewerDate),
        facts: nextEpisode,
      }
    }
    currentEpisode = nextEpisode
  }
  return chooseUnfinishedEpisode(series, playedRecords) ?? { kind: 'none', reason: 'caught_up', facts: null }
}

const createNotAiredChoice = <E>(facts: E): EpisodeChoice<E> => ({ kind: 'none', reason: 'not_aired', facts })

/**
 * Chooses the episode after a special. If a regular episode was played, chooses as if no special had been played.
 * Otherwise, offers the next special that was not played, or else the first regular episode.
 */
function chooseAfterSpecial<E extends EpisodeFacts>(
  series: SeriesState<E>,
  { playedRecords, lastRecord, today }: PlayedEpisodes,
): EpisodeChoice<E> {
  const regularRecords = playedRecords.filter((record) => !isSpecial(record))
  const lastRegularRecord = regularRecords.reduce<EpisodeProgressRecord | null>(
    (a, b) => (a && isLaterRecord(a, b) ? a : b),
    null,
  )
  if (lastRegularRecord)
    return chooseEpisode(series, { playedRecords: regularRecords, lastRecord: lastRegularRecord, today })
  const wasPlayed = (episode: EpisodeRef) =>
    playedRecords.some((record) => compareEpisodes(record, episode) === 0)
  const unplayedEpisodes = series.episodes.filter((episode) => !wasPlayed(episode))
  const nextUnplayedEpisode =
    findNextEpisode(lastRecord, unplayedEpisodes, today) ??
    findFirstEpisode(
      unplayedEpisodes.filter((episode) => !isSpecial(episode)),
      today,
    )
  return nextUnplayedEpisode
    ? { kind: 'next', reason: 'next', facts: nextUnplayedEpisode }
    : { kind: 'none', reason: 'caught_up', facts: null }
}

/**
 * Of the episodes that were started but never finished, returns the one with the latest report; null without such
 * episodes. This episode is offered if no aired episode after the last watched episode remains to be watched.
 */
function chooseUnfinishedEpisode<E extends EpisodeFacts>(
  series: SeriesState<E>,
  playedRecords: readonly EpisodeProgressRecord[],
): EpisodeChoice<E> | null {
  const unfinishedRecords = playedRecords.filter(
    (record) => !isPlayedToEnd(record, series.credits_at) && !record.plays,
  )
  for (const record of [...unfinishedRecords].sort((a, b) => (isLaterRecord(a, b) ? -1 : 1))) {
    const facts = series.episodes.find((episode) => compareEpisodes(episode, record) === 0)
    if (facts) return { kind: 'resume', reason: 'unfinished_earlier', facts }
  }
  return null
}

interface NextEpisodeContext {
  /** Record of `nextEpisode`; undefined when this episode was not played. */
  record: EpisodeProgressRecord | undefined
  lastRecord: EpisodeProgressRecord
  nextEpisode: EpisodeFacts
  /** The last watched episode. Undefined if the series no longer has an episode with the numbers of `lastRecord`. */
  lastEpisode: EpisodeFacts | undefined
}

function getNextEpisodeReason(
  { record, lastRecord, nextEpisode, lastEpisode }: NextEpisodeContext,
  getViewerDate = toUtcDate,
): SeriesCardReason {
  if (record) return 'rewatch'
  if (!lastEpisode) return 'renumbered'
  return (nextEpisode.air_date ?? '') > getViewerDate(lastRecord.updated_at) ? 'new_episode' : 'next'
}

function isPlayedToEnd(record: EpisodeProgressRecord, creditsAtSeconds: number | null = null): boolean {
  return record.finished ?? isFinished(record.progress ?? 0, record.duration ?? 0, creditsAtSeconds)
}
/** Number of plays of a finished episode. It is at least 1, because a record may have no count. */
const getPlayCount = (record: EpisodeProgressRecord) => Math.max(1, record.plays ?? 1)
/**
 * Returns whether `a` was watched after `b`. Imported records may have equal times; the later episode then counts as
 * watched last.
 */
const isLaterRecord = (a: EpisodeProgressRecord, b: EpisodeProgressRecord) =>
  (a.updated_at - b.updated_at || compareEpisodes(a, b)) > 0

function createCard<E extends EpisodeFacts>(
  episodeChoice: EpisodeChoice<E>,
  record: EpisodeProgressRecord | undefined,
): SeriesCard<E> {
  const { kind, reason, facts } = episodeChoice
  const positionSeconds = kind === 'resume' ? (record?.progress ?? 0) : 0
  const durationSeconds = (kind === 'resume' && record?.duration) || facts?.runtime_seconds || 0
  const isEpisodeShown = kind !== 'none' || reason === 'not_aired'
  return {
    kind,
    season: isEpisodeShown && facts ? facts.season_number : null,
    episode: isEpisodeShown && facts ? facts.episode_number : null,
    progress: positionSeconds,
    percentage: getProgressPercentage(positionSeconds, durationSeconds),
    remaining:
      kind === 'none' || durationSeconds <= 0 ? null : Math.max(0, durationSeconds - positionSeconds),
    reason,
    facts,
  }
}

export interface SeriesContinuation<E> {
  kind: 'resume' | 'next'
  episode: E
}

/**
 * Like `computeSeriesCard`, without the rules for idle and dismissed series. Returns null when there is nothing to
 * offer.
 */
export function findSeriesContinuation<E extends EpisodeFacts>(
  records: readonly EpisodeProgressRecord[],
  episodes: readonly E[],
  today: string,
): SeriesContinuation<E> | null {
  const series = { episodes, getViewerDate: () => today }
  const { kind, facts } = computeSeriesCard(series, records, Number.NEGATIVE_INFINITY)
  return kind === 'none' || !facts ? null : { kind, episode: facts }
}
