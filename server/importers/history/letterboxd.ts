/**
 * The files of a Letterboxd export. Ratings are in half stars, and every title is a film. Dates are ISO 8601, unless a
 * spreadsheet saved the file.
 */
import { createDateParser, type DateParser, parseSingleDate } from './column-dates.ts'
import { type CsvRow, indexColumns, parseDecimal, readCsvRecords, readCsvTable, toCsvRow } from './csv.ts'
import {
  createHistoryRow,
  type FileHead,
  type FileOpener,
  type HistoryFormat,
  type HistoryItem,
  type HistoryReadOptions,
  type HistoryRow,
  hasColumns,
} from './history-row.ts'
import { toNoteText } from './note-text.ts'

const hasLetterboxdColumns = (head: FileHead) => hasColumns(head, 'date', 'name', 'year', 'letterboxd uri')

/**
 * True for a file in a folder of deleted entries: those that the user deleted, and those whose film was removed from
 * Letterboxd. These entries are not imported.
 */
const isDeletedEntryPath = (path: string) => /(?:^|\/)(?:deleted|orphaned)\//.test(path)

/**
 * The diary and the reviews have a column for the viewing date. The files with the watched films, ratings, watchlist
 * and likes all have the same columns, so only their names identify them. Such a file with any other name is not read,
 * because a wrong guess would record viewings that never happened.
 */
export const letterboxdFilmsFormat: HistoryFormat = {
  id: 'letterboxd-films',
  source: 'letterboxd',
  matches: (path, head) =>
    hasLetterboxdColumns(head) && (hasColumns(head, 'watched date') || detectRowKind(path) !== null),
  async *readRows(openFile, path, { nowMs }) {
    const kind = detectRowKind(path) ?? 'watched'
    const parseDate = await createDateParser(openFile, ['watched date', 'date'], nowMs)
    for await (const filmCells of readCsvTable(openFile()))
      yield isDeletedEntryPath(path)
        ? { line: filmCells.line, skip: 'deleted' }
        : toHistoryItem(filmCells, { kind, parseDate })
  },
}

/**
 * Returns the kind of the rows of a file; null for an unknown name. A file named `films` contains likes, because only
 * the folder of likes has a file of this name.
 */
function detectRowKind(path: string): HistoryRow['kind'] | null {
  if (/(?:^|\/)(?:likes\/|films[^/]*$)/.test(path)) return 'liked'
  if (/watchlist[^/]*$/.test(path)) return 'listed'
  if (/(?:^|\/)ratings[^/]*$/.test(path)) return 'rated'
  return /(?:watched|diary|reviews)[^/]*$/.test(path) ? 'watched' : null
}

interface LetterboxdRowOptions {
  kind: HistoryRow['kind']
  parseDate: DateParser
  listName?: string
}

function toHistoryItem(
  { line, getCell }: CsvRow,
  { kind, parseDate, listName }: LetterboxdRowOptions,
): HistoryItem {
  const title = getCell('name')
  if (!title) return { line, skip: 'no_title' }
  const starCount = parseDecimal(getCell('rating'))
  if (kind === 'rated' && !(starCount > 0 && starCount <= 5)) return { line, skip: 'bad_row', title }
  const year = Number(getCell('year'))
  const hasWatchedDate = getCell('watched date') !== ''
  const [watchedOn, loggedOn] = [parseDate(getCell('watched date')), parseDate(getCell('date'))]
  if (watchedOn === null || loggedOn === null) return { line, skip: 'bad_date', title }
  return createHistoryRow({
    source: 'letterboxd',
    line,
    kind,
    type: 'movie',
    ids: {},
    title,
    year: year > 1800 ? year : undefined,
    // A diary entry has the date of the viewing and the date of the entry.
    at: hasWatchedDate ? watchedOn : loggedOn,
    logged: hasWatchedDate && watchedOn !== loggedOn ? loggedOn : undefined,
    rating: starCount > 0 && starCount <= 5 ? starCount * 2 : undefined,
    list: listName,
    note: toNoteText(getCell('review')),
  })
}

/**
 * A list file. It consists of the line `Letterboxd list export v7`, a table that describes the list, and a table of its
 * films. The first line, or everything before the table of films, may be missing.
 */
export const letterboxdListFormat: HistoryFormat = {
  id: 'letterboxd-list',
  source: 'letterboxd',
  matches: (_path, head) =>
    /^letterboxd list export v\d+/.test(head.header[0] ?? '') ||
    hasColumns(head, 'position', 'name', 'year', 'url') ||
    (hasColumns(head, 'date', 'name', 'tags', 'url') && /^"?Position"?[,;\t]"?Name\b/m.test(head.text)),
  async *readRows(
    openFile: FileOpener,
    path: string,
    { nowMs, baseName }: HistoryReadOptions,
  ): AsyncGenerator<HistoryItem> {
    let filmColumnIndexesByName: Map<string, number> | null = null
    let listColumnIndexesByName: Map<string, number> | null = null
    let filmList = { name: baseName, date: undefined as string | undefined }
    for await (const { line, fields } of readCsvRecords(openFile())) {
      if (filmColumnIndexesByName) {
        const filmCells = toCsvRow(line, fields, filmColumnIndexesByName)
        yield isDeletedEntryPath(path)
          ? { line, skip: 'deleted' }
          : toHistoryItem(filmCells, {
              kind: 'listed',
              parseDate: () => filmList.date,
              listName: filmList.name,
            })
      } else if (fields[0]?.trim() === 'Position') filmColumnIndexesByName = indexColumns(fields)
      else if (listColumnIndexesByName) {
        const { getCell } = toCsvRow(line, fields, listColumnIndexesByName)
        filmList = {
          name: getCell('name') || filmList.name,
          date: parseSingleDate(getCell('date'), nowMs) ?? filmList.date,
        }
      } else if (fields[0]?.trim() === 'Date') listColumnIndexesByName = indexColumns(fields)
    }
  },
}
