/** My List, likes and what was done with a card. Every write names a title that the profile may see. */
import type { Feedback } from '../../src/lib/contract/feedback.ts'
import type { WatchlistEntry, WatchState } from '../../src/lib/contract/watchlist.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { ProfileCaller } from '../http/caller.ts'
import { Problem } from '../problem.ts'
import { type TitleRow, type TitleType, titlesByIds } from '../queries/catalogue.ts'
import { feedbackOf, putFeedback, ratedTitles } from '../queries/feedback.ts'
import { addInteraction, type InteractionEvent } from '../queries/interaction.ts'
import {
  listWatchlist,
  lockedEntry,
  putWatchlistEntry,
  type WatchlistFilters,
  type WatchlistRow,
  watchlistEntry,
} from '../queries/watchlist.ts'
import { cardsOf, titleLanguage } from './cards.ts'
import { find, idOf } from './catalogue.ts'
import { tellAccount } from './live.ts'

export interface Place {
  type: TitleType
  mediaId: string
}
export interface By {
  deps: Deps
  caller: ProfileCaller
}

export async function titleAt({ deps, caller }: By, { type, mediaId }: Place): Promise<TitleRow> {
  return find(deps, caller, type, { id: idOf(mediaId) })
}

function entryOf(
  title: TitleRow,
  row: Pick<WatchlistRow, 'in_watchlist' | 'state' | 'favorite' | 'added_at'> | undefined,
): WatchlistEntry {
  const listed = row?.in_watchlist === 1
  return {
    type: title.type as TitleType,
    media_id: String(title.title_id),
    in_watchlist: listed,
    state: listed ? ((row?.state ?? null) as WatchState | null) : null,
    favorite: row?.favorite === 1,
    added_at: listed && row?.added_at ? new Date(row.added_at).toISOString() : null,
  }
}

export async function list({ deps, caller }: By, query: Omit<WatchlistFilters, 'profileId'>) {
  const filters = { ...query, profileId: caller.profile.profile_id }
  const { rows, total } = await listWatchlist(deps.database.primary, caller.audience, filters)
  const cards = await cardsOf(deps, rows, titleLanguage(caller))
  const results = rows.flatMap((row, at) => {
    const media = cards[at]
    return media ? [{ ...entryOf(row, { ...row, in_watchlist: 1 }), media }] : []
  })
  return {
    page: query.page,
    limit: query.limit,
    total_results: total,
    total_pages: Math.ceil(total / query.limit),
    results,
  }
}

export async function entry(by: By, place: Place): Promise<WatchlistEntry> {
  const title = await titleAt(by, place)
  return entryOf(
    title,
    await watchlistEntry(by.deps.database.primary, by.caller.profile.profile_id, title.title_id),
  )
}

interface Wish {
  in_watchlist?: boolean | undefined
  state?: WatchState | undefined
  favorite?: boolean | undefined
  /** When it came to the list, to put it back where it was. */
  added_at?: string | undefined
  /** Turns membership round when no wish is given. */
  toggle?: boolean
}

/** Adds, removes or sets; saying it twice changes nothing more. Leaving the list keeps nothing but the favourite mark. */
export async function put(by: By, place: Place, wish: Wish): Promise<WatchlistEntry> {
  const title = await titleAt(by, place)
  const entry = await by.deps.database.primary.transaction().execute((trx) => apply(trx, by, title, wish))
  tellAccount(by, 'list')
  return entry
}

interface Several extends Wish {
  type: TitleType
  media_id: string
}

/** Several titles in one transaction; one that the profile may not know of refuses them all. */
export async function putSeveral(by: By, wishes: Several[]): Promise<{ results: WatchlistEntry[] }> {
  const ids = wishes.map((one) => idOf(one.media_id))
  const rows = await titlesByIds(by.deps.database.reader, by.caller.audience, ids)
  const known = new Map(rows.map((row) => [`${row.type}/${row.title_id}`, row]))
  const titles = wishes.map((one, at) => {
    const title = known.get(`${one.type}/${ids[at]}`)
    if (!title) throw new Problem('not_found')
    return title
  })
  const results = await by.deps.database.primary.transaction().execute(async (trx) => {
    const entries: WatchlistEntry[] = []
    for (const [at, title] of titles.entries()) entries.push(await apply(trx, by, title, wishes[at] ?? {}))
    return entries
  })
  tellAccount(by, 'list')
  return { results }
}

async function apply(trx: Db, { deps, caller }: By, title: TitleRow, wish: Wish): Promise<WatchlistEntry> {
  const now = deps.now()
  const before = await lockedEntry(trx, caller.profile.profile_id, title.title_id)
  const was = before?.in_watchlist === 1
  const listed = wish.in_watchlist ?? (wish.toggle ? !was : true)
  const since = wish.added_at === undefined ? undefined : Math.min(now, Date.parse(wish.added_at))
  const row = {
    profile_id: caller.profile.profile_id,
    title_id: title.title_id,
    in_watchlist: listed ? 1 : 0,
    state: listed ? (wish.state ?? (was ? before.state : null) ?? 'planned') : null,
    favorite: (wish.favorite ?? before?.favorite === 1) ? 1 : 0,
    added_at: listed ? (since ?? (was ? before.added_at : now)) : null,
    updated_at: now,
  }
  await putWatchlistEntry(trx, row)
  return entryOf(title, row)
}

export async function feedback(by: By, place: Place): Promise<{ feedback: Feedback }> {
  const title = await titleAt(by, place)
  const found = await feedbackOf(by.deps.database.primary, by.caller.profile.profile_id, title.title_id)
  return { feedback: found as Feedback }
}

interface Rated {
  feedback: 'liked' | 'disliked'
  page: number
  limit: number
}

export async function rated({ deps, caller }: By, query: Rated) {
  const profileId = caller.profile.profile_id
  const { rows, total } = await ratedTitles(deps.database.primary, caller.audience, { ...query, profileId })
  return {
    page: query.page,
    limit: query.limit,
    total_results: total,
    total_pages: Math.ceil(total / query.limit),
    results: await cardsOf(deps, rows, titleLanguage(caller)),
  }
}

export async function rate(
  by: By,
  place: Place,
  given: 'like' | 'dislike' | null,
): Promise<{ feedback: Feedback }> {
  const title = await titleAt(by, place)
  const said: Feedback = given === null ? null : given === 'like' ? 'liked' : 'disliked'
  await putFeedback(by.deps.database.primary, {
    profileId: by.caller.profile.profile_id,
    titleId: title.title_id,
    feedback: said,
    now: by.deps.now(),
  })
  tellAccount(by, 'feedback')
  return { feedback: said }
}

export async function interact(by: By, place: Place, event: InteractionEvent): Promise<void> {
  const title = await titleAt(by, place)
  await addInteraction(by.deps.database.primary, {
    profileId: by.caller.profile.profile_id,
    titleId: title.title_id,
    event,
    now: by.deps.now(),
  })
  if (event === 'dismiss' || event === 'undismiss') tellAccount(by, 'progress')
}
