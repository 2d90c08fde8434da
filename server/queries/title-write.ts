/** Writing titles: what importers and administrators change. */
import { type Insertable, sql } from 'kysely'
import { fold } from '../../src/lib/rules/fold.ts'
import { foldTitle } from '../../src/lib/rules/fold-title.ts'
import { popularityOf, weightedScore } from '../../src/lib/rules/ranking.ts'
import { slugify, sortTitle } from '../../src/lib/rules/slug.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { upsertPerson } from './person-write.ts'
import { replaceSeasons } from './season-write.ts'
import type { TitleRecord } from './title-record.ts'

interface Origin {
  source: string
  /** Of the record: equal means nothing to do. */
  hash: string
  now: number
}

/** Adds a title or brings it up to date; slug, publication and block of a known title stay. Call it in a transaction. */
export async function upsertTitle(
  db: Db,
  record: TitleRecord,
  origin: Origin,
): Promise<'added' | 'changed' | 'same'> {
  const known = await findTitle(db, record)
  if (known?.source_hash === origin.hash) return 'same'
  const columns = columnsOf(record, origin)
  let titleId: number
  if (known) {
    titleId = known.title_id
    await db.updateTable('title').set(columns).where('title_id', '=', titleId).execute()
  } else {
    const slug = await freeSlug(db, record)
    const row = await db
      .insertInto('title')
      .values({ ...columns, slug, created_at: origin.now, published: 1, blocked: 0 })
      .returning('title_id')
      .executeTakeFirstOrThrow()
    titleId = Number(row.title_id)
  }
  await replaceParts(db, titleId, record)
  await replaceSeasons(db, titleId, record.seasons)
  return known ? 'changed' : 'added'
}

async function findTitle(db: Db, record: TitleRecord) {
  const select = db.selectFrom('title').select(['title_id', 'source_hash']).where('type', '=', record.type)
  if (record.imdb_id) {
    const found = await select.where('imdb_id', '=', record.imdb_id).executeTakeFirst()
    if (found) return found
  }
  if (record.tmdb_id === undefined) return undefined
  return select.where('tmdb_id', '=', record.tmdb_id).executeTakeFirst()
}

export function englishTitle(record: Pick<TitleRecord, 'names' | 'original_title'>): string {
  return (
    record.names.find((name) => name.lang === 'en' && name.role === 'main')?.text ?? record.original_title
  )
}

function columnsOf(record: TitleRecord, { source, hash, now }: Origin) {
  const year = record.year ?? (record.release_date ? Number(record.release_date.slice(0, 4)) : null)
  return {
    type: record.type,
    imdb_id: record.imdb_id ?? null,
    tmdb_id: record.tmdb_id ?? null,
    original_title: record.original_title,
    sort_title: sortTitle(englishTitle(record)),
    language: record.language ?? null,
    release_date: record.release_date ?? null,
    year,
    runtime: record.runtime ?? null,
    rated: record.rated ?? null,
    rating: Math.round(record.rating * 10) / 10,
    rating_votes: record.rating_votes,
    score: weightedScore(record.rating, record.rating_votes),
    popularity: record.popularity ?? popularityOf(record.rating, record.rating_votes, year),
    safe_for_kids: record.safe_for_kids ? 1 : 0,
    high_quality: record.high_quality ? 1 : 0,
    status: record.status ?? null,
    season_count: record.seasons.filter((season) => season.season_number > 0).length,
    episode_count: record.seasons.reduce((sum, season) => sum + season.episodes.length, 0),
    newest_season: newestSeason(record),
    poster_path: record.poster_path ?? null,
    backdrop_path: record.backdrop_path ?? null,
    trailer: record.trailer ?? null,
    parental_guide: JSON.stringify(record.parental_guide),
    source,
    source_hash: hash,
    updated_at: now,
  } satisfies Omit<Insertable<Schema['title']>, 'slug' | 'created_at' | 'published' | 'blocked'>
}

function newestSeason(record: TitleRecord): string | null {
  const dates = record.seasons.flatMap((season) =>
    season.season_number > 0 && season.air_date ? [season.air_date] : [],
  )
  return dates.sort().at(-1) ?? null
}

/** The title's own slug, with the year when it is taken, then with a number. */
async function freeSlug(db: Db, record: TitleRecord): Promise<string> {
  const base = slugify(englishTitle(record))
  const year = record.year ?? record.release_date?.slice(0, 4)
  const wishes = year ? [base, `${base}-${year}`] : [base]
  const taken = await db
    .selectFrom('title')
    .select('slug')
    .where('type', '=', record.type)
    .where('slug', '>=', base)
    .where('slug', '<=', `${base}-\u{10ffff}`)
    .execute()
  const used = new Set(taken.map((row) => row.slug))
  const stem = wishes.at(-1) ?? base
  for (let number = 2; ; number++) {
    const free = wishes.find((wish) => !used.has(wish))
    if (free) return free
    wishes.push(`${stem}-${number}`)
  }
}

async function replaceParts(db: Db, titleId: number, record: TitleRecord): Promise<void> {
  const mine = { title_id: titleId }
  for (const table of [
    'title_name',
    'title_text',
    'title_genre',
    'title_network',
    'title_keyword',
    'credit',
  ] as const) {
    await db.deleteFrom(table).where(sql.ref('title_id'), '=', titleId).execute()
  }
  const names = uniqueBy(record.names, (name) => `${name.lang} ${name.text}`).map((name) => ({
    ...mine,
    ...name,
    folded: fold(name.text),
    match_key: foldTitle(name.text),
  }))
  if (names.length > 0) await db.insertInto('title_name').values(names).execute()
  const texts = record.texts.map((text) => ({
    ...mine,
    lang: text.lang,
    overview: text.overview ?? null,
    tagline: text.tagline ?? null,
  }))
  if (texts.length > 0) await db.insertInto('title_text').values(texts).execute()
  const genres = [...new Set(record.genres)].map((genre_id) => ({ ...mine, genre_id }))
  if (genres.length > 0) await db.insertInto('title_genre').values(genres).execute()
  const networks = [...new Set(record.networks)].map((network) => ({ ...mine, network }))
  if (networks.length > 0) await db.insertInto('title_network').values(networks).execute()
  const keywords = [...new Set(record.keywords)].map((keyword) => ({ ...mine, keyword }))
  if (keywords.length > 0) await db.insertInto('title_keyword').values(keywords).execute()
  await insertCredits(db, titleId, record)
}

async function insertCredits(db: Db, titleId: number, record: TitleRecord): Promise<void> {
  const rows: Insertable<Schema['credit']>[] = []
  for (const [position, { person, character }] of record.cast.entries()) {
    const person_id = await upsertPerson(db, person)
    rows.push({
      title_id: titleId,
      person_id,
      kind: 'cast',
      job: 'Actor',
      character: character ?? null,
      position,
    })
  }
  for (const [position, { person, job }] of record.crew.entries()) {
    const person_id = await upsertPerson(db, person)
    rows.push({ title_id: titleId, person_id, kind: 'crew', job, character: null, position })
  }
  if (rows.length > 0) await db.insertInto('credit').values(rows).execute()
}

function uniqueBy<T>(items: T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()]
}
