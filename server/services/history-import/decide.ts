/** What one row of a file comes to: the title it is about and its place there, or why there is none. */
import { type Match, matchTitle } from '../../importers/history/match-title.ts'
import type { HistoryRow } from '../../importers/history/row.ts'
import { type ImportedRow, SKIPPED } from '../../queries/history-import-row.ts'
import type { Candidates, CatalogueTitle } from './candidates.ts'
import { keysOf, placeOf, readingFor, rememberedKeys, UNKNOWN } from './place.ts'

export type Decided = Omit<ImportedRow, 'import_id' | 'n' | 'file'>

/** What profiles said about texts before, by key; null is a title that is none of ours. */
export type Choices = ReadonlyMap<string, number | null>

const NOWHERE = { title_id: null, season_number: UNKNOWN, episode_number: UNKNOWN }

export async function decide(row: HistoryRow, source: Candidates, choices: Choices): Promise<Decided> {
  const unused = unusedBecause(row)
  const base = { line: row.line, owner: row.profile ?? '', data: JSON.stringify(row) }
  if (unused) {
    const key = SKIPPED
    return { ...base, ...NOWHERE, outcome: 'skipped', why: unused, score: 0, row_key: key, text_key: key }
  }
  const match = await matchTitle(row, source)
  const keys = keysOf(row, match)
  const named = { ...base, row_key: keys.row, text_key: keys.text }
  for (const key of rememberedKeys(row)) {
    const said = choices.get(key)
    if (said === null) return { ...named, ...NOWHERE, outcome: 'ignored', why: 'remembered', score: 1 }
    const title = said === undefined ? undefined : source.byId(said)
    if (title) return { ...named, ...chosen(row, title), outcome: 'chosen', why: 'remembered', score: 1 }
  }
  const { outcome, why, score } = match
  if (outcome !== 'matched' || !match.title) return { ...named, ...NOWHERE, outcome, why, score }
  return { ...named, ...placed(row, match), outcome, why, score }
}

/** The row under a title that somebody said it is about. */
export function chosen(row: HistoryRow, title: CatalogueTitle) {
  const { season, episode } = placeOf(title, readingFor(row, title))
  return { title_id: title.id, season_number: season, episode_number: episode }
}

function placed(row: HistoryRow, match: Match) {
  const title = match.title as CatalogueTitle
  const { season, episode } = placeOf(title, match.reading ?? readingFor(row, title))
  return { title_id: title.id, season_number: season, episode_number: episode }
}

/** Rows that are read but say nothing that a profile keeps. */
function unusedBecause(row: HistoryRow): string | null {
  if (row.list === 'collection') return 'collection'
  if (row.kind === 'rated' && (row.season !== undefined || row.episode !== undefined)) return 'episode_rating'
  if (row.kind === 'listed' && (row.season !== undefined || row.episode !== undefined))
    return 'episode_listed'
  return null
}
