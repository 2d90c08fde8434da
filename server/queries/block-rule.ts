import { type Insertable, type RawBuilder, type Selectable, sql } from 'kysely'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import { type PageRequest, selectPage } from './page.ts'
import { containsFoldedText, containsText } from './text-match.ts'

export type BlockRuleRow = Selectable<DatabaseSchema['block_rule']>
type BlockRuleTarget = Pick<BlockRuleRow, 'type' | 'media_id' | 'value'>

/**
 * Returns a keyword in the form in which titles and block rules store keywords. The stored texts are compared, so a
 * letter with an accent must have the same code points in a title and in a rule.
 */
export const normaliseKeyword = (keyword: string): string => keyword.trim().normalize('NFC').toLowerCase()

/**
 * True if a rule names the title or one of its keywords. The subqueries about the rules do not depend on the title, so
 * that the database evaluates them once per statement.
 */
const isTitleBlocked = sql<boolean>`(
  (title.type, title.title_id) in (select type, media_id from block_rule where media_id is not null)
  or exists (select 1 from title_keyword k where k.title_id = title.title_id
             and k.keyword in (select value from block_rule where type = 'keyword')))`

/** Updates the `blocked` flags of the titles that meet the condition. Writes only the rows whose flag changes. */
const updateBlockedTitles = (db: Db, titleCondition: RawBuilder<boolean>) =>
  sql`
    update title set blocked = 1 - blocked
    where ${titleCondition} and blocked <> (case when ${isTitleBlocked} then 1 else 0 end)`.execute(db)

/**
 * Updates the `blocked` flags of titles that an importer has written, so that the flags match the block list. The flags
 * of people need no update, because no block rule can refer to people that the importer has just added.
 */
export async function applyBlockRules(db: Db, titleIds: number[]): Promise<void> {
  if (titleIds.length === 0 || !(await hasBlockRules(db))) return
  await updateBlockedTitles(db, sql`title_id in (${sql.join(padToPowerOfTwo(titleIds))})`)
}

/**
 * Updates the `blocked` flags after a rule was inserted or deleted. Reads only the titles or the person that the rule
 * names, because a statement over a large catalogue would block the other requests.
 */
export async function applyBlockRule(db: Db, { type, media_id, value }: BlockRuleTarget): Promise<void> {
  if (type === 'actor') await updateBlockedPerson(db, Number(media_id))
  else if (type === 'keyword')
    await updateBlockedTitles(
      db,
      sql`title_id in (select title_id from title_keyword where keyword = ${value})`,
    )
  else await updateBlockedTitles(db, sql`title_id = ${media_id}`)
}

/** Updates the `blocked` flag of a person. If the flag has changed, also logs a change of the titles of the person. */
async function updateBlockedPerson(db: Db, personId: number): Promise<void> {
  const { rows: changedPeople } = await sql<{ person_id: number }>`
    update person set blocked = 1 - blocked where person_id = ${personId} and blocked <> (case when
      exists (select 1 from block_rule r where r.type = 'actor' and r.media_id = ${personId})
      then 1 else 0 end)
    returning person_id`.execute(db)
  if (changedPeople.length > 0) await logTitlesOfPerson(db, personId)
}

/**
 * Adds the titles of a person to the change log, because the search index finds titles by the names of their people.
 * The statement sets `blocked` to its own value, so that the triggers of the log run.
 */
async function logTitlesOfPerson(db: Db, personId: number): Promise<void> {
  await sql`
    update title set blocked = blocked
    where title_id in (select title_id from credit where person_id = ${personId})`.execute(db)
}

async function hasBlockRules(db: Db): Promise<boolean> {
  return (await db.selectFrom('block_rule').select('block_id').limit(1).executeTakeFirst()) !== undefined
}

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

/** Deletes a rule and returns its row; undefined when there is no such rule. */
export async function deleteBlockRule(db: Db, blockId: number): Promise<BlockRuleRow | undefined> {
  return db.deleteFrom('block_rule').where('block_id', '=', blockId).returningAll().executeTakeFirst()
}

interface BlockRuleFilters extends PageRequest {
  type?: string | undefined
  search?: string | undefined
}

/**
 * Returns a page of the block list. The search finds titles and people by each of their names, without regard to case,
 * accents and punctuation, and keywords without regard to case. The label of a title is its original name.
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
