/**
 * Which episode comes next (Spec §4), and what Continue Watching offers of a series. Pure: no clock, no storage, nothing
 * imported but rules. docs/next-up.md explains it, docs/next-up-vectors.json tests it in any language.
 */
import {
  compare,
  type EpisodeFacts,
  type EpisodeRef,
  following,
  hasAired,
  isSpecial,
} from './episode-order.ts'
import { isFinished, percentage } from './progress.ts'

/** What one profile did with one episode. */
export interface Watched extends EpisodeRef {
  /** Milliseconds since 1970, of the last report. */
  updated_at: number
  /** Seconds. */
  progress?: number
  /** Seconds; 0 when not known. */
  duration?: number
  /** Told by whoever keeps the record; else 90 % or past the credits mark. */
  finished?: boolean
  /** How often it was finished: what tells a rewatch from catching up on a skipped episode. */
  plays?: number
}

const IDLE_DAYS = 90
const DAY_MS = 86_400_000

const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10)

/**
 * The episode after `current` (Spec §4): the next of its season, else the first of the next season that has episodes,
 * else none. Gaps in either numbering are stepped over; specials lead only to specials and seasons never to specials.
 * None as well when that episode has not aired: nothing beyond it is offered in its place. `today` is `YYYY-MM-DD`.
 */
export function nextEpisode<E extends EpisodeFacts>(
  current: EpisodeRef,
  episodes: readonly E[],
  today: string,
): E | null {
  const next = following(current, episodes)
  return next && hasAired(next, episodes, today) ? next : null
}

/** The last episode of the highest-numbered season (Spec §4); with `today`, of what has aired. */
export function latestEpisode<E extends EpisodeFacts>(episodes: readonly E[], today?: string): E | null {
  const out = today === undefined ? episodes : episodes.filter((one) => hasAired(one, episodes, today))
  return out.reduce<E | null>((last, one) => (last && compare(one, last) <= 0 ? last : one), null)
}

/** Where a series begins: the first numbered episode, or the first special where there are only those. */
export function firstEpisode<E extends EpisodeFacts>(episodes: readonly E[], today: string): E | null {
  const first =
    following({ season_number: 1, episode_number: -1 }, episodes) ??
    following({ season_number: 0, episode_number: -1 }, episodes)
  return first && hasAired(first, episodes, today) ? first : null
}

export interface Show<E extends EpisodeFacts = EpisodeFacts> {
  episodes: readonly E[]
  /** When the card was taken out of the row, in milliseconds; the next play brings it back. */
  dismissed_at?: number | null
  /** Seconds from the start of an episode; where the stream tells. */
  credits_at?: number | null
  /** The viewer's day, where it is not the day in UTC. */
  today?: string
}

export type CardReason =
  /** resume */
  | 'unfinished'
  | 'unfinished_earlier'
  /** next */
  | 'next'
  | 'new_episode'
  | 'rewatch'
  | 'renumbered'
  /** none */
  | 'not_started'
  | 'caught_up'
  | 'not_aired'
  | 'dismissed'
  | 'idle'

export interface Card<E extends EpisodeFacts = EpisodeFacts> {
  kind: 'resume' | 'next' | 'none'
  season: number | null
  episode: number | null
  /** Seconds; 0 unless it resumes. */
  progress: number
  /** 0 to 100. */
  percentage: number
  /** Seconds left to watch; null when the length is not known. */
  remaining: number | null
  reason: CardReason
  /** The episode itself, for its title and still; of `not_aired`, the one that is awaited. */
  facts: E | null
}

interface Choice<E> {
  kind: Card['kind']
  reason: CardReason
  facts: E | null
}

/** The card of a series in Continue Watching. `now` is milliseconds since 1970. docs/next-up.md has the rule in words. */
export function continueCard<E extends EpisodeFacts>(
  show: Show<E>,
  records: readonly Watched[],
  now: number,
): Card<E> {
  const played = records.filter((one) => isDone(one, show.credits_at) || (one.progress ?? 1) > 0)
  const last = played.reduce<Watched | null>((a, b) => (a && isLater(a, b) ? a : b), null)
  if (!last) return card<E>({ kind: 'none', reason: 'not_started', facts: null }, undefined)
  if (show.dismissed_at != null && show.dismissed_at >= last.updated_at) {
    return card<E>({ kind: 'none', reason: 'dismissed', facts: null }, undefined)
  }
  const today = show.today ?? dayOf(now)
  const choice = choose(show, { played, last, today })
  if (choice.kind === 'none') return card(choice, undefined)
  const aired = choice.reason === 'new_episode' ? Date.parse(choice.facts?.air_date ?? '') || 0 : 0
  if (now - Math.max(last.updated_at, aired) > IDLE_DAYS * DAY_MS) {
    return card({ kind: 'none', reason: 'idle', facts: choice.facts }, undefined)
  }
  return card(
    choice,
    played.find((one) => choice.facts && compare(one, choice.facts) === 0),
  )
}

interface Seen {
  played: readonly Watched[]
  last: Watched
  today: string
}

function choose<E extends EpisodeFacts>(show: Show<E>, { played, last, today }: Seen): Choice<E> {
  const at = (place: EpisodeRef) => show.episodes.find((one) => compare(one, place) === 0)
  const here = at(last)
  if (here && !isDone(last, show.credits_at)) return { kind: 'resume', reason: 'unfinished', facts: here }
  if (isSpecial(last)) return afterSpecial(show, { played, last, today })
  const round = playsOf(last)
  let place: EpisodeRef = last
  for (;;) {
    const next = following(place, show.episodes)
    if (!next) break
    const seen = played.find((one) => compare(one, next) === 0)
    if (seen && !isDone(seen, show.credits_at)) return { kind: 'resume', reason: 'unfinished', facts: next }
    if (!seen || playsOf(seen) < round) {
      if (!seen && !hasAired(next, show.episodes, today)) return earlier(show, played) ?? awaited(next)
      return { kind: 'next', reason: reasonOf({ seen, last, next, here }), facts: next }
    }
    place = next
  }
  return earlier(show, played) ?? { kind: 'none', reason: 'caught_up', facts: null }
}

const awaited = <E>(facts: E): Choice<E> => ({ kind: 'none', reason: 'not_aired', facts })

/** The regular episodes go on after a special; where none was started, the next special or the start of the series. */
function afterSpecial<E extends EpisodeFacts>(show: Show<E>, { played, last, today }: Seen): Choice<E> {
  const regular = played.filter((one) => !isSpecial(one))
  const place = regular.reduce<Watched | null>((a, b) => (a && isLater(a, b) ? a : b), null)
  if (place) return choose(show, { played: regular, last: place, today })
  const seen = (one: EpisodeRef) => played.some((record) => compare(record, one) === 0)
  const rest = show.episodes.filter((one) => !seen(one))
  const facts =
    nextEpisode(last, rest, today) ??
    firstEpisode(
      rest.filter((one) => !isSpecial(one)),
      today,
    )
  return facts ? { kind: 'next', reason: 'next', facts } : { kind: 'none', reason: 'caught_up', facts: null }
}

/** What was begun and never finished comes back when nothing follows. */
function earlier<E extends EpisodeFacts>(show: Show<E>, played: readonly Watched[]): Choice<E> | null {
  const open = played.filter((one) => !isDone(one, show.credits_at) && !one.plays)
  for (const one of [...open].sort((a, b) => (isLater(a, b) ? -1 : 1))) {
    const facts = show.episodes.find((episode) => compare(episode, one) === 0)
    if (facts) return { kind: 'resume', reason: 'unfinished_earlier', facts }
  }
  return null
}

interface Step {
  seen: Watched | undefined
  last: Watched
  next: EpisodeFacts
  here: EpisodeFacts | undefined
}

function reasonOf({ seen, last, next, here }: Step): CardReason {
  if (seen) return 'rewatch'
  if (!here) return 'renumbered'
  return (next.air_date ?? '') > dayOf(last.updated_at) ? 'new_episode' : 'next'
}

function isDone(one: Watched, creditsAt: number | null = null): boolean {
  return one.finished ?? isFinished(one.progress ?? 0, one.duration ?? 0, creditsAt)
}
/** Of a finished one: at least once, whatever the record says. */
const playsOf = (one: Watched) => Math.max(1, one.plays ?? 1)
/** At the same instant, as imports have it, the later episode counts. */
const isLater = (a: Watched, b: Watched) => (a.updated_at - b.updated_at || compare(a, b)) > 0

function card<E extends EpisodeFacts>(choice: Choice<E>, record: Watched | undefined): Card<E> {
  const { kind, reason, facts } = choice
  const progress = kind === 'resume' ? (record?.progress ?? 0) : 0
  const length = (kind === 'resume' && record?.duration) || (facts?.runtime ?? 0) * 60
  const shown = kind !== 'none' || reason === 'not_aired'
  return {
    kind,
    season: shown && facts ? facts.season_number : null,
    episode: shown && facts ? facts.episode_number : null,
    progress,
    percentage: percentage(progress, length),
    remaining: kind === 'none' || length <= 0 ? null : Math.max(0, length - progress),
    reason,
    facts,
  }
}

export interface Continuation<E> {
  kind: 'resume' | 'next'
  episode: E
}

/** `continueCard` for callers that keep idleness and dismissal themselves. Null when there is nothing to offer. */
export function continueSeries<E extends EpisodeFacts>(
  records: readonly Watched[],
  episodes: readonly E[],
  today: string,
): Continuation<E> | null {
  const { kind, facts } = continueCard({ episodes, today }, records, Number.NEGATIVE_INFINITY)
  return kind === 'none' || !facts ? null : { kind, episode: facts }
}
