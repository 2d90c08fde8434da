/** What a profile did, as the recommendation engine takes it; which of it counts is the viewer's choice. */

import type { Signal as Told } from '../../src/lib/contract/recommend.ts'
import type { Database } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { ProfileCaller, Viewer } from '../http/caller.ts'
import { Problem } from '../problem.ts'
import { titlesInOrder } from '../queries/browse.ts'
import type { ProfileRow } from '../queries/profile.ts'
import { deedsOf, putSignalOff, signalsOff } from '../queries/signal.ts'
import { signalWeights } from '../recommend/constants.ts'
import { type Signal, signalId } from '../recommend/types.ts'
import { cardsOf, titleLanguage } from './cards.ts'

/** Finished episodes after which a series speaks as loudly as a finished film. */
const EPISODES = 6
const SIGNAL = /^(liked|disliked|completed|watched|in_list):[1-9]\d{0,14}$|^genre:[1-9]\d{0,5}$/

type Profile = Pick<ProfileRow, 'profile_id' | 'content_genres' | 'created_at'>

export async function signalsOf(db: Database['primary'], profile: Profile): Promise<Signal[]> {
  const { feedback, progress, listed } = await deedsOf(db, profile.profile_id)
  const chosen = JSON.parse(profile.content_genres) as { movie: number[]; tv: number[] }
  const genres = [...new Set([...chosen.movie, ...chosen.tv])]
  return [
    ...genres.map((genre): Signal => ({ kind: 'genre', genre, at: profile.created_at })),
    ...feedback.map(
      (row): Signal => ({
        kind: row.feedback === 'liked' ? 'liked' : 'disliked',
        titleKey: row.title_id,
        at: row.updated_at,
      }),
    ),
    ...progress.map((row): Signal => {
      const at = Number(row.at)
      const finished = Number(row.finished)
      if (row.type === 'movie')
        return { kind: finished ? 'completed' : 'watched', titleKey: row.title_id, at }
      const { watched, completed } = signalWeights
      const weight = watched + (completed - watched) * Math.min(1, finished / EPISODES)
      return { kind: 'watched', titleKey: row.title_id, at, weight }
    }),
    ...listed.map(
      (row): Signal => ({
        kind: row.state === 'completed' ? 'completed' : 'in_list',
        titleKey: row.title_id,
        at: row.updated_at,
      }),
    ),
  ]
}

/** Titles that are never offered: disliked ones, and (unless only those are asked for) finished ones. */
export function hiddenTitles(signals: Signal[], only?: 'disliked'): Set<number> {
  const kinds: Signal['kind'][] = only ? [only] : ['disliked', 'completed']
  return new Set(
    signals.flatMap((one) => (kinds.includes(one.kind) && one.titleKey !== undefined ? [one.titleKey] : [])),
  )
}

/** Titles of ids as the caller is told them; what they may not see has no name. */
export async function namesOf(deps: Deps, caller: Viewer, ids: number[]): Promise<Map<number, string>> {
  const rows = await titlesInOrder(deps.database.reader, caller.audience, [...new Set(ids)])
  const cards = await cardsOf(deps, rows, titleLanguage(caller))
  return new Map(cards.map((card) => [Number(card.id), card.title]))
}

interface By {
  deps: Deps
  caller: ProfileCaller
}

/** Everything that speaks for or against titles, newest first, and whether it is switched off. */
export async function list({ deps, caller }: By) {
  const { primary } = deps.database
  const signals = await signalsOf(primary, caller.profile)
  const off = new Set(await signalsOff(primary, caller.profile.profile_id))
  const names = await namesOf(
    deps,
    caller,
    signals.flatMap((one) => one.titleKey ?? []),
  )
  signals.sort((a, b) => b.at - a.at || (a.titleKey ?? 0) - (b.titleKey ?? 0))
  /* Finished in the player and marked so in My List is one signal. */
  const told = new Set<string>()
  return {
    results: signals.flatMap((one): Told[] => {
      const signal = signalId(one)
      if (told.has(signal)) return []
      told.add(signal)
      const about = { signal, kind: one.kind, off: off.has(signal) }
      if (one.titleKey === undefined) return [{ ...about, genre: one.genre ?? 0 }]
      const title = names.get(one.titleKey)
      return title === undefined ? [] : [{ ...about, media_id: String(one.titleKey), title }]
    }),
  }
}

/** "Not because of this": the signal stops counting, or counts again. Throws 422 for what is no signal. */
export async function switchSignal({ deps, caller }: By, signal: string, off: boolean): Promise<void> {
  if (!SIGNAL.test(signal)) throw new Problem('validation_error', { errors: { signal: ['unknown'] } })
  const profileId = caller.profile.profile_id
  await putSignalOff(deps.database.primary, { profileId, signal, off, now: deps.now() })
}
