/**
 * XML files of any service, such as the ratings of Criticker: an element for each title, whose child elements are
 * recognised by their names, like the columns of a table.
 */
import { parsePathPurpose } from './file-purpose.ts'
import type { HistoryRecord } from './history-record.ts'
import type { HistoryFormat } from './history-row.ts'
import { foldFieldName, isPersonalRatingName, type RecordField, recogniseFieldName } from './record-fields.ts'
import { readTitleRecords } from './record-reader.ts'
import { readXmlRecords } from './xml.ts'

/** Names of the elements that describe a title. */
const RECORD_ELEMENT_NAMES = ['film', 'movie', 'show', 'series', 'item', 'entry', 'record', 'row']
const TITLE_FIELDS: readonly RecordField[] = ['title', 'movieTitle', 'seriesTitle', 'imdb', 'tmdb', 'tvdb']
const TRACKING_FIELDS: readonly RecordField[] = [
  'rating',
  'ratedAt',
  'watchedAt',
  'watched',
  'status',
  'plays',
  'watchlist',
  'favourite',
]
const ELEMENT_NAME_PATTERN = /<([a-z][\w-]{0,60})[\s>]/gi

export const xmlRecordsFormat: HistoryFormat = {
  id: 'xml-records',
  source: 'other',
  matches: (path, { text }) => {
    if (!/^\s*<(?:\?xml|[a-z])/i.test(text)) return false
    const names = [...text.matchAll(ELEMENT_NAME_PATTERN)].map(([, name = '']) => name.toLowerCase())
    if (!names.some((name) => RECORD_ELEMENT_NAMES.includes(name))) return false
    const fields = new Set(
      names.flatMap((name) =>
        RECORD_ELEMENT_NAMES.includes(name) ? [] : (recogniseFieldName(name)?.field ?? []),
      ),
    )
    const hasPurposeOrTrackingField =
      parsePathPurpose(path) !== null || TRACKING_FIELDS.some((field) => fields.has(field))
    return hasPurposeOrTrackingField && TITLE_FIELDS.some((field) => fields.has(field))
  },
  async *readRows(openFile, path, { nowMs, baseName }) {
    const purpose = parsePathPurpose(path)
    const openRecords = async function* (): AsyncGenerator<HistoryRecord> {
      for await (const { name, line, texts } of readXmlRecords(openFile(), RECORD_ELEMENT_NAMES)) {
        const fields = collectFields(texts)
        const defaultType = name === 'movie' || name === 'film' ? 'movie' : undefined
        yield {
          line,
          purpose,
          fileListName: baseName,
          defaultType: name === 'show' || name === 'series' ? 'tv' : defaultType,
          get: (field) => fields.get(field) ?? '',
        }
      }
    }
    yield* readTitleRecords({ source: 'other', nowMs, openRecords })
  },
}

/** Returns the texts by field. If the element has several ratings, the rating of the user is kept. */
function collectFields(texts: ReadonlyMap<string, string>): Map<RecordField, string> {
  const fields = new Map<RecordField, string>()
  for (const [name, text] of texts) {
    const field = recogniseFieldName(name)?.field
    if (!field || text.trim() === '') continue
    if (!fields.has(field) || isPersonalRatingName(foldFieldName(name))) fields.set(field, text.trim())
  }
  return fields
}
