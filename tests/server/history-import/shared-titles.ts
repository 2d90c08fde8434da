/** The shared movie and TV catalogue as records for the product's own pipeline. */
import type { Read, TitleRecord } from '../../../server/queries/title-record.ts'
import { bytes } from '../importers/history/shared-data.ts'

const lines = (path: string) => bytes(path).toString().trim().split('\n')
const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/** `most` cuts it short, for tests that need only some of it. */
export function* sharedTitles(most = Number.POSITIVE_INFINITY): Generator<Read> {
  const abroad = new Map<number, string[]>()
  for (const line of lines('catalogue/titles_by_language.csv.gz').slice(1)) {
    const [, id, lang, quoted, plain] = /^(\d+),([a-z]+),(?:"((?:[^"]|"")*)"|([^,]*))/.exec(line) ?? []
    const title = quoted?.replaceAll('""', '"') ?? plain
    if (id && title) abroad.set(Number(id), [...(abroad.get(Number(id)) ?? []), `${lang}\n${title}`])
  }
  let count = 0
  // Some ids stand for a film in one source and for a series in another.
  const seen = new Set<string>()
  for (const line of lines('catalogue/movies.jsonl.gz')) {
    const one = JSON.parse(line)
    count += 1
    if (count > most) return
    if (one.imdb_id) seen.add(one.imdb_id)
    yield { at: `movies ${count}`, record: record('movie', one, abroad.get(one.id) ?? []) }
  }
  for (const line of lines('catalogue/tv.jsonl.gz')) {
    count += 1
    const one = JSON.parse(line)
    if (!seen.has(one.imdb_id)) yield { at: `tv ${count}`, record: record('tv', one, []) }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the shared catalogue has its own shape, described beside it
function record(type: 'movie' | 'tv', one: any, abroad: string[]): TitleRecord {
  const title = String(one.title ?? one.name)
  const original = String(one.original_title ?? one.original_name ?? title)
  const date = one.release_date ?? one.first_air_date
  const names = [
    { lang: 'en', text: title, role: 'main' as const },
    ...(original === title ? [] : [{ lang: 'und', text: original, role: 'original' as const }]),
    ...abroad.map((text) => {
      const [lang = '', name = ''] = text.split('\n')
      return { lang, text: name, role: 'aka' as const }
    }),
  ]
  const year = one.year ?? (date ? Number(String(date).slice(0, 4)) : undefined)
  return {
    type,
    ...(one.imdb_id && { imdb_id: one.imdb_id }),
    ...(one.id && { tmdb_id: one.id }),
    original_title: original,
    names,
    ...(DATE.test(date) && { release_date: date }),
    ...(year && { year }),
    ...(type === 'movie' && one.runtime > 0 && { runtime: Math.round(one.runtime * 60) }),
    genres: [],
    rating: Math.min(10, Math.max(0, one.vote_average ?? one.imdb_rating ?? 0)),
    rating_votes: Math.round(one.vote_count ?? one.imdb_votes ?? 0),
    safe_for_kids: false,
    high_quality: false,
    networks: [],
    texts: [],
    keywords: [],
    cast: [],
    crew: [],
    parental_guide: [],
    seasons: Array.from({ length: one.seasons ?? 0 }, (_, i) => ({ season_number: i + 1, episodes: [] })),
  }
}
