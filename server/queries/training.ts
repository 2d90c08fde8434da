/** What the recommendation engine learns from: titles with what they are made of, and what profiles did with them. */
import type { Db } from '../db/open.ts'

const PAGE = 1_000

/** All titles, hidden ones too (they may come back), a page at a time. */
export async function* trainingTitles(db: Db) {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('title')
      .select([
        'title_id',
        'type',
        'language',
        'year',
        'rating',
        'rating_votes',
        'popularity',
        'safe_for_kids',
      ])
      .where('title_id', '>', after)
      .orderBy('title_id')
      .limit(PAGE)
      .execute()
    const last = rows.at(-1)?.title_id
    if (last === undefined) return
    const parts = await partsOf(db, after, last)
    for (const row of rows) yield { ...row, ...parts(row.title_id) }
    after = last
  }
}

async function partsOf(db: Db, after: number, last: number) {
  const genres = await db
    .selectFrom('title_genre')
    .selectAll()
    .where('title_id', '>', after)
    .where('title_id', '<=', last)
    .execute()
  const keywords = await db
    .selectFrom('title_keyword')
    .selectAll()
    .where('title_id', '>', after)
    .where('title_id', '<=', last)
    .execute()
  const credits = await db
    .selectFrom('credit')
    .select(['title_id', 'person_id', 'kind', 'job'])
    .where('title_id', '>', after)
    .where('title_id', '<=', last)
    .orderBy('title_id')
    .orderBy('kind')
    .orderBy('position')
    .execute()
  const texts = await db
    .selectFrom('title_text')
    .select(['title_id', 'overview'])
    .where('title_id', '>', after)
    .where('title_id', '<=', last)
    .where('lang', '=', 'en')
    .execute()
  const genresOf = Map.groupBy(genres, (row) => row.title_id)
  const keywordsOf = Map.groupBy(keywords, (row) => row.title_id)
  const creditsOf = Map.groupBy(credits, (row) => row.title_id)
  const textOf = new Map(texts.map((row) => [row.title_id, row.overview]))
  return (id: number) => ({
    genres: (genresOf.get(id) ?? []).map((row) => row.genre_id),
    keywords: (keywordsOf.get(id) ?? []).map((row) => row.keyword),
    credits: creditsOf.get(id) ?? [],
    overview: textOf.get(id) ?? null,
  })
}

/** What every profile did: feedback, what it watched, what is in its list. */
export async function trainingDeeds(db: Db) {
  const feedback = await db.selectFrom('feedback').selectAll().execute()
  const progress = await db
    .selectFrom('progress')
    .innerJoin('title', 'title.title_id', 'progress.title_id')
    .select((eb) => [
      'progress.profile_id',
      'progress.title_id',
      'title.type',
      eb.fn.max('progress.updated_at').as('at'),
      eb.fn.sum<number>('progress.finished').as('finished'),
    ])
    .groupBy(['progress.profile_id', 'progress.title_id', 'title.type'])
    .execute()
  const listed = await db
    .selectFrom('watchlist_entry')
    .select(['profile_id', 'title_id', 'state', 'updated_at'])
    .where('in_watchlist', '=', 1)
    .execute()
  return { feedback, progress, listed }
}

/** A number that grows with everything profiles did: whether there is something new to learn. */
export async function lastDeed(db: Db): Promise<number> {
  let last = 0
  for (const table of ['feedback', 'progress', 'watchlist_entry'] as const) {
    const row = await db
      .selectFrom(table)
      .select((eb) => eb.fn.max('updated_at').as('at'))
      .executeTakeFirst()
    last = Math.max(last, Number(row?.at ?? 0))
  }
  return last
}
