/** The files of a Letterboxd export. Ratings are in half stars, dates are ISO 8601, and every title is a film. */
import { type CsvRow, indexColumns, readCsvRecords, readCsvTable, toCsvRow } from './csv.ts'
import { parseIsoDate } from './date-order.ts'
import {
  createHistoryRow,
  type FileHead,
  type FileOpener,
  type HistoryFormat,
  type HistoryItem,
  type HistoryRow,
  hasColumns,
} from './history-row.ts'
import { toNoteText } from './note-text.ts'

const hasLetterboxdColumns = (head: FileHead) => hasColumns(head, 'date', 'name', 'year', 'letterboxd uri')

/** Entries that the user deleted, or whose film was removed from Letterboxd, are not imported. */
const isDeletedEntry = (path: string) => /(?:^|\/)(?:deleted|orphaned)\//.test(path)

/** The files for watched films, ratings, watchlist and likes have the same columns; the file name identifies them. */
export const letterboxdFilmsFormat: HistoryFormat = {
  id: 'letterboxd-films',
  source: 'letterboxd',
  matches: (_path, head) => hasLetterboxdColumns(head),
  async *readRows(open, path) {
    const kind = detectRowKind(path)
    for await (const filmCells of readCsvTable(open()))
      yield isDeletedEntry(path) ? { line: filmCells.line, skip: 'deleted' } : toItem(filmCells, kind)
  },
}

function detectRowKind(path: string): HistoryRow['kind'] {
  if (/(?:^|\/)likes\//.test(path)) return 'liked'
  if (/watchlist[^/]*$/.test(path)) return 'listed'
  return /(?:^|\/)ratings[^/]*$/.test(path) ? 'rated' : 'watched'
}

function toItem({ line, get }: CsvRow, kind: HistoryRow['kind'], list?: string): HistoryItem {
  const title = get('name')
  if (!title) return { line, skip: 'no_title' }
  const stars = Number(get('rating'))
  if (kind === 'rated' && !(stars > 0 && stars <= 5)) return { line, skip: 'bad_row' }
  const year = Number(get('year'))
  const [watchedOn, loggedOn] = [parseIsoDate(get('watched date')), parseIsoDate(get('date'))]
  return createHistoryRow({
    source: 'letterboxd',
    line,
    kind,
    type: 'movie',
    ids: {},
    title,
    year: year > 1800 ? year : undefined,
    // A diary entry has the date of the viewing and the date of the entry.
    at: watchedOn ?? loggedOn,
    logged: watchedOn && watchedOn !== loggedOn ? loggedOn : undefined,
    rating: stars > 0 && stars <= 5 ? stars * 2 : undefined,
    list,
    note: toNoteText(get('review')),
  })
}

/**
 * A list: the line `Letterboxd list export v7`, a table that describes the list, and a table of its films.
 * The first line, or everything before the table of films, may be missing.
 */
export const letterboxdListFormat: HistoryFormat = {
  id: 'letterboxd-list',
  source: 'letterboxd',
  matches: (_path, head) =>
    /^letterboxd list export v\d+/.test(head.header[0] ?? '') ||
    hasColumns(head, 'position', 'name', 'year', 'url') ||
    (hasColumns(head, 'date', 'name', 'tags', 'url') && /^"?Position"?[,;\t]"?Name\b/m.test(head.text)),
  async *readRows(open: FileOpener, path: string): AsyncGenerator<HistoryItem> {
    let columns: Map<string, number> | null = null
    let listColumns: Map<string, number> | null = null
    let filmList = { name: /([^/]+)\.csv/.exec(path)?.[1] ?? '', date: '' }
    for await (const { line, fields } of readCsvRecords(open())) {
      if (columns) {
        const filmCells = toCsvRow(line, fields, columns)
        const datedCells = {
          line,
          get: (name: string) => (name === 'date' ? filmList.date : filmCells.get(name)),
        }
        yield isDeletedEntry(path) ? { line, skip: 'deleted' } : toItem(datedCells, 'listed', filmList.name)
      } else if (fields[0]?.trim() === 'Position') columns = indexColumns(fields)
      else if (listColumns) {
        const { get } = toCsvRow(line, fields, listColumns)
        filmList = { name: get('name') || filmList.name, date: get('date') }
      } else if (fields[0]?.trim() === 'Date') listColumns = indexColumns(fields)
    }
  },
}
