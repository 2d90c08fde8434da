/** Reads the shared real-world data (tests/support/shared-data.ts), and creates a catalogue in memory. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type {
  HistoryRow,
  HistoryTitleType,
  SkippedRow,
} from '../../../../server/importers/history/history-row.ts'
import { parseHistoryFile } from '../../../../server/importers/history/parse-history-file.ts'
import type { CandidateSource, MatchCandidate } from '../../../../server/importers/history/title-match.ts'
import { foldTitle } from '../../../../src/lib/rules/fold-title.ts'
import { getSharedPath } from '../../../support/shared-data.ts'

/** Returns the content of a file of the shared data, decompressed when its name ends in `.gz`. */
export function readSharedFile(path: string): Buffer {
  const fileBytes = readFileSync(getSharedPath(path))
  return path.endsWith('.gz') ? gunzipSync(fileBytes) : fileBytes
}
const readLines = (path: string) => readSharedFile(path).toString().trim().split('\n')

/** Returns the paths of all files below a folder of the shared data. */
export function listSharedFiles(folder = 'exports'): string[] {
  return readdirSync(getSharedPath(folder)).flatMap((name) => {
    const path = `${folder}/${name}`
    return statSync(getSharedPath(path)).isDirectory() ? listSharedFiles(path) : [path]
  })
}

/** Returns a function that streams the content in chunks. By default, chunks rarely end where records end. */
export const createChunkReader = (content: Uint8Array, chunkBytes = 4099) =>
  async function* () {
    for (let startByte = 0; startByte < content.length; startByte += chunkBytes)
      yield content.subarray(startByte, startByte + chunkBytes)
  }

export const NOW_MS = Date.parse('2026-11-20')

/** Parses a history file and returns all rows and skips. */
export async function parseHistoryContent(fileName: string, content: Uint8Array, chunkBytes?: number) {
  const rows: HistoryRow[] = []
  const skips: SkippedRow[] = []
  for await (const row of parseHistoryFile(createChunkReader(content, chunkBytes), fileName, {
    onSkip: ({ line, skip }) => skips.push({ line, skip }),
    nowMs: NOW_MS,
  })) {
    rows.push(row)
  }
  return { rows, skips }
}
export const parseSharedExport = (path: string) =>
  parseHistoryContent(path.replace(/^exports\//, '').replace(/\.gz$/, ''), readSharedFile(path))

export class MemoryCatalogue implements CandidateSource {
  readonly candidates: readonly MatchCandidate[]
  readonly #candidatesByTitle: Map<string, MatchCandidate[]>
  readonly #candidatesById = new Map<string, MatchCandidate[]>()

  constructor(candidates: readonly MatchCandidate[]) {
    this.candidates = candidates
    this.#candidatesByTitle = new Map()
    for (const candidate of candidates) {
      for (const foldedTitle of new Set(candidate.titles.map(foldTitle)))
        appendToList(this.#candidatesByTitle, foldedTitle, candidate)
      for (const [source, id] of Object.entries(candidate.ids))
        appendToList(this.#candidatesById, createIdKey(source, id, candidate.type), candidate)
    }
  }
  findByIds(ids: HistoryRow['ids'], type?: HistoryTitleType) {
    const types: HistoryTitleType[] = type ? [type] : ['movie', 'tv']
    const matchingCandidates = Object.entries(ids).flatMap(([source, id]) =>
      types.flatMap((idType) => this.#candidatesById.get(createIdKey(source, id, idType)) ?? []),
    )
    return [...new Set(matchingCandidates)]
  }
  findByTitle(foldedTitle: string, type?: HistoryTitleType) {
    return (this.#candidatesByTitle.get(foldedTitle) ?? []).filter(
      (candidate) => !type || candidate.type === type,
    )
  }
}

/** IMDb IDs are unique across all types; IDs of other sources are unique only within a type. */
const createIdKey = (source: string, id: unknown, type: HistoryTitleType) =>
  `${source} ${source === 'imdb' ? '' : type} ${id}`
function appendToList<K, V>(listsByKey: Map<K, V[]>, key: K, value: V): void {
  const list = listsByKey.get(key)
  if (list) list.push(value)
  else listsByKey.set(key, [value])
}

/** Returns the movies and series of the shared data as candidates. */
export function loadSharedCandidates(): MemoryCatalogue {
  const titlesById = new Map<number, string[]>()
  for (const line of readLines('catalogue/titles_by_language.csv.gz').slice(1)) {
    const [, id, title] = /^(\d+),[a-z]+,(?:"((?:[^"]|"")*)"|[^,]*)/.exec(line) ?? []
    if (id && title) appendToList(titlesById, Number(id), title.replaceAll('""', '"'))
  }
  const movies = readLines('catalogue/movies.jsonl.gz').map((line) => {
    const record = JSON.parse(line)
    return createCandidate('movie', record, [
      record.title,
      record.original_title,
      ...(titlesById.get(record.id) ?? []),
    ])
  })
  const series = readLines('catalogue/tv.jsonl.gz').map((line) => {
    const record = JSON.parse(line)
    return createCandidate('tv', record, [record.name, record.original_name])
  })
  return new MemoryCatalogue([...movies, ...series])
}

function createCandidate(
  type: HistoryTitleType,
  // biome-ignore lint/suspicious/noExplicitAny: the records of the shared catalogue have no type here
  record: any,
  titles: (string | undefined)[],
): MatchCandidate {
  const releaseDate = record.release_date ?? record.first_air_date
  const ids = { imdb: record.imdb_id, tmdb: record.id, tvdb: record.tvdb_id }
  return {
    id: record.id ?? record.imdb_id,
    type,
    ids: Object.fromEntries(Object.entries(ids).filter(([, id]) => id)),
    titles: [...new Set(titles.filter((title) => title !== undefined))],
    year: record.year ?? (releaseDate ? Number(releaseDate.slice(0, 4)) : null),
    runtimeMinutes: type === 'movie' ? record.runtime : null,
    votes: record.vote_count ?? record.imdb_votes ?? 0,
  }
}
