import type { Db } from '../db/database.ts'
import { selectPersonNames } from './person.ts'
import type { TitleRow } from './title.ts'
import { Audience, queryVisibleTitles } from './title-scope.ts'

/** True when the title is published and not blocked. The limits of the viewer are not considered. */
export async function isTitleVisible(db: Db, titleId: number): Promise<boolean> {
  const titleQuery = queryVisibleTitles(db, Audience.unrestricted)
    .select('title_id')
    .where('title_id', '=', titleId)
  return (await titleQuery.executeTakeFirst()) !== undefined
}

/** True when the person exists and is not blocked. */
export async function isPersonVisible(db: Db, personId: number): Promise<boolean> {
  const personQuery = db.selectFrom('person').select('person_id').where('person_id', '=', personId)
  return (await personQuery.where('blocked', '=', 0).executeTakeFirst()) !== undefined
}

/**
 * Returns the columns whose values change whenever the images of a title change; undefined when the title does not
 * exist.
 */
export async function selectTitleArtVersion(
  db: Db,
  titleId: number,
): Promise<Pick<TitleRow, 'source_hash' | 'updated_at'> | undefined> {
  const titleQuery = db.selectFrom('title').select(['source_hash', 'updated_at'])
  return titleQuery.where('title_id', '=', titleId).executeTakeFirst()
}

/**
 * Returns the data of a title from which its image is drawn; undefined when the title does not exist. Does not check
 * whether the viewer may see the title, because only viewers who may see the title receive the signed path of the
 * image.
 */
export async function selectTitleArtwork(db: Db, titleId: number, lang: string) {
  const title = await db
    .selectFrom('title')
    .select(['type', 'imdb_id', 'original_title', 'year'])
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
  const name = names.find((entry) => entry.lang === lang) ?? names.find((entry) => entry.lang === 'en')
  return {
    ...title,
    title: name?.text ?? title.original_title,
    genres: genres.map((genre) => genre.genre_id),
  }
}

export async function selectPersonArtwork(
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
  const namesByPersonId = await selectPersonNames(db, [personId], lang)
  return { name: namesByPersonId.get(personId) ?? person.name }
}
