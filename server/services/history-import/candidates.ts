/**
 * The catalogue as the matcher asks it, for one audience. Names and ids are looked up for many rows at once and kept, so
 * that two hundred thousand rows ask the database some thousand times. Names are found exactly (folded); here is where
 * candidates by likeness, from the search engine, would be added.
 */
import { titleKeys } from '../../../src/lib/rules/fold-title.ts'
import type { Db } from '../../db/open.ts'
import type { Candidate, CandidateSource } from '../../importers/history/match-title.ts'
import type { HistoryRow, Ids, MediaType } from '../../importers/history/row.ts'
import {
  type CandidateRow,
  candidatesByIds,
  candidatesByKey,
  episodesOfSeries,
  namesOf,
} from '../../queries/match-candidates.ts'
import type { Audience } from '../../queries/scope.ts'
import { breather } from './breathe.ts'

/** Keys and titles kept; most exports have fewer, and beyond that all are forgotten and asked again. */
const KEYS_KEPT = 50_000
const TITLES_KEPT = 20_000
const AT_ONCE = 200
const SERIES_AT_ONCE = 10

export interface CatalogueTitle extends Candidate {
  id: number
  titles: string[]
  /** Seconds; of a series, of an episode. */
  seconds: number | null
  episodes: { season_number: number; episode_number: number; titles: string[]; seconds: number | null }[]
}

export class Candidates implements CandidateSource {
  readonly #db: Db
  readonly #audience: Audience
  readonly #titles = new Map<number, CatalogueTitle>()
  readonly #keys = new Map<string, CatalogueTitle[]>()
  readonly #breathe = breather()

  constructor(db: Db, audience: Audience) {
    this.#db = db
    this.#audience = audience
  }

  byTitle(folded: string, type?: MediaType): CatalogueTitle[] {
    const found = this.#keys.get(`name ${folded}`) ?? []
    return type ? found.filter((one) => one.type === type) : found
  }

  byIds(ids: Ids, type?: MediaType): CatalogueTitle[] {
    const found = idKeys({ ids, type }).flatMap((key) => this.#keys.get(key) ?? [])
    return [...new Set(found)]
  }

  byId(titleId: number): CatalogueTitle | undefined {
    return this.#titles.get(titleId)
  }

  /** Everything that matching these rows will ask. `titleIds` are wanted as well. */
  async prepare(rows: readonly HistoryRow[], titleIds: readonly number[] = []): Promise<void> {
    if (this.#keys.size > KEYS_KEPT || this.#titles.size > TITLES_KEPT) {
      this.#keys.clear()
      this.#titles.clear()
    }
    const names = new Set<string>()
    for (const row of rows) {
      for (const { title } of [row, ...(row.readings ?? [])])
        for (const key of titleKeys(title)) names.add(key)
      for (const key of originalKeys(row)) names.add(key)
      await this.#breathe()
    }
    await this.#byName([...names].filter((name) => !this.#keys.has(`name ${name}`)))
    const ids = new Set(rows.flatMap(idKeys))
    await this.#byIdKeys([...ids].filter((key) => !this.#keys.has(key)))
    const missing = titleIds.filter((id) => !this.#titles.has(id))
    await this.#load(await candidatesByIds(this.#db, this.#audience, 'title_id', missing))
  }

  async #byName(names: string[]): Promise<void> {
    for (let from = 0; from < names.length; from += AT_ONCE) {
      const some = names.slice(from, from + AT_ONCE)
      const found = await candidatesByKey(this.#db, this.#audience, some)
      await this.#load(found)
      const byKey = Map.groupBy(found, (row) => row.match_key)
      for (const name of some) this.#keys.set(`name ${name}`, this.#kept(byKey.get(name) ?? []))
      await this.#breathe()
    }
  }

  async #byIdKeys(keys: string[]): Promise<void> {
    for (const by of ['imdb_id', 'tmdb_id'] as const) {
      const mine = keys.filter((key) => key.startsWith(by === 'imdb_id' ? 'imdb ' : 'tmdb '))
      for (let from = 0; from < mine.length; from += AT_ONCE) {
        const some = mine.slice(from, from + AT_ONCE)
        const values = some.map((key) => key.split(' ').at(-1) ?? '')
        const found = await candidatesByIds(
          this.#db,
          this.#audience,
          by,
          by === 'imdb_id' ? values : values.map(Number),
        )
        await this.#load(found)
        const nameOf = (row: CandidateRow) =>
          by === 'imdb_id' ? `imdb ${row.imdb_id}` : `tmdb ${row.type} ${row.tmdb_id}`
        const byKey = Map.groupBy(found, nameOf)
        for (const key of some) this.#keys.set(key, this.#kept(byKey.get(key) ?? []))
        await this.#breathe()
      }
    }
  }

  #kept(rows: CandidateRow[]): CatalogueTitle[] {
    return rows.flatMap((row) => this.#titles.get(row.title_id) ?? [])
  }

  async #load(rows: CandidateRow[]): Promise<void> {
    const fresh = new Map(
      rows.filter((row) => !this.#titles.has(row.title_id)).map((row) => [row.title_id, row]),
    )
    if (fresh.size === 0) return
    for (const row of fresh.values()) this.#titles.set(row.title_id, titleOf(row))
    for (const { title_id, text } of await namesOf(this.#db, [...fresh.keys()])) {
      this.#titles.get(title_id)?.titles.push(text)
    }
    const series = [...fresh.values()].filter((row) => row.type === 'tv').map((row) => row.title_id)
    for (let from = 0; from < series.length; from += SERIES_AT_ONCE) {
      const some = series.slice(from, from + SERIES_AT_ONCE)
      for (const { title_id, name, runtime, ...place } of await episodesOfSeries(this.#db, some)) {
        this.#titles.get(title_id)?.episodes.push({ ...place, titles: name ? [name] : [], seconds: runtime })
      }
      await this.#breathe()
    }
  }
}

const originalKeys = (row: HistoryRow) => (row.originalTitle ? titleKeys(row.originalTitle) : [])

function idKeys({ ids, type }: { ids: Ids; type?: MediaType | undefined }): string[] {
  const keys: string[] = []
  if (ids.imdb) keys.push(`imdb ${ids.imdb}`)
  if (ids.tmdb && type) keys.push(`tmdb ${type} ${ids.tmdb}`)
  return keys
}

function titleOf(row: CandidateRow): CatalogueTitle {
  return {
    id: row.title_id,
    type: row.type as MediaType,
    ids: { ...(row.imdb_id && { imdb: row.imdb_id }), ...(row.tmdb_id && { tmdb: row.tmdb_id }) },
    titles: [],
    year: row.year,
    runtime: row.type === 'movie' && row.runtime ? row.runtime / 60 : null,
    seconds: row.runtime,
    votes: row.rating_votes,
    ...(row.season_count > 0 && { seasons: row.season_count }),
    episodes: [],
  }
}
