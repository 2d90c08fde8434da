/**
 * Checks that the database can store the data of a row. Without this check, SQLite would store values that an export
 * cannot write.
 */
import { MAX_INT32 } from '../../../src/lib/rules/title-ranges.ts'
import { MAX_EPISODE_NUMBER } from '../../../src/lib/rules/tracking-limits.ts'
import type { HistoryRow } from './history-row.ts'

/**
 * Maximum length of a title in characters, as in the catalogue. The database indexes the title of an episode that has
 * no number, and the API returns it as part of a key.
 */
const MAX_TITLE_LENGTH = 500

/** Maximum length of any other text of a row, such as a note, an id or the name of a list. */
const MAX_TEXT_LENGTH = 2_000

/**
 * True if the database can store the row: all numbers (season, episode, number of viewings, ids) are whole and not too
 * large, and no text is too long. Every text must also be well-formed and have no NUL character.
 */
export function isStorableRow(row: HistoryRow): boolean {
  const readings = [row, ...(row.readings ?? [])]
  const episodeNumbers = readings.flatMap(({ season, episode }) => [season, episode])
  const { tmdb, tvdb, trakt } = row.ids
  return (
    episodeNumbers.every((episodeNumber) => isStorableNumber(episodeNumber, MAX_EPISODE_NUMBER)) &&
    [row.plays, tmdb, tvdb, trakt].every((number) => isStorableNumber(number, MAX_INT32)) &&
    readings.every(
      ({ title, episodeTitle = '' }) => isWithinTitleLength(title) && isWithinTitleLength(episodeTitle),
    ) &&
    hasStorableTexts(row)
  )
}

/** Returns whether a skipped row can be stored with this title. */
export const isStorableTitle = (title: string | undefined): boolean =>
  title !== undefined && title !== '' && isWithinTitleLength(title) && hasStorableTexts(title)

const isStorableNumber = (number: number | undefined, maximum: number) =>
  number === undefined || (Number.isInteger(number) && number >= 0 && number <= maximum)

const isWithinTitleLength = (title: string) => title.length <= MAX_TITLE_LENGTH

const hasStorableTexts = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.length <= MAX_TEXT_LENGTH && !value.includes('\0') && value.isWellFormed()
    : typeof value !== 'object' || value === null || Object.values(value).every(hasStorableTexts)
