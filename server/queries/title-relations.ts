/**
 * Writes the dependent rows of a title: names, texts, genres, countries, networks, keywords, credits and texts of
 * episodes.
 */
import { type Insertable, sql } from 'kysely'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import { foldTitle } from '../../src/lib/rules/fold-title.ts'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { normaliseKeyword } from './block-rule.ts'
import { insertRows, padToPowerOfTwo } from './insert-rows.ts'
import { upsertPeople } from './person-write.ts'
import type { TitleRecord } from './title-record.ts'

export interface WrittenTitle {
  titleId: number
  record: TitleRecord
  /** True for a title that was just inserted and has no dependent rows yet. */
  isNew: boolean
}

/** Tables that both importers and administrators write. */
const EDITABLE_TABLES = ['title_name', 'title_text', 'title_genre'] as const
const NON_EDITABLE_TABLES = [
  'title_country',
  'title_network',
  'title_keyword',
  'credit',
  'episode_text',
] as const

type EditableRelations = Pick<TitleRecord, 'names' | 'texts' | 'genres'>
type WrittenRelations<R> = Omit<WrittenTitle, 'record'> & { record: R }

/** Replaces all dependent rows of the titles. */
export async function replaceTitleRelations(db: Db, titles: WrittenTitle[]): Promise<void> {
  await replaceNamesTextsGenres(db, titles)
  await deleteRelations(db, titles, NON_EDITABLE_TABLES)
  await insertRows(
    db,
    'title_country',
    createValueRows(titles, 'country', (record) => record.countries ?? []),
  )
  await insertRows(
    db,
    'title_network',
    createValueRows(titles, 'network', (record) => record.networks),
  )
  await insertRows(
    db,
    'title_keyword',
    createValueRows(titles, 'keyword', (record) => record.keywords.map(normaliseKeyword)),
  )
  await insertRows(db, 'credit', await createCreditRows(db, titles))
  await insertRows(db, 'episode_text', titles.flatMap(createEpisodeTextRows))
}

/** Replaces only the rows of the tables that administrators edit. */
export async function replaceNamesTextsGenres(
  db: Db,
  titles: WrittenRelations<EditableRelations>[],
): Promise<void> {
  await deleteRelations(db, titles, EDITABLE_TABLES)
  await insertRows(db, 'title_name', titles.flatMap(createNameRows))
  await insertRows(db, 'title_text', titles.flatMap(createTextRows))
  await insertRows(
    db,
    'title_genre',
    createValueRows(titles, 'genre_id', (record) => record.genres),
  )
}

async function deleteRelations(
  db: Db,
  titles: Omit<WrittenTitle, 'record'>[],
  tables: readonly (typeof EDITABLE_TABLES | typeof NON_EDITABLE_TABLES)[number][],
): Promise<void> {
  const existingIds = titles.filter((title) => !title.isNew).map((title) => title.titleId)
  if (existingIds.length === 0) return
  for (const table of tables)
    await db.deleteFrom(table).where(sql.ref('title_id'), 'in', padToPowerOfTwo(existingIds)).execute()
}

/** Creates one row per language and text. If a text has several roles, only the first role is kept. */
function createNameRows({
  titleId,
  record,
}: WrittenRelations<EditableRelations>): Insertable<DatabaseSchema['title_name']>[] {
  const rowsByNameKey = new Map<string, Insertable<DatabaseSchema['title_name']>>()
  for (const { lang, text, role } of record.names) {
    const nameKey = `${lang} ${text}`
    const normalisedColumns = { folded: foldSearchText(text), match_key: foldTitle(text) }
    if (!rowsByNameKey.has(nameKey))
      rowsByNameKey.set(nameKey, { title_id: titleId, lang, text, role, ...normalisedColumns })
  }
  return [...rowsByNameKey.values()]
}

function createTextRows({
  titleId,
  record,
}: WrittenRelations<EditableRelations>): Insertable<DatabaseSchema['title_text']>[] {
  const rowsByLanguage = new Map(
    record.texts.map(({ lang, overview = null, tagline = null }) => [
      lang,
      { title_id: titleId, lang, overview, tagline },
    ]),
  )
  return [...rowsByLanguage.values()]
}

/** Creates one row per episode and language. If a source sends several texts, the last one is kept. */
function createEpisodeTextRows({
  titleId,
  record,
}: WrittenTitle): Insertable<DatabaseSchema['episode_text']>[] {
  return record.seasons.flatMap(({ season_number, episodes }) =>
    episodes.flatMap(({ episode_number, texts = [] }) => {
      const overviewsByLanguage = new Map(texts.map(({ lang, overview }) => [lang, overview]))
      return [...overviewsByLanguage].map(([lang, overview]) => ({
        title_id: titleId,
        season_number,
        episode_number,
        lang,
        overview,
      }))
    }),
  )
}

function createValueRows<T, K extends string, R>(
  titles: WrittenRelations<R>[],
  column: K,
  getValues: (record: R) => T[],
): ({ title_id: number } & Record<K, T>)[] {
  return titles.flatMap(({ titleId, record }) =>
    [...new Set(getValues(record))].map(
      (value) => ({ title_id: titleId, [column]: value }) as { title_id: number } & Record<K, T>,
    ),
  )
}

async function createCreditRows(
  db: Db,
  titles: WrittenTitle[],
): Promise<Insertable<DatabaseSchema['credit']>[]> {
  const people = titles.flatMap(({ record }) =>
    [...record.cast, ...record.crew].map((credit) => credit.person),
  )
  const personIdIterator = (await upsertPeople(db, people))[Symbol.iterator]()
  return titles.flatMap(({ titleId, record }) => {
    const createCredit = (kind: string, job: string, character: string | null, billingOrder: number) => ({
      title_id: titleId,
      person_id: personIdIterator.next().value ?? 0,
      kind,
      job,
      character,
      position: billingOrder,
    })
    return [
      ...record.cast.map(({ character }, index) => createCredit('cast', 'Actor', character ?? null, index)),
      ...record.crew.map(({ job }, index) => createCredit('crew', job, null, index)),
    ]
  })
}
