/** What hangs on a title and has no life of its own: names, texts, genres, networks, keywords, credits. */
import { type Insertable, sql } from 'kysely'
import { fold } from '../../src/lib/rules/fold.ts'
import { foldTitle } from '../../src/lib/rules/fold-title.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { evened, insertRows } from './insert-rows.ts'
import { upsertPeople } from './person-write.ts'
import type { TitleRecord } from './title-record.ts'

export interface Written {
  titleId: number
  record: TitleRecord
  /** Added a moment ago: nothing hangs on it yet. */
  fresh: boolean
}

const PARTS = ['title_name', 'title_text', 'title_genre', 'title_network', 'title_keyword', 'credit'] as const

export async function replaceParts(db: Db, titles: Written[]): Promise<void> {
  const known = titles.filter((title) => !title.fresh).map((title) => title.titleId)
  for (const table of known.length > 0 ? PARTS : []) {
    await db.deleteFrom(table).where(sql.ref('title_id'), 'in', evened(known)).execute()
  }
  await insertRows(db, 'title_name', titles.flatMap(namesOf))
  await insertRows(db, 'title_text', titles.flatMap(textsOf))
  await insertRows(
    db,
    'title_genre',
    listOf(titles, 'genre_id', (record) => record.genres),
  )
  await insertRows(
    db,
    'title_network',
    listOf(titles, 'network', (record) => record.networks),
  )
  await insertRows(
    db,
    'title_keyword',
    listOf(titles, 'keyword', (record) => record.keywords.map((keyword) => keyword.toLowerCase())),
  )
  await insertRows(db, 'credit', await creditsOf(db, titles))
}

/** One row for each language and text, of the first role given. */
function namesOf({ titleId, record }: Written): Insertable<Schema['title_name']>[] {
  const rows = new Map<string, Insertable<Schema['title_name']>>()
  for (const { lang, text, role } of record.names) {
    const key = `${lang} ${text}`
    const keys = { folded: fold(text), match_key: foldTitle(text) }
    if (!rows.has(key)) rows.set(key, { title_id: titleId, lang, text, role, ...keys })
  }
  return [...rows.values()]
}

function textsOf({ titleId, record }: Written): Insertable<Schema['title_text']>[] {
  const rows = new Map(
    record.texts.map(({ lang, overview = null, tagline = null }) => [
      lang,
      { title_id: titleId, lang, overview, tagline },
    ]),
  )
  return [...rows.values()]
}

function listOf<T, K extends string>(
  titles: Written[],
  column: K,
  read: (record: TitleRecord) => T[],
): ({ title_id: number } & Record<K, T>)[] {
  return titles.flatMap(({ titleId, record }) =>
    [...new Set(read(record))].map(
      (value) => ({ title_id: titleId, [column]: value }) as { title_id: number } & Record<K, T>,
    ),
  )
}

async function creditsOf(db: Db, titles: Written[]): Promise<Insertable<Schema['credit']>[]> {
  const people = titles.flatMap(({ record }) => [...record.cast, ...record.crew].map((one) => one.person))
  const ids = (await upsertPeople(db, people))[Symbol.iterator]()
  return titles.flatMap(({ titleId, record }) => {
    const credit = (kind: string, job: string, character: string | null, position: number) => ({
      title_id: titleId,
      person_id: ids.next().value ?? 0,
      kind,
      job,
      character,
      position,
    })
    return [
      ...record.cast.map(({ character }, at) => credit('cast', 'Actor', character ?? null, at)),
      ...record.crew.map(({ job }, at) => credit('crew', job, null, at)),
    ]
  })
}
