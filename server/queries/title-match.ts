/** Which titles of a batch are known already, by IMDb id, then by TMDB id. */
import type { Db } from '../db/open.ts'
import { evened } from './insert-rows.ts'
import type { TitleRecord } from './title-record.ts'

export interface Known {
  title_id: number
  type: string
  imdb_id: string | null
  tmdb_id: number | null
  source: string
  source_hash: string
  /** What an administrator set by hand, as columns. */
  edited: string
}

export interface Matches {
  /** The known title of a record; `clash` when its ids belong to two titles, or to one of the other type. */
  of: (record: TitleRecord) => Known | 'clash' | undefined
}

export async function matchTitles(db: Db, records: TitleRecord[]): Promise<Matches> {
  const imdbIds = records.flatMap((record) => record.imdb_id ?? [])
  const tmdbIds = records.flatMap((record) => record.tmdb_id ?? [])
  const titles = db
    .selectFrom('title')
    .select(['title_id', 'type', 'imdb_id', 'tmdb_id', 'source', 'source_hash', 'edited'])
  const byImdb = new Map<string, Known>()
  const byTmdb = new Map<string, Known>()
  if (imdbIds.length > 0) {
    for (const row of await titles.where('imdb_id', 'in', evened(imdbIds)).execute())
      byImdb.set(row.imdb_id ?? '', row)
  }
  for (const type of tmdbIds.length > 0 ? ['movie', 'tv'] : []) {
    const rows = await titles.where('type', '=', type).where('tmdb_id', 'in', evened(tmdbIds)).execute()
    for (const row of rows) byTmdb.set(`${type} ${row.tmdb_id}`, row)
  }
  return {
    of(record) {
      const one = record.imdb_id ? byImdb.get(record.imdb_id) : undefined
      const other = record.tmdb_id === undefined ? undefined : byTmdb.get(`${record.type} ${record.tmdb_id}`)
      if (one && (one.type !== record.type || (other && other.title_id !== one.title_id))) return 'clash'
      if (one?.tmdb_id && record.tmdb_id && one.tmdb_id !== record.tmdb_id) return 'clash'
      if (!one && other?.imdb_id && record.imdb_id && other.imdb_id !== record.imdb_id) return 'clash'
      return one ?? other
    },
  }
}
