import { type Insertable, type Selectable, sql } from 'kysely'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import { type PageRequest, selectPage } from './page.ts'
import { containsFoldedText, containsText } from './text-match.ts'

const PEOPLE_PER_QUERY = 500

/**
 * Updates the `blocked` flags of titles and people to match the block list. Writes only rows that differ, and the
 * titles of the people that it updates. With `titleIds`, updates only these titles and no people. Importers pass
 * `titleIds`: people that an importer has just added need no update, because no block rule can refer to them yet.
 */
export async function applyBlockRules(db: Db, titleIds?: number[]): Promise<void> {
  const titleCondition = titleIds ? sql`title_id in (${sql.join(padToPowerOfTwo(titleIds))}) and` : sql``
  if (titleIds && (titleIds.length === 0 || !(await hasBlockRules(db)))) return
  await sql`
    update title set blocked = 1 - blocked where ${titleCondition} blocked <> (case when
      exists (select 1 from block_rule r where r.type = title.type and r.media_id = title.title_id)
      or exists (select 1 from block_rule r join title_keyword k on k.keyword = r.value
                 where r.type = 'keyword' and k.title_id = title.title_id)
      then 1 else 0 end)`.execute(db)
  if (titleIds) return
  const { rows: changedPeople } = await sql<{ person_id: number }>`
    update person set blocked = 1 - blocked where blocked <> (case when
      exists (select 1 from block_rule r where r.type = 'actor' and r.media_id = person.person_id)
      then 1 else 0 end)
    returning person_id`.execute(db)
  await logTitlesOfPeople(
    db,
    changedPeople.map((person) => person.person_id),
  )
}

/**
 * Adds the titles of people to the change log, because the search index finds titles by the names of their people. The
 * rows of the titles are written with equal values, so that the triggers of the log run.
 */
async function logTitlesOfPeople(db: Db, personIds: number[]): Promise<void> {
  for (let startIndex = 0; startIndex < personIds.length; startIndex += PEOPLE_PER_QUERY) {
    const batchIds = padToPowerOfTwo(personIds.slice(startIndex, startIndex + PEOPLE_PER_QUERY))
    await sql`
      update title set blocked = blocked
      where title_id in (select title_id from credit where person_id in (${sql.join(batchIds)}))`.execute(db)
  }
}

async function hasBlockRules(db: Db): Promise<boolean> {
  return (await db.selectFrom('block_rule').select('block_id').limit(1).executeTakeFirst()) !== undefined
}

export type BlockRuleRow = Selectable<DatabaseSchema['block_rule']>
type BlockRuleTarget = Pick<BlockRuleRow, 'type' | 'media_id' | 'value'>

/** Returns the display name of the target of a rule; undefined when the title or person does not exist. */
export async function selectBlockRuleLabel(
  db: Db,
  { type, media_id, value }: BlockRuleTarget,
): Promise<string | undefined> {
  if (type === 'keyword') return value ?? undefined
  if (type === 'actor') {
    const row = await db
      .selectFrom('person')
      .select('name')
      .where('person_id', '=', media_id ?? 0)
      .executeTakeFirst()
    return row?.name
  }
  const row = await db
    .selectFrom('title')
    .select('original_title')
    .where('title_id', '=', media_id ?? 0)
    .where('type', '=', type)
    .executeTakeFirst()
  return row?.original_title
}

/** Inserts a rule and returns its row. Returns undefined, without inserting, when an equal rule exists. */
export async function insertBlockRule(
  db: Db,
  row: Insertable<DatabaseSchema['block_rule']>,
): Promise<BlockRuleRow | undefined> {
  let duplicateQuery = db.selectFrom('block_rule').select('block_id').where('type', '=', row.type)
  duplicateQuery =
    row.media_id == null
      ? duplicateQuery.where('value', '=', row.value ?? null)
      : duplicateQuery.where('media_id', '=', row.media_id)
  if (await duplicateQuery.executeTakeFirst()) return undefined
  return db.insertInto('block_rule').values(row).returningAll().executeTakeFirst()
}

export async function deleteBlockRule(db: Db, blockId: number): Promise<boolean> {
  const deleteResult = await db.deleteFrom('block_rule').where('block_id', '=', blockId).executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}

interface BlockRuleFilters extends PageRequest {
  type?: string | undefined
  search?: string | undefined
}

/**
 * Returns a page of the block list. The search finds titles and people by each of their names, and ignores case,
 * accents and punctuation. The label of a title is its original name.
 */
export async function selectBlockRules(db: Db, { type, search, page, limit }: BlockRuleFilters) {
  const labelExpression = sql<string>`coalesce(title.original_title, person.name, block_rule.value, '')`
  let query = db
    .selectFrom('block_rule')
    .leftJoin('title', (join) =>
      join.onRef('title.title_id', '=', 'block_rule.media_id').onRef('title.type', '=', 'block_rule.type'),
    )
    .leftJoin('person', (join) =>
      join.onRef('person.person_id', '=', 'block_rule.media_id').on('block_rule.type', '=', 'actor'),
    )
  if (type) query = query.where('block_rule.type', '=', type)
  if (search) {
    const foldedSearch = foldSearchText(search)
    const isNameFound = containsFoldedText(sql.ref('folded'), foldedSearch)
    query = query.where((eb) =>
      eb.or([
        containsText(db, labelExpression, search),
        ...(foldedSearch === ''
          ? []
          : [
              eb(
                'title.title_id',
                'in',
                eb.selectFrom('title_name').select('title_name.title_id').where(isNameFound),
              ),
              eb(
                'person.person_id',
                'in',
                eb.selectFrom('person_name').select('person_name.person_id').where(isNameFound),
              ),
            ]),
      ]),
    )
  }
  const rowsQuery = query
    .selectAll('block_rule')
    .select(labelExpression.as('label'))
    .orderBy('block_rule.created_at', 'desc')
    .orderBy('block_rule.block_id', 'desc')
  return selectPage(rowsQuery, query, { page, limit })
}
