/**
 * Tables of any service, and spreadsheets of a household: the content of a column is recognised by its name. A table is
 * recognised only if its columns or its file name show what its rows mean.
 */
import { CsvError, CsvReader, type CsvRecord, detectSeparator, readCsvRecords } from './csv.ts'
import { type FilePurpose, parsePathPurpose } from './file-purpose.ts'
import type { HistoryRecord } from './history-record.ts'
import type { FileHead, HistoryFormat } from './history-row.ts'
import { parsePrimeTitle } from './prime-title.ts'
import { foldFieldName, isPersonalRatingName, type RecordField, recogniseFieldName } from './record-fields.ts'
import { readTitleRecords } from './record-reader.ts'

/** Fields that show what a row means. */
const TRACKING_FIELDS: ReadonlySet<RecordField> = new Set<RecordField>([
  'watchedAt',
  'date',
  'ratedAt',
  'rating',
  'noteOrRating',
  'status',
  'watched',
  'watchlist',
  'plays',
  'favourite',
  'disliked',
  'dropped',
  'owned',
  'list',
  'listedAt',
  'watchlistedAt',
  'percent',
  'secondsWatched',
  'lastEpisode',
])
/** Fields that show that a column with a name such as `Name` contains titles. */
const TITLE_CONTEXT_FIELDS: readonly RecordField[] = [
  'year',
  'type',
  'season',
  'episode',
  'imdb',
  'tmdb',
  'tvdb',
  'trakt',
  'watchedAt',
  'watched',
]
const TITLE_FIELDS: readonly RecordField[] = [
  'title',
  'movieTitle',
  'seriesTitle',
  'imdb',
  'tmdb',
  'tvdb',
  'trakt',
]
/**
 * Number of lines at the start of the file in which the line with the names of the columns is searched for. A
 * spreadsheet may have a heading above that line.
 */
const MAX_SEARCHED_LINES = 5
const MIN_COLUMNS_BELOW_HEADING = 3
/**
 * Columns of services that have readers of their own. A table with such a column is not recognised here, because the
 * reader of its service decides which rows can be read.
 */
const OTHER_FORMAT_COLUMNS = [
  'letterboxd uri',
  'tv_show_name',
  'tv_show_id',
  'is interested',
  'marquee_export_1',
]
/**
 * Columns of services whose ratings are from 1 to 10. A file of such a service may contain only low ratings, which must
 * not be read as ratings from 1 to 5.
 */
const TEN_POINT_COLUMNS = [
  ...['const', 'simkl_id', 'media_id', 'trakt_id', 'trakt_rating', 'rated_at', 'userrating', 'pl_title'],
  'рейтинг кинопоиска',
]
/**
 * Column by which an export of Kinopoisk is recognised. In such a table, a column with a date contains the date of the
 * rating.
 */
const KINOPOISK_COLUMN = 'русскоязычное название'
/** Columns of tables of books. A book often has the name of a film, so its rows must not be matched to titles. */
const BOOK_COLUMNS = ['book id', 'isbn', 'isbn13', 'isbn/uid']

/**
 * Matches a row of a backup of the Playback Reporting plugin of Jellyfin and Emby. The file has no header row, so
 * PLAYBACK_REPORT_HEADER takes its place.
 */
const PLAYBACK_REPORT_PATTERN =
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.\d]*\t[\da-f-]{32,36}\t[^\t\n]*\t[A-Z][A-Za-z]{2,20}\t/
const PLAYBACK_REPORT_HEADER = ['Watched At', 'User', '', 'Item Type', 'Title', '', '', '', 'Play Duration']

export interface TablePlan {
  /** Indexes of the columns of each field, in the order of the table. */
  columnIndexesByField: ReadonlyMap<RecordField, readonly number[]>
  ratingScale: number | undefined
  purpose: FilePurpose | null
  /** True if the titles have the form that a data request of Prime Video uses (`parsePrimeTitle`). */
  hasPrimeTitles: boolean
}

export const tableFormat: HistoryFormat = {
  id: 'table',
  source: 'other',
  matches: (path, head) => !/^\s*[[{<]/.test(head.text) && planTableFromHead(path, head) !== null,
  async *readRows(openFile, path, { nowMs, baseName }) {
    const openRecords = () => readTableRecords(readCsvRecords(openFile()), path, baseName)
    yield* readTitleRecords({ source: 'other', nowMs, openRecords })
  },
}

function planTableFromHead(path: string, head: FileHead): TablePlan | null {
  if (PLAYBACK_REPORT_PATTERN.test(head.text)) return planTable(PLAYBACK_REPORT_HEADER, path, 0)
  return planTableFromRecords(path, new CsvReader(detectSeparator(head.text)).push(`${head.text}\n`))
}

/** Returns what the columns of a table contain; null if its first lines do not show what its rows mean. */
export function planTableFromRecords(path: string, records: readonly CsvRecord[]): TablePlan | null {
  for (const [index, { fields }] of records.slice(0, MAX_SEARCHED_LINES).entries()) {
    const plan = planTable(fields, path, index)
    if (plan) return plan
    if (!isPossibleHeading(fields)) return null
  }
  return null
}

/** True for a line with at most two texts, which may be a heading above the table. */
const isPossibleHeading = (fields: readonly string[]) =>
  fields.filter((field) => field.trim() !== '').length <= 2

/**
 * Returns which columns contain which fields; null if neither the names of the columns nor `path` show what the rows
 * mean.
 */
function planTable(header: readonly string[], path: string, headingLineCount: number): TablePlan | null {
  const names = header.map((name) => name.trim().toLowerCase())
  if ([...OTHER_FORMAT_COLUMNS, ...BOOK_COLUMNS].some((name) => names.includes(name))) return null
  const columnIndexesByField = new Map<RecordField, number[]>()
  const scaledRatingColumns: { index: number; ratingScale: number }[] = []
  for (const [index, name] of header.entries()) {
    const recognisedName = recogniseFieldName(name)
    if (!recognisedName) continue
    const { ratingScale } = recognisedName
    const isRatingDate = recognisedName.field === 'date' && names.includes(KINOPOISK_COLUMN)
    const field = isRatingDate ? 'ratedAt' : recognisedName.field
    columnIndexesByField.set(field, [...(columnIndexesByField.get(field) ?? []), index])
    if (ratingScale) scaledRatingColumns.push({ index, ratingScale })
  }
  // If several columns contain a rating, such as `Rating` and `Rating10` of Letterboxd, only the column whose name
  // contains the scale is used.
  const [scaledRatingColumn] = scaledRatingColumns
  if (scaledRatingColumn) columnIndexesByField.set('rating', [scaledRatingColumn.index])
  const hasTenPointScale = TEN_POINT_COLUMNS.some((name) => names.includes(name))
  const ratingScale = hasTenPointScale ? 10 : scaledRatingColumn?.ratingScale
  const personalRatingIndexes = columnIndexesByField
    .get('rating')
    ?.filter((index) => isPersonalRatingName(foldFieldName(header[index] ?? '')))
  if (personalRatingIndexes?.length) columnIndexesByField.set('rating', personalRatingIndexes)
  const has = (field: RecordField) => columnIndexesByField.has(field)
  const purpose = parsePathPurpose(path)
  const hasTitle =
    TITLE_FIELDS.some(has) || (has('weakTitle') && TITLE_CONTEXT_FIELDS.some((field) => has(field)))
  const hasPurposeOrTrackingField =
    purpose !== null || [...columnIndexesByField.keys()].some((field) => TRACKING_FIELDS.has(field))
  if (!hasTitle || !hasPurposeOrTrackingField) return null
  if (headingLineCount > 0 && columnIndexesByField.size < MIN_COLUMNS_BELOW_HEADING) return null
  // A table with only titles and dates is a viewing history, unless the file name shows another purpose, such as a
  // watchlist. With another purpose, the dates may not be viewing dates, so the table is not recognised.
  const hasNetflixColumns = names.filter((name) => name !== '').length === 2 && has('title') && has('date')
  if (hasNetflixColumns && purpose !== 'history' && purpose !== null) return null
  return { columnIndexesByField, ratingScale, purpose, hasPrimeTitles: has('materialType') }
}

/** Yields the rows of a table. `fileListName` is the name of the list if the file contains a list. */
export async function* readTableRecords(
  records: AsyncIterable<CsvRecord>,
  path: string,
  fileListName: string,
): AsyncGenerator<HistoryRecord> {
  let plan: TablePlan | null = null
  let headingLineCount = 0
  for await (const { line, fields } of records) {
    if (!plan) {
      const isPlaybackReport = PLAYBACK_REPORT_PATTERN.test(fields.join('\t'))
      plan = planTable(isPlaybackReport ? PLAYBACK_REPORT_HEADER : fields, path, headingLineCount)
      headingLineCount += 1
      // The first bytes of the file seemed to contain the names of the columns, so this format was detected. But no
      // complete line at the start of the file contains them, so the file is broken.
      if (!plan && headingLineCount === MAX_SEARCHED_LINES) throw new CsvError(line)
      if (!plan || !isPlaybackReport) continue
    }
    // A row of empty cells is an empty line of a spreadsheet.
    if (fields.every((field) => field.trim() === '')) continue
    const { purpose, ratingScale } = plan
    yield { line, purpose, fileListName, ratingScale, get: createFieldReader(plan, fields) }
  }
}

function createFieldReader(
  { columnIndexesByField, hasPrimeTitles }: TablePlan,
  fields: readonly string[],
): HistoryRecord['get'] {
  const getCell = (field: RecordField): string => {
    for (const index of columnIndexesByField.get(field) ?? []) {
      const cell = fields[index]?.trim() ?? ''
      if (cell !== '') return cell
    }
    return ''
  }
  if (!hasPrimeTitles) return getCell
  const primeTitle = parsePrimeTitle(getCell('title'))
  return (field) =>
    field in primeTitle ? (primeTitle[field as 'title'] ?? '') : removeInnerQuotes(getCell(field))
}

/** Files of a data request of Prime Video enclose texts in a second pair of quotes. */
const removeInnerQuotes = (text: string) => text.replace(/^"(.*)"$/su, '$1')
