/**
 * Reads titles of the catalogue. The functions with an `audience` return only titles that the audience may see
 * (title-scope.ts).
 */
import type { Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

export type TitleRow = Selectable<DatabaseSchema['title']>
export type TitleType = 'movie' | 'tv'

/** Returns those of the titles `titleIds` that the audience may see, in no particular order. */
export async function selectTitlesByIds(db: Db, audience: Audience, titleIds: number[]): Promise<TitleRow[]> {
  if (titleIds.length === 0) return []
  return queryVisibleTitles(db, audience).selectAll('title').where('title_id', 'in', titleIds).execute()
}

/** Returns those of the ids that belong to a title, including hidden and deleted titles. */
export async function selectExistingTitleIds(db: Db, titleIds: number[]): Promise<ReadonlySet<number>> {
  if (titleIds.length === 0) return new Set()
  const rows = await db.selectFrom('title').select('title_id').where('title_id', 'in', titleIds).execute()
  return new Set(rows.map((row) => row.title_id))
}

/**
 * Returns the title with this id, slug or IMDb id; undefined when there is none that the audience may see. A null type
 * matches both types.
 */
export async function selectTitle(
  db: Db,
  audience: Audience,
  type: TitleType | null,
  identifier: { id: number } | { slug: string } | { imdbId: string },
): Promise<TitleRow | undefined> {
  let query = queryVisibleTitles(db, audience).selectAll('title')
  if (type) query = query.where('type', '=', type)
  if ('id' in identifier) query = query.where('title_id', '=', identifier.id)
  else if ('slug' in identifier) query = query.where('slug', '=', identifier.slug)
  else query = query.where('imdb_id', '=', identifier.imdbId)
  return query.executeTakeFirst()
}

/** Returns the additional data of title cards: names in the given languages, genres, and networks of series. */
export async function selectCardDetails(
  db: Db,
  titles: readonly Pick<TitleRow, 'title_id' | 'type'>[],
  langs: string[],
) {
  const titleIds = titles.map((title) => title.title_id)
  const seriesIds = titles.flatMap((title) => (title.type === 'tv' ? [title.title_id] : []))
  const [names, genres, networks] = await Promise.all([
    titleIds.length === 0
      ? []
      : db
          .selectFrom('title_name')
          .select(['title_id', 'lang', 'text'])
          .where('title_id', 'in', titleIds)
          .where('lang', 'in', langs)
          .where('role', '!=', 'aka')
          .execute(),
    titleIds.length === 0
      ? []
      : db
          .selectFrom('title_genre')
          .selectAll()
          .where('title_id', 'in', titleIds)
          .orderBy('genre_id')
          .execute(),
    seriesIds.length === 0
      ? []
      : db
          .selectFrom('title_network')
          .selectAll()
          .where('title_id', 'in', seriesIds)
          .orderBy('network')
          .execute(),
  ])
  return { names, genres, networks }
}

/** Records whether the stream resolver has a source for a title. */
export async function updateResolverFound(
  db: Db,
  { titleId, isFound, nowMs }: { titleId: number; isFound: boolean; nowMs: number },
): Promise<void> {
  await db
    .updateTable('title')
    .set({ resolver_found: Number(isFound), resolver_asked_at: nowMs })
    .where('title_id', '=', titleId)
    .execute()
}
