/**
 * Reads the records of a file of unknown origin twice: first to infer the order of day, month and year and the scale of
 * the ratings, then to convert the records.
 */
import { DateSurvey } from './column-dates.ts'
import { CsvError } from './csv.ts'
import type { HistoryRecord } from './history-record.ts'
import type { HistoryItem, HistorySource, SkippedRow } from './history-row.ts'
import { JsonError } from './json.ts'
import { toParsableDate } from './record-dates.ts'
import { parseRating, RatingScaleSurvey } from './record-rating.ts'
import { type RecordConversionOptions, toHistoryItems } from './record-row.ts'
import { XmlError } from './xml.ts'

const DATE_FIELDS = [
  'watchedAt',
  'watched',
  'date',
  'addedAt',
  'listedAt',
  'watchlistedAt',
  'ratedAt',
  'owned',
  'dropped',
] as const

interface RecordFile {
  source: HistorySource
  nowMs: number
  /** Scale of the ratings, if the format fixes it. */
  ratingScale?: number | undefined
  /** Opens the file from its start. */
  openRecords: () => AsyncIterable<HistoryRecord | SkippedRow>
}

export async function* readTitleRecords(file: RecordFile): AsyncGenerator<HistoryItem> {
  const options = await surveyRecords(file)
  for await (const record of file.openRecords()) {
    if ('skip' in record) yield record
    else yield* toHistoryItems(record, options)
  }
}

/**
 * Infers the order of day, month and year, and the scale of the ratings. In a broken file, only the records before the
 * broken place are considered, because only these are imported.
 */
async function surveyRecords({
  source,
  nowMs,
  ratingScale,
  openRecords,
}: RecordFile): Promise<RecordConversionOptions> {
  const dateSurvey = new DateSurvey(nowMs)
  const ratingSurvey = new RatingScaleSurvey()
  const noteSurvey = new RatingScaleSurvey()
  let numericNoteCount = 0
  let textNoteCount = 0
  let knownScale = ratingScale
  try {
    for await (const record of openRecords()) {
      if ('skip' in record) continue
      knownScale ??= record.ratingScale
      for (const field of DATE_FIELDS) dateSurvey.addDate(toParsableDate(record.get(field)), field)
      for (const { at } of record.viewings ?? []) dateSurvey.addDate(toParsableDate(at), 'viewing')
      ratingSurvey.addRating(record.get('rating'))
      const note = record.get('noteOrRating')
      noteSurvey.addRating(note)
      if (note !== '' && parseRating(note)) numericNoteCount += 1
      else if (/\p{L}/u.test(note)) textNoteCount += 1
    }
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof JsonError || error instanceof XmlError)) throw error
  }
  const isNoteRating = numericNoteCount > textNoteCount
  return {
    source,
    parseDate: dateSurvey.createParser(),
    ratingScale: knownScale ?? (isNoteRating ? noteSurvey : ratingSurvey).inferScale(),
    isNoteRating,
  }
}
