/** Named lists as the API returns them: with the number and the posters of the titles that the reader may see. */
import * as z from 'zod/mini'
import { movieQuerySchema, seriesQuerySchema } from '../../../src/lib/contract/catalogue.ts'
import type { ListFilter, NamedList } from '../../../src/lib/contract/lists.ts'
import type { MediaCard } from '../../../src/lib/contract/media.ts'
import { toIsoTime } from '../../core/dates.ts'
import { Problem } from '../../core/problem.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import {
  countListTitles,
  type NamedListRow,
  selectFirstTitleIds,
  selectListsWithTitle,
  selectReadableList,
} from '../../queries/named-list.ts'
import type { PageRequest } from '../../queries/page.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import { listTitles } from '../catalogue/title-lists.ts'
import type { ProfileContext } from '../context.ts'
import { toPage } from '../page.ts'

const POSTERS_PER_LIST = 4
/** Parameters of browse lists that a smart list must not contain. */
const EXCLUDED_PARAMETERS = ['page', 'limit', 'paginate', 'admin', 'published', 'search']

/**
 * Parses the query of a smart list. Returns undefined when it is not a valid query for movies or series, or contains
 * one of the EXCLUDED_PARAMETERS.
 */
export function parseListFilter({ type, query }: ListFilter) {
  const parameters: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(query)) {
    const previousValue = parameters[name]
    parameters[name] = previousValue === undefined ? value : [previousValue, value].flat()
  }
  const schema = type === 'movie' ? movieQuerySchema : seriesQuerySchema
  const parsedQuery = z.safeParse(schema, parameters)
  if (!parsedQuery.success || EXCLUDED_PARAMETERS.some((name) => name in parameters) || query.includes('\0'))
    return undefined
  return parsedQuery.data
}

const getListFilter = (row: NamedListRow): ListFilter | null =>
  row.filter_type === null
    ? null
    : { type: row.filter_type as ListFilter['type'], query: row.filter_query ?? '' }

export const getListReaderIds = ({ caller }: ProfileContext) => ({
  accountId: caller.account.account_id,
  profileId: caller.profile.profile_id,
})

/**
 * Returns a page of the titles of a smart list. A list with an invalid stored filter has no titles and causes no error,
 * because an error would make the other lists unreadable too. A stored filter can be invalid, because earlier versions
 * imported filters without a check, and because the accepted parameters can change.
 */
export async function listSmartListTitles(
  { deps, caller }: ProfileContext,
  filter: ListFilter,
  pageRequest: PageRequest,
) {
  const query = parseListFilter(filter)
  if (!query) return toPage<MediaCard>(pageRequest, 0, [])
  return listTitles(deps, caller, filter.type, { ...query, ...pageRequest })
}

/**
 * Converts lists for the acting profile. With `titleId`, each list states whether it contains this title. For a
 * restricted profile, omits lists of other profiles that contain no title that the restricted profile may see, because
 * the names of these lists may be unsuitable.
 */
export async function toNamedLists(
  context: ProfileContext,
  rows: readonly NamedListRow[],
  titleId?: number,
): Promise<NamedList[]> {
  const { deps, caller } = context
  const { primary } = deps.database
  const listIds = rows.map((row) => row.list_id)
  const [countsByListId, firstTitleIdsByListId, listsWithTitle] = await Promise.all([
    countListTitles(primary, caller.audience, listIds),
    selectFirstTitleIds(primary, caller.audience, { listIds, limit: POSTERS_PER_LIST }),
    titleId === undefined ? null : selectListsWithTitle(primary, listIds, titleId),
  ])
  const titles = await selectTitlesInOrder(deps.database.reader, caller.audience, [
    ...new Set([...firstTitleIdsByListId.values()].flat()),
  ])
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  const lists: NamedList[] = []
  for (const row of rows) {
    const filter = getListFilter(row)
    const isOwnList = row.profile_id === caller.profile.profile_id
    const page = filter && (await listSmartListTitles(context, filter, { page: 1, limit: POSTERS_PER_LIST }))
    const firstCards =
      page?.results ?? (firstTitleIdsByListId.get(row.list_id) ?? []).flatMap((id) => cardsById.get(id) ?? [])
    const titleCount = page ? (page.total_results ?? 0) : (countsByListId.get(row.list_id) ?? 0)
    if (caller.audience.isRestricted && !isOwnList && titleCount === 0) continue
    lists.push({
      list_id: row.list_id,
      name: row.name,
      description: row.description,
      shared: row.shared === 1,
      on_home: isOwnList && row.on_home === 1,
      own: isOwnList,
      owner_name: row.owner_name,
      filter,
      title_count: titleCount,
      posters: firstCards.flatMap((card) => card.poster_path ?? []),
      ...(listsWithTitle && { contains: listsWithTitle.has(row.list_id) }),
      updated_at: toIsoTime(row.updated_at),
    })
  }
  return lists
}

/** Returns a list that the profile may read. Throws 404 for any other list. */
export async function requireReadableList(
  context: ProfileContext,
  listId: string,
): Promise<{ row: NamedListRow; list: NamedList }> {
  const row = await selectReadableList(context.deps.database.primary, getListReaderIds(context), listId)
  const [list] = row ? await toNamedLists(context, [row]) : []
  if (!row || !list) throw new Problem('not_found')
  return { row, list }
}
