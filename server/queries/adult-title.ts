/** Hides the titles of the catalogue that their source marks as adult. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import { selectTitleEdits } from './title-edit.ts'
import { type KnownTitle, loadTitleMatcher, type TitleMatcher } from './title-match.ts'
import type { TitleRecordIds } from './title-record.ts'

/**
 * `source_hash` of a title that was hidden because its source marks it as adult. While a title has this value, the mark
 * does not hide the title again, so that an administrator can publish it. The next import of a record of the title
 * replaces this value.
 */
const ADULT_SOURCE_HASH = 'adult'

/**
 * `changed`: this call hides the title. `same`: an earlier call has hidden the title. It is not hidden again, even if
 * an administrator has published it since. `unknown`: the catalogue does not contain the title.
 */
export type HideOutcome = 'changed' | 'same' | 'unknown'

/**
 * Unpublishes the titles that no earlier call has hidden, including titles of sources with a higher priority. Also
 * marks them as unsafe for kids, except the titles whose kids safety an administrator has set. Returns the outcome of
 * each title. Call it in a transaction.
 */
export async function hideAdultTitles(
  db: Db,
  adultTitles: readonly TitleRecordIds[],
  nowMs: number,
): Promise<HideOutcome[]> {
  const titleMatcher = await loadTitleMatcher(db, adultTitles)
  const titlesToHide: KnownTitle[] = []
  const outcomes = adultTitles.map((adultTitle): HideOutcome => {
    const knownTitle = findKnownTitle(titleMatcher, adultTitle)
    if (!knownTitle) return 'unknown'
    if (knownTitle.source_hash === ADULT_SOURCE_HASH) return 'same'
    titlesToHide.push(knownTitle)
    return 'changed'
  })
  await hideTitles(db, titlesToHide, nowMs)
  return outcomes
}

/** Returns those of the titles that the catalogue contains. */
export async function selectKnownTitles(
  db: Db,
  titles: readonly TitleRecordIds[],
): Promise<TitleRecordIds[]> {
  const titleMatcher = await loadTitleMatcher(db, titles)
  return titles.filter((title) => findKnownTitle(titleMatcher, title))
}

/**
 * Returns the title of the catalogue with these ids. Compares the TMDB id first, so that the title is also found when
 * the source and the catalogue have different IMDb ids for it. Returns undefined when there is no such
 * title, or when the two ids belong to different titles.
 */
function findKnownTitle(titleMatcher: TitleMatcher, { type, tmdb_id, imdb_id }: TitleRecordIds) {
  const match =
    titleMatcher.findMatch({ type, tmdb_id }) ?? titleMatcher.findMatch({ type, tmdb_id, imdb_id })
  return match === 'clash' ? undefined : match
}

async function hideTitles(db: Db, titles: readonly KnownTitle[], nowMs: number): Promise<void> {
  if (titles.length === 0) return
  const titleIds = titles.map(({ title_id }) => title_id)
  const editsByTitleId = await selectTitleEdits(db, titleIds)
  const isKidsSafetyEdited = ({ title_id, edited }: KnownTitle) =>
    (editsByTitleId.get(title_id) ?? []).some(({ field }) => field === 'safe_for_kids') ||
    'safe_for_kids' in JSON.parse(edited)
  const hiddenColumns = { published: 0, source_hash: ADULT_SOURCE_HASH, updated_at: nowMs }
  for (const [isEdited, group] of Map.groupBy(titles, isKidsSafetyEdited))
    await db
      .updateTable('title')
      .set({
        ...hiddenColumns,
        deleted_published: sql<number | null>`case when deleted_at is null then deleted_published else 0 end`,
        ...(!isEdited && { safe_for_kids: 0 }),
      })
      .where('title_id', 'in', padToPowerOfTwo(group.map(({ title_id }) => title_id)))
      .execute()
  await db
    .updateTable('title_edit')
    .set({ imported: 'false' })
    .where('title_id', 'in', padToPowerOfTwo(titleIds))
    .where('field', '=', 'safe_for_kids')
    .execute()
}
