/** Netflix: the viewing history that the account page offers, and the relevant files of a data request. */
import { createDateParser } from './column-dates.ts'
import { CsvError, readCsvRecords, readCsvTable } from './csv.ts'
import { DateOrderEvidence, isDateLike, parseDateWithOrder } from './date-order.ts'
import {
  createHistoryRow,
  type FileOpener,
  type HistoryFormat,
  type HistoryItem,
  type HistoryReadOptions,
  hasColumns,
  type TitleReading,
} from './history-row.ts'
import { isNetflixSupplement, parseNetflixTitle } from './netflix-title.ts'

/**
 * Maximum number of title prefixes, and of titles, that are counted. The limits bound the memory use. No real account
 * has so many titles.
 */
const MAX_COUNTED_PREFIXES = 100_000
const MAX_COUNTED_TITLES = 100_000

/**
 * File or folder names of viewing histories. They distinguish a viewing history from the other tables with two columns
 * that a data request contains.
 */
const VIEWING_HISTORY_PATH_PATTERN = /(?:netflix|viewing)[^/]*$|(?:^|\/)netflix\/[^/]+$/
/**
 * Names of files that contain a list. A list that a browser extension or a script has saved may have the same columns
 * as a viewing history, but nothing in it was watched.
 */
const LIST_PATH_PATTERN = /(?:watch|wish|my)[ _-]?list[^/]*$/

/**
 * `Title,Date`: two columns whose names and dates are in the language of the Netflix account. The file is read twice:
 * `surveyFile` reads it first.
 */
export const netflixHistoryFormat: HistoryFormat = {
  id: 'netflix-viewing-history',
  source: 'netflix',
  matches: (path, head) => {
    // A spreadsheet may add empty columns, which have no name.
    if (head.header.filter((columnName) => columnName !== '').length !== 2) return false
    if (LIST_PATH_PATTERN.test(path)) return false
    const secondField =
      /[\r\n](?:"(?:[^"]|"")*"|[^",;\t\r\n]*)[,;\t]"?([^"\r\n]*)"?/.exec(head.text)?.[1] ?? ''
    return (
      isDateLike(secondField.replace(/[,;\t]+$/, '')) &&
      (hasColumns(head, 'title', 'date') || VIEWING_HISTORY_PATH_PATTERN.test(path))
    )
  },
  readRows: readViewingHistory,
}

async function* readViewingHistory(
  openFile: FileOpener,
  _path: string,
  { nowMs }: HistoryReadOptions,
): AsyncGenerator<HistoryItem> {
  const { order: dateOrder, siblingCounts: siblingCountsByPrefix } = await surveyFile(openFile, nowMs)
  let isFirstRecord = true
  for await (const { line, fields } of readCsvRecords(openFile())) {
    if (isFirstRecord && !isDateLike(fields[1] ?? '')) {
      isFirstRecord = false
      continue
    }
    isFirstRecord = false
    const [firstReading, ...otherReadings] = parseNetflixTitle(fields[0] ?? '')
    if (!firstReading) yield { line, skip: 'no_title' }
    else if (isNetflixSupplement(fields[0] ?? '')) yield { line, skip: 'supplement', title: fields[0] }
    else {
      const watchedAt = parseDateWithOrder(fields[1] ?? '', dateOrder)
      const readings = otherReadings.map((otherReading) =>
        addSiblingCount(otherReading, siblingCountsByPrefix),
      )
      if (!watchedAt) yield { line, skip: 'bad_date', title: fields[0] }
      else yield toHistoryRow({ line, watchedAt, firstReading, readings })
    }
  }
}

/**
 * Infers the date order. Also counts the different titles that start with each prefix, because the episodes of a series
 * share a prefix. After `MAX_COUNTED_TITLES` titles, no further title is counted: titles beyond this limit are not
 * stored, so the same title could be counted twice. A count that is too low makes a match ambiguous, but a count that
 * is too high can make the match wrong. In a broken file, only the rows before the broken place are considered, because
 * only these are imported.
 */
async function surveyFile(openFile: FileOpener, nowMs: number) {
  const evidence = new DateOrderEvidence(nowMs)
  const siblingCountsByPrefix = new Map<string, number>()
  const countedTitles = new Set<string>()
  const countTitlePrefixes = (title: string) => {
    if (countedTitles.has(title) || countedTitles.size === MAX_COUNTED_TITLES) return
    countedTitles.add(title)
    for (const { title: prefix, type } of parseNetflixTitle(title)) {
      if (type !== 'tv') continue
      const siblingCount = siblingCountsByPrefix.get(prefix)
      if (siblingCount !== undefined || siblingCountsByPrefix.size < MAX_COUNTED_PREFIXES)
        siblingCountsByPrefix.set(prefix, (siblingCount ?? 0) + 1)
    }
  }
  try {
    for await (const { fields } of readCsvRecords(openFile())) {
      const [title = '', date = ''] = fields
      evidence.addDate(date)
      countTitlePrefixes(title)
    }
  } catch (error) {
    // The rows before the broken place are imported, so the survey of these rows is used.
    if (!(error instanceof CsvError)) throw error
  }
  return { ...evidence.inferOrder(), siblingCounts: siblingCountsByPrefix }
}

const addSiblingCount = (
  reading: TitleReading,
  siblingCountsByPrefix: ReadonlyMap<string, number>,
): TitleReading => ({
  ...reading,
  siblings: siblingCountsByPrefix.get(reading.title) ?? 1,
})

interface WatchedTitle {
  line: number
  watchedAt: string
  firstReading: TitleReading
  readings: TitleReading[]
}
const toHistoryRow = ({ line, watchedAt, firstReading, readings }: WatchedTitle) =>
  createHistoryRow({
    source: 'netflix',
    line,
    kind: 'watched',
    ids: {},
    at: watchedAt,
    ...firstReading,
    ...(readings.length > 0 && { readings }),
  })

/** `MyList.csv` of a data request. */
export const netflixMyListFormat: HistoryFormat = {
  id: 'netflix-my-list',
  source: 'netflix',
  matches: (_path, head) => hasColumns(head, 'title name', 'utc title add date'),
  async *readRows(openFile, _path, { nowMs }) {
    const parseDate = await createDateParser(openFile, ['utc title add date'], nowMs)
    for await (const { line, getCell } of readCsvTable(openFile())) {
      const title = getCell('title name')
      const addedAt = parseDate(getCell('utc title add date'))
      if (!title) yield { line, skip: 'no_title' }
      else if (addedAt === null) yield { line, skip: 'bad_date', title }
      else {
        yield createHistoryRow({
          source: 'netflix',
          line,
          kind: 'listed',
          ids: {},
          title,
          at: addedAt,
          profile: getCell('profile name'),
        })
      }
    }
  },
}

/** `Ratings.csv` of a data request: thumbs (1 down, 2 up, 3 two thumbs up), or stars from 1 to 5 in older ratings. */
export const netflixRatingsFormat: HistoryFormat = {
  id: 'netflix-ratings',
  source: 'netflix',
  matches: (_path, head) => hasColumns(head, 'title name', 'thumbs value', 'star value'),
  async *readRows(openFile, _path, { nowMs }) {
    const parseDate = await createDateParser(openFile, ['event utc ts'], nowMs)
    for await (const { line, getCell } of readCsvTable(openFile())) {
      const title = getCell('title name')
      const thumbsValue = Number(getCell('thumbs value'))
      const starCount = Number(getCell('star value'))
      const commonFields = {
        source: 'netflix',
        line,
        ids: {},
        title,
        profile: getCell('profile name'),
      } as const
      const ratedAt = parseDate(getCell('event utc ts'))
      if (!title) yield { line, skip: 'no_title' }
      else if (ratedAt === null) yield { line, skip: 'bad_date', title }
      else if (thumbsValue >= 1 && thumbsValue <= 3)
        yield createHistoryRow({
          ...commonFields,
          at: ratedAt,
          kind: thumbsValue === 1 ? 'disliked' : 'liked',
        })
      else if (starCount >= 1 && starCount <= 5)
        yield createHistoryRow({ ...commonFields, at: ratedAt, kind: 'rated', rating: starCount * 2 })
      else yield { line, skip: 'bad_row', title }
    }
  },
}
