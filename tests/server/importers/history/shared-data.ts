/** The shared real-world data, and its films and series as a catalogue in memory. Absent on most machines. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type {
  HistoryRow,
  HistoryTitleType,
  SkippedRow,
} from '../../../../server/importers/history/history-row.ts'
import type { CandidateSource, MatchCandidate } from '../../../../server/importers/history/match-title.ts'
import { parseHistoryFile } from '../../../../server/importers/history/parse-history-file.ts'
import { foldTitle } from '../../../../src/lib/rules/fold-title.ts'

export const SHARED = process.env['MARQUEE_SHARED'] ?? join(process.cwd(), '../shared/data')
export const hasShared = existsSync(join(SHARED, 'exports'))
if (!hasShared) console.info(`no shared data at ${SHARED}: what needs it is not run`)

export function bytes(path: string): Buffer {
  const file = readFileSync(join(SHARED, path))
  return path.endsWith('.gz') ? gunzipSync(file) : file
}
/** A test against the shared data; where that is absent it passes with the notice above. */
export const withShared = (run: () => Promise<void>) => (hasShared ? run : async () => {})
const lines = (path: string) => bytes(path).toString().trim().split('\n')

export function exportFiles(folder = 'exports'): string[] {
  return readdirSync(join(SHARED, folder)).flatMap((name) => {
    const path = `${folder}/${name}`
    return statSync(join(SHARED, path)).isDirectory() ? exportFiles(path) : [path]
  })
}

/** In pieces of a size that no record respects. */
export const opener = (content: Uint8Array, size = 4099) =>
  async function* () {
    for (let i = 0; i < content.length; i += size) yield content.subarray(i, i + size)
  }

export const NOW = Date.parse('2026-11-20')

export async function readAll(name: string, content: Uint8Array, size?: number) {
  const rows: HistoryRow[] = []
  const skips: SkippedRow[] = []
  for await (const row of parseHistoryFile(opener(content, size), name, {
    onSkip: (skip) => skips.push(skip),
    now: NOW,
  })) {
    rows.push(row)
  }
  return { rows, skips }
}
export const readShared = (path: string) =>
  readAll(path.replace(/^exports\//, '').replace(/\.gz$/, ''), bytes(path))

export class MemoryCatalogue implements CandidateSource {
  readonly all: readonly MatchCandidate[]
  readonly #byTitle: Map<string, MatchCandidate[]>
  readonly #byId = new Map<string, MatchCandidate[]>()

  constructor(all: readonly MatchCandidate[]) {
    this.all = all
    this.#byTitle = new Map()
    for (const one of all) {
      for (const key of new Set(one.titles.map(foldTitle))) push(this.#byTitle, key, one)
      for (const [kind, id] of Object.entries(one.ids)) push(this.#byId, idKey(kind, id, one.type), one)
    }
  }
  findByIds(ids: HistoryRow['ids'], type?: HistoryTitleType) {
    const types: HistoryTitleType[] = type ? [type] : ['movie', 'tv']
    const found = Object.entries(ids).flatMap(([kind, id]) =>
      types.flatMap((one) => this.#byId.get(idKey(kind, id, one)) ?? []),
    )
    return [...new Set(found)]
  }
  findByTitle(folded: string, type?: HistoryTitleType) {
    return (this.#byTitle.get(folded) ?? []).filter((one) => !type || one.type === type)
  }
}

const idKey = (kind: string, id: unknown, type: HistoryTitleType) =>
  `${kind} ${kind === 'imdb' ? '' : type} ${id}`
function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

export function sharedCatalogue(): MemoryCatalogue {
  const names = new Map<number, string[]>()
  for (const line of lines('catalogue/titles_by_language.csv.gz').slice(1)) {
    const [, id, title] = /^(\d+),[a-z]+,(?:"((?:[^"]|"")*)"|[^,]*)/.exec(line) ?? []
    if (id && title) push(names, Number(id), title.replaceAll('""', '"'))
  }
  const movies = lines('catalogue/movies.jsonl.gz').map((line) => {
    const one = JSON.parse(line)
    return candidate('movie', one, [one.title, one.original_title, ...(names.get(one.id) ?? [])])
  })
  const series = lines('catalogue/tv.jsonl.gz').map((line) => {
    const one = JSON.parse(line)
    return candidate('tv', one, [one.name, one.original_name])
  })
  return new MemoryCatalogue([...movies, ...series])
}

// biome-ignore lint/suspicious/noExplicitAny: the shared catalogue has its own shape, described beside it
function candidate(type: HistoryTitleType, one: any, titles: (string | undefined)[]): MatchCandidate {
  const date = one.release_date ?? one.first_air_date
  const ids = { imdb: one.imdb_id, tmdb: one.id, tvdb: one.tvdb_id }
  return {
    id: one.id ?? one.imdb_id,
    type,
    ids: Object.fromEntries(Object.entries(ids).filter(([, id]) => id)),
    titles: [...new Set(titles.filter((title) => title !== undefined))],
    year: one.year ?? (date ? Number(date.slice(0, 4)) : null),
    runtimeMinutes: type === 'movie' ? one.runtime : null,
    votes: one.vote_count ?? one.imdb_votes ?? 0,
  }
}
