/** The published data sets as one catalogue. Read from outside the repository; see docs/search.md. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Kind, SearchDoc, SearchName } from '../../server/search/types.ts'

const root = process.env['MARQUEE_SHARED'] ?? resolve(import.meta.dirname, '../../../shared')
const data = join(root, 'data')
export const hasData = existsSync(join(data, 'search/queries_derived.tsv.gz'))

export function lines(file: string): string[] {
  const raw = readFileSync(join(data, file))
  const text = file.endsWith('.gz') ? gunzipSync(raw).toString('utf8') : raw.toString('utf8')
  return text.split('\n').filter((line) => line !== '')
}

/** One line of RFC 4180 without line breaks inside fields. */
function csv(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    (m) => m[1]?.replaceAll('""', '"') ?? m[2] ?? '',
  )
}

export type Query = {
  qid: string
  corpus: string
  kind: string
  query: string
  targets: string[]
  title: string
}

export function derivedQueries(): Query[] {
  return lines('search/queries_derived.tsv.gz')
    .slice(1)
    .map((line) => {
      const [qid = '', corpus = '', kind = '', , query = '', targets = '', title = ''] = line.split('\t')
      return { qid, corpus, kind, query, targets: targets.split('|'), title }
    })
}

/** Names as people mistyped them in questions about films. */
export function nameQueries(): Query[] {
  return lines('search/human_name_misspellings.tsv.gz')
    .slice(1)
    .map((line, i) => {
      const [query = '', , , title = '', ids = ''] = line.split('\t')
      return {
        qid: `H${i}`,
        corpus: 'people',
        kind: 'human_names',
        query,
        targets: ids.split(/[|,; ]/),
        title,
      }
    })
}

type Draft = Omit<SearchDoc, 'doc_id' | 'visible' | 'kids'>
export type Catalogue = {
  docs: SearchDoc[]
  /** "corpus:id" of the query sets to media_id. */
  ids: Map<string, string>
}

type MovieRow = {
  id: number
  imdb_id?: string
  title: string
  original_title?: string
  release_date: string
  vote_count: number
  cast?: { id: number; name: string; order: number }[]
  cast_names?: string[]
}

class Builder {
  drafts = new Map<string, Draft>()
  ids = new Map<string, string>()
  fame = new Map<number, number>()

  add(kind: Kind, mediaId: string, popularity: number, names: SearchName[], year?: number): Draft {
    let draft = this.drafts.get(mediaId)
    if (!draft) {
      draft = { kind, media_id: mediaId, popularity, names: [], ...(year ? { year } : {}) }
      this.drafts.set(mediaId, draft)
    }
    draft.popularity = Math.max(draft.popularity, popularity)
    for (const name of names)
      if (name.text && !draft.names.some((n) => n.text === name.text)) draft.names.push(name)
    return draft
  }
}

const main = (text: string, lang = ''): SearchName => ({ lang, text, role: 'main' })
const aka = (text: string, lang = ''): SearchName => ({ lang, text, role: 'aka' })
const yearOf = (date: string | undefined) => Number((date ?? '').slice(0, 4)) || undefined

function addMovies(b: Builder): void {
  for (const line of lines('catalogue/movies.jsonl.gz')) {
    const row = JSON.parse(line) as MovieRow
    const id = `tmdb:${row.id}`
    const names = [main(row.title), ...(row.original_title ? [aka(row.original_title)] : [])]
    const draft = b.add('movie', id, row.vote_count, names, yearOf(row.release_date))
    const people = row.cast?.map((c) => c.name) ?? row.cast_names
    if (people) draft.people = people
    for (const c of row.cast ?? []) b.fame.set(c.id, (b.fame.get(c.id) ?? 0) + row.vote_count / (2 + c.order))
    b.ids.set(`movies:${row.id}`, id)
    if (row.imdb_id) b.ids.set(`imdb2017:${row.imdb_id}`, id)
  }
}

function addTitles(b: Builder): void {
  for (const line of lines('catalogue/titles_by_language.csv.gz').slice(1)) {
    const [id, lang = '', title = '', date] = csv(line)
    b.add('movie', `tmdb:${id}`, 0, [main(title, lang)], yearOf(date))
    b.ids.set(`titles_${lang}:${id}`, `tmdb:${id}`)
  }
}

function addTv(b: Builder): void {
  for (const line of lines('catalogue/tv.jsonl.gz')) {
    const row = JSON.parse(line)
    const id = `tv:${row.id ?? row.imdb_id ?? row.slug ?? row.name}`
    const names = [main(row.name), ...(row.original_name ? [aka(row.original_name)] : [])]
    b.add(
      'tv',
      id,
      row.vote_count ?? (row.imdb_votes ?? 0) / 15,
      names,
      row.year ?? yearOf(row.first_air_date),
    )
  }
}

function addImdb(b: Builder): void {
  const tsv = (file: string) =>
    lines(file)
      .slice(1)
      .map((line) => line.split('\t'))
  const votes = new Map(tsv('imdb_tsv/title.ratings.tsv.gz').map((row) => [row[0], Number(row[2])]))
  for (const [id = '', , title = '', original = '', , year] of tsv('imdb_tsv/title.basics.tsv.gz')) {
    const mediaId = b.ids.get(`imdb2017:${id}`) ?? id
    b.ids.set(`imdb2017:${id}`, mediaId)
    b.add('movie', mediaId, (votes.get(id) ?? 0) / 15, [main(title), aka(original)], yearOf(year))
  }
  for (const [id = '', , title = '', , lang = ''] of tsv('imdb_tsv/title.akas.tsv.gz')) {
    const mediaId = b.ids.get(`imdb2017:${id}`)
    if (mediaId) b.add('movie', mediaId, 0, [aka(title, lang)])
  }
}

function addOthers(b: Builder): void {
  for (const line of lines('catalogue/anidb_titles.jsonl.gz')) {
    const row = JSON.parse(line) as { aid: number; titles: { lang: string; type: string; text: string }[] }
    const names = row.titles.map((t) => (t.type === 'main' ? main(t.text, t.lang) : aka(t.text, t.lang)))
    b.add('tv', `anidb:${row.aid}`, 0, names)
    b.ids.set(`anidb:${row.aid}`, `anidb:${row.aid}`)
  }
  for (const line of lines('catalogue/egyptian_films_ar.csv.gz').slice(1)) {
    const [n, title = ''] = csv(line)
    b.add('movie', `egypt:${n}`, 0, [main(title, 'ar')])
    b.ids.set(`egyptian_films:${n}`, `egypt:${n}`)
  }
  for (const line of lines('catalogue/people.csv.gz').slice(1)) {
    const [id, name = ''] = csv(line)
    b.add('actor', `person:${id}`, b.fame.get(Number(id)) ?? 0, [main(name)])
    b.ids.set(`people:${id}`, `person:${id}`)
  }
}

/** Everything in one index: films, series, people, other-language titles. */
export function catalogue(): Catalogue {
  const b = new Builder()
  addMovies(b)
  addTitles(b)
  addTv(b)
  addImdb(b)
  addOthers(b)
  const docs = [...b.drafts.values()].map((draft, i) => ({
    ...draft,
    doc_id: i + 1,
    visible: true,
    kids: i % 5 === 0,
  }))
  return { docs, ids: b.ids }
}
