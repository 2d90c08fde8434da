/** Lists and changes the watchlist of a profile (My List). */

import type { WatchlistEntry, WatchState } from '../../../src/lib/contract/watchlist.ts'
import { parseFirstFailureTime, type RepeatTimes, toIsoTime } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { lockProgress } from '../../queries/progress.ts'
import { selectTitlesByIds, type TitleRow, type TitleType } from '../../queries/title.ts'
import {
  lockAndSelectWatchlistEntry,
  selectWatchlist,
  selectWatchlistEntry,
  upsertWatchlistEntry,
  type WatchlistFilters,
  type WatchlistRow,
} from '../../queries/watchlist.ts'
import { getTitleLanguage, getViewerDate } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import { hasTitleOrder, sortTitleIds } from '../catalogue/title-sort.ts'
import { parseId } from '../catalogue/titles.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'
import { toPage } from '../page.ts'
import { markTitlesSeen } from '../viewings/complete-titles.ts'

function formatWatchlistEntry(
  title: TitleRow,
  row: Pick<WatchlistRow, 'in_watchlist' | 'state' | 'favorite' | 'added_at'> | undefined,
): WatchlistEntry {
  const isInWatchlist = row?.in_watchlist === 1
  return {
    type: title.type as TitleType,
    media_id: String(title.title_id),
    in_watchlist: isInWatchlist,
    state: isInWatchlist ? ((row?.state ?? null) as WatchState | null) : null,
    favorite: row?.favorite === 1,
    added_at: isInWatchlist && row?.added_at ? toIsoTime(row.added_at) : null,
  }
}

export async function listWatchlistPage(
  { deps, caller }: ProfileContext,
  query: Omit<WatchlistFilters, 'profileId' | 'today'>,
) {
  const filters = { ...query, profileId: caller.profile.profile_id, today: getViewerDate(caller, deps.now()) }
  const { primary } = deps.database
  const titleLanguage = getTitleLanguage(caller)
  const { rows, total } = await selectWatchlist(
    primary,
    caller.audience,
    filters,
    hasTitleOrder(titleLanguage) ? (titleIds) => sortTitleIds(primary, titleLanguage, titleIds) : null,
  )
  const cards = await loadCards(deps, rows, titleLanguage)
  const entries = rows.flatMap((row, index) => {
    const card = cards[index]
    return card
      ? [
          {
            ...formatWatchlistEntry(row, { ...row, in_watchlist: 1 }),
            media: { ...card, own_rating: row.own_rating },
          },
        ]
      : []
  })
  return toPage(query, total, entries)
}

export async function loadWatchlistEntry(
  context: ProfileContext,
  titleRef: TitleRef,
): Promise<WatchlistEntry> {
  const title = await requireTitle(context, titleRef)
  const { deps, caller } = context
  const entryRef = {
    profileId: caller.profile.profile_id,
    titleId: title.title_id,
    today: getViewerDate(caller, deps.now()),
  }
  const row = await selectWatchlistEntry(deps.database.primary, entryRef)
  return formatWatchlistEntry(title, row)
}

interface WatchlistChange {
  /**
   * Whether the title is in the watchlist after the change. If `in_watchlist` is absent and `toggle` is not true, the
   * title is added, even if the request changes only the state or the favourite mark.
   */
  in_watchlist?: boolean | undefined
  state?: WatchState | undefined
  favorite?: boolean | undefined
  /**
   * Original time of an entry that an undo restores; null if the entry had no time. A time in the future is replaced
   * by the current time.
   */
  added_at?: string | null | undefined
  /**
   * If true and `in_watchlist` is absent, a title in the watchlist is removed, and any other title is added.
   */
  toggle?: boolean
}

/**
 * Adds, removes or changes an entry. Idempotent unless `toggle` is set. A removed entry keeps only its
 * favourite mark. A repeated request changes nothing if the entry has changed since the first attempt. Returns the
 * stored entry.
 */
export async function changeWatchlistEntry(
  context: ProfileContext,
  titleRef: TitleRef,
  change: WatchlistChange & RepeatTimes,
): Promise<WatchlistEntry> {
  const title = await requireTitle(context, titleRef)
  const savedEntries = await context.deps.database.primary
    .transaction()
    .execute((trx) => saveEntries(trx, context, [{ title, change }], change))
  publishAccountEvent(context, 'list')
  if (change.state === 'completed') publishAccountEvent(context, 'progress')
  return savedEntries[0] as WatchlistEntry
}

interface TitleWatchlistChange extends WatchlistChange {
  type: TitleType
  media_id: string
}

/**
 * Saves several entries in one transaction. Throws 404 when the caller may not see one of the titles. In this case, no
 * entry is saved.
 */
export async function changeWatchlistEntries(
  context: ProfileContext,
  { entries: changes, ...repeatTimes }: { entries: TitleWatchlistChange[] } & RepeatTimes,
): Promise<{ results: WatchlistEntry[] }> {
  const { deps, caller } = context
  const titleIds = changes.map((change) => parseId(change.media_id))
  const rows = await selectTitlesByIds(deps.database.reader, caller.audience, titleIds)
  const titlesByKey = new Map(rows.map((row) => [`${row.type}/${row.title_id}`, row]))
  const titles = changes.map((change, index) => {
    const title = titlesByKey.get(`${change.type}/${titleIds[index]}`)
    if (!title) throw new Problem('not_found')
    return title
  })
  const savedEntries = await deps.database.primary.transaction().execute((trx) =>
    saveEntries(
      trx,
      context,
      titles.map((title, index) => ({ title, change: changes[index] ?? {} })),
      repeatTimes,
    ),
  )
  publishAccountEvent(context, 'list')
  if (changes.some((change) => change.state === 'completed')) publishAccountEvent(context, 'progress')
  return { results: savedEntries }
}

/**
 * Saves the entries. A change to the state `completed` also marks the unseen movie or episodes as seen. A change with
 * `added_at` restores the earlier state of an entry and marks nothing as seen.
 */
async function saveEntries(
  trx: Db,
  context: ProfileContext,
  entryChanges: { title: TitleRow; change: WatchlistChange }[],
  repeatTimes: RepeatTimes,
): Promise<WatchlistEntry[]> {
  const completedTitles = entryChanges
    .filter(
      ({ change: { state, in_watchlist, added_at } }) =>
        state === 'completed' && in_watchlist !== false && added_at === undefined,
    )
    .map(({ title }) => title)
  const profileId = context.caller.profile.profile_id
  // All writers lock the progress before the watchlist, so that no deadlock occurs.
  if (completedTitles.length > 0) await lockProgress(trx, profileId)
  const savedEntries: WatchlistEntry[] = []
  const changedAtMs = parseFirstFailureTime(repeatTimes, context.deps.now())
  for (const { title, change } of entryChanges)
    savedEntries.push(await saveEntry(trx, context, { title, change, changedAtMs }))
  const savedCompletedIds = new Set(
    savedEntries.filter(({ state }) => state === 'completed').map(({ media_id }) => media_id),
  )
  const titles = completedTitles.filter(({ title_id }) => savedCompletedIds.has(String(title_id)))
  const nowMs = context.deps.now()
  if (titles.length > 0)
    await markTitlesSeen(trx, { profileId, titles, nowMs, today: getViewerDate(context.caller, nowMs) })
  return savedEntries
}

async function saveEntry(
  trx: Db,
  { deps, caller }: ProfileContext,
  { title, change, changedAtMs }: { title: TitleRow; change: WatchlistChange; changedAtMs: number },
): Promise<WatchlistEntry> {
  const nowMs = deps.now()
  const entryRef = {
    profileId: caller.profile.profile_id,
    titleId: title.title_id,
    today: getViewerDate(caller, nowMs),
  }
  const previousRow = await lockAndSelectWatchlistEntry(trx, entryRef)
  if (previousRow && previousRow.updated_at > changedAtMs) return formatWatchlistEntry(title, previousRow)
  const wasInWatchlist = previousRow?.in_watchlist === 1
  const isInWatchlist = change.in_watchlist ?? (change.toggle ? !wasInWatchlist : true)
  const currentAddedAtMs = wasInWatchlist ? previousRow.added_at : nowMs
  const originalAddedAtMs = change.added_at ? Math.min(nowMs, Date.parse(change.added_at)) : null
  const row = {
    profile_id: caller.profile.profile_id,
    title_id: title.title_id,
    in_watchlist: isInWatchlist ? 1 : 0,
    state: isInWatchlist ? (change.state ?? (wasInWatchlist ? previousRow.state : null) ?? 'planned') : null,
    favorite: (change.favorite ?? previousRow?.favorite === 1) ? 1 : 0,
    added_at: isInWatchlist ? (change.added_at === undefined ? currentAddedAtMs : originalAddedAtMs) : null,
    updated_at: Math.min(nowMs, changedAtMs),
  }
  await upsertWatchlistEntry(trx, row)
  return formatWatchlistEntry(title, row)
}
