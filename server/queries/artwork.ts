import type { Db } from '../db/open.ts'

/** What a drawing shows of a title. No scope: the signed path was given to somebody who may see it. */
export async function titleArt(db: Db, titleId: number, lang: string) {
  const title = await db
    .selectFrom('title')
    .select(['type', 'imdb_id', 'original_title', 'year', 'source_hash'])
    .where('title_id', '=', titleId)
    .executeTakeFirst()
  if (!title) return undefined
  const [names, genres] = await Promise.all([
    db
      .selectFrom('title_name')
      .select(['lang', 'text'])
      .where('title_id', '=', titleId)
      .where('lang', 'in', [lang, 'en'])
      .where('role', '!=', 'aka')
      .execute(),
    db.selectFrom('title_genre').select('genre_id').where('title_id', '=', titleId).execute(),
  ])
  const name = names.find((one) => one.lang === lang) ?? names.find((one) => one.lang === 'en')
  return {
    ...title,
    title: name?.text ?? title.original_title,
    genres: genres.map((genre) => genre.genre_id),
  }
}

export async function personArt(
  db: Db,
  personId: number,
  lang: string,
): Promise<{ name: string } | undefined> {
  const person = await db
    .selectFrom('person')
    .select('name')
    .where('person_id', '=', personId)
    .executeTakeFirst()
  if (!person) return undefined
  const other = await db
    .selectFrom('person_name')
    .select('text')
    .where('person_id', '=', personId)
    .where('lang', '=', lang)
    .executeTakeFirst()
  return { name: other?.text ?? person.name }
}
