/** Decides the outcome of a row: the title and episode that it belongs to, or the reason why it has none. */

import type { HistoryRow } from '../../importers/history/history-row.ts'
import { matchTitle } from '../../importers/history/match-title.ts'
import type { TitleMatch } from '../../importers/history/title-match.ts'
import { type HistoryFileRow, SKIPPED_ROW_KEY } from '../../queries/history-import-row.ts'
import type { CatalogueCandidates, CatalogueTitle } from './catalogue-candidates.ts'
import { parseImportedList } from './import-lists.ts'
import {
  buildChoiceKeys,
  findSeasonEpisode,
  listChoiceKeys,
  selectReading,
  UNKNOWN_NUMBER,
} from './season-episode.ts'

/** An import row without the row number, the index of the file and the id of the import. */
export type DecidedRow = Omit<HistoryFileRow, 'import_id' | 'n' | 'file'>

/** Earlier decisions of the profile by key: the id of a title, or null if the user chose to ignore the text. */
export type RememberedChoices = ReadonlyMap<string, number | null>

const NO_TITLE_COLUMNS = { title_id: null, season_number: UNKNOWN_NUMBER, episode_number: UNKNOWN_NUMBER }

/**
 * Returns the row with its outcome and the title to which it belongs, if any. Earlier decisions of the profile take
 * precedence over the matcher.
 */
export async function decideRowOutcome(
  row: HistoryRow,
  catalogue: CatalogueCandidates,
  choices: RememberedChoices,
): Promise<DecidedRow> {
  const skipReason = findSkipReason(row)
  const rowFields = { line: row.line, owner: row.profile ?? '', data: JSON.stringify(row) }
  if (skipReason) {
    const skippedRowKey = SKIPPED_ROW_KEY
    return {
      ...rowFields,
      ...NO_TITLE_COLUMNS,
      outcome: 'skipped',
      why: skipReason,
      score: 0,
      row_key: skippedRowKey,
      text_key: skippedRowKey,
    }
  }
  const match = await matchTitle(row, catalogue)
  const choiceKeys = buildChoiceKeys(row, match)
  const rowFieldsWithKeys = { ...rowFields, row_key: choiceKeys.rowKey, text_key: choiceKeys.textKey }
  for (const choiceKey of listChoiceKeys(row)) {
    const chosenTitleId = choices.get(choiceKey)
    if (chosenTitleId === null)
      return { ...rowFieldsWithKeys, ...NO_TITLE_COLUMNS, outcome: 'ignored', why: 'remembered', score: 1 }
    const title = chosenTitleId === undefined ? undefined : catalogue.getById(chosenTitleId)
    if (title)
      return {
        ...rowFieldsWithKeys,
        ...assignTitle(row, title),
        outcome: 'chosen',
        why: 'remembered',
        score: 1,
      }
  }
  const { outcome, score } = match
  const isMatched = outcome === 'matched' && match.title
  return {
    ...rowFieldsWithKeys,
    ...(isMatched ? assignMatch(row, match) : NO_TITLE_COLUMNS),
    outcome,
    why: match.reason,
    score,
  }
}

/** Returns the columns that assign the row to a title which the user chose. */
export function assignTitle(row: HistoryRow, title: CatalogueTitle) {
  const { season, episode } = findSeasonEpisode(title, selectReading(row, title))
  return { title_id: title.id, season_number: season, episode_number: episode }
}

/** Returns the columns that assign the row to the title which the matcher found. */
function assignMatch(row: HistoryRow, match: TitleMatch) {
  const title = match.title as CatalogueTitle
  const { season, episode } = findSeasonEpisode(title, match.reading ?? selectReading(row, title))
  return { title_id: title.id, season_number: season, episode_number: episode }
}

/**
 * Returns the reason why a row is not matched to a title: its data cannot be stored in a profile, or it describes a
 * named list. Returns null for a row to match.
 */
function findSkipReason(row: HistoryRow): string | null {
  if (row.kind === 'list') return parseImportedList(row) ? 'list' : 'bad_row'
  if (row.owned) return 'collection'
  const isEpisode = row.season !== undefined || row.episode !== undefined || row.episodeTitle !== undefined
  if (!isEpisode) return null
  if (row.kind === 'rated' || row.kind === 'liked' || row.kind === 'disliked') return 'episode_rating'
  if (row.kind === 'listed') return 'episode_listed'
  return row.kind === 'dropped' ? 'episode_dropped' : null
}
