/**
 * JSON files of any service: arrays of objects whose keys name their fields. The fields may be in nested objects
 * (`show: {title, ids}`), as in the backups of Simkl, the exporters of AniList and the lists of Jellyfin. A file is
 * recognised only if its keys or its name show what its entries mean.
 */
import { type FilePurpose, parseFilePurpose, parsePathPurpose } from './file-purpose.ts'
import type { HistoryRecord } from './history-record.ts'
import type { HistoryFormat, HistoryTitleType, SkippedRow } from './history-row.ts'
import { readJsonElements, readList, readText } from './json.ts'
import {
  flattenRecord,
  isObject,
  isTitleObject,
  readCollections,
  readNestedViewings,
  readReview,
} from './json-record-fields.ts'
import { foldFieldName, isPersonalRatingName, type RecordField, recogniseFieldName } from './record-fields.ts'
import { readTitleRecords } from './record-reader.ts'
import { parseRecordType, parseStatus } from './record-words.ts'

const TITLE_FIELDS: readonly RecordField[] = ['title', 'movieTitle', 'seriesTitle', 'imdb', 'tmdb', 'tvdb']
/** Fields that show that the value of a key such as `Name` is the name of a title. */
const TITLE_CONTEXT_FIELDS: readonly RecordField[] = [
  'year',
  'season',
  'episode',
  'watchedAt',
  'watched',
  'plays',
]
const TRACKING_FIELDS: readonly RecordField[] = [
  'watchedAt',
  'ratedAt',
  'status',
  'watched',
  'watchlist',
  'plays',
  'favourite',
  'dropped',
]
/**
 * Matches files that this reader does not read: comments, exports of services with readers of their own, and the
 * history of YouTube, whose videos are not titles.
 */
const EXCLUDED_FILE_PATTERN =
  /"(?:comment|list)"\s*:\s*\{|"(?:liked_at|followed_at)"\s*:|"format"\s*:\s*"marquee-|"titleUrl"\s*:\s*"[^"]{0,30}youtube/
/** Matches an entry of a SeriesGuide list. Such entries have ids and no titles. */
const SERIESGUIDE_LIST_PATTERN = /"list_item_id"\s*:/
/** Matches a key, and the opening bracket if its value is an array. */
const JSON_KEY_PATTERN = /"([^"\\]{1,60})"\s*:\s*(\[?)/g
/** Files are read to this depth of arrays and objects, such as `data.MediaListCollection.lists[].entries[].media`. */
const MAX_DEPTH = 8
/**
 * Values of the top-level object are kept in memory, because the whole file may be a single entry. The limits are the
 * number of these values, and the length of each value as JSON in characters. Real entries are far below these limits.
 */
const MAX_ROOT_KEYS = 200
const MAX_ROOT_VALUE_LENGTH = 10_000

export const jsonRecordsFormat: HistoryFormat = {
  id: 'json-records',
  source: 'other',
  matches: (path, { text }) => {
    if (!/^\s*[[{]/.test(text) || EXCLUDED_FILE_PATTERN.test(text)) return false
    if (SERIESGUIDE_LIST_PATTERN.test(text)) return true
    const keys = [...text.matchAll(JSON_KEY_PATTERN)]
    const fields = new Set(keys.flatMap(([, key = '']) => recogniseFieldName(key)?.field ?? []))
    const listKeys = keys.flatMap(([, key = '', bracket]) => (bracket === '[' ? splitKeyIntoWords(key) : []))
    const hasPurpose =
      parsePathPurpose(path) !== null || listKeys.some((name) => parseFilePurpose(name) !== null)
    const hasTitle =
      TITLE_FIELDS.some((field) => fields.has(field)) ||
      (fields.has('mediaId') && fields.has('mediaSource') && fields.has('type')) ||
      (fields.has('weakTitle') && TITLE_CONTEXT_FIELDS.some((field) => fields.has(field)))
    const hasTrackingField =
      TRACKING_FIELDS.some((field) => fields.has(field)) ||
      keys.some(([, key = '']) => isPersonalRatingName(foldFieldName(key)))
    return hasTitle && (hasPurpose || hasTrackingField)
  },
  async *readRows(openFile, path, { nowMs }) {
    const context: ElementContext = { purpose: parsePathPurpose(path), line: 1, depth: 0 }
    const openRecords = async function* () {
      let recordCount = 0
      const rootObject: Record<string, unknown> = {}
      for await (const { key, isArrayElement, value, line } of readJsonElements(openFile())) {
        const elementContext = { ...(key === null ? context : deriveContext(context, key)), line }
        for (const record of isArrayElement
          ? readArrayElement(value, elementContext)
          : readRootValue(value, elementContext)) {
          recordCount += 1
          yield record
        }
        if (recordCount === 0 && !isArrayElement && key !== null && isSmallValue(value, rootObject))
          rootObject[key] = value
      }
      // If the file contains no other records, the top-level object itself may be an entry.
      if (recordCount === 0 && isTitleEntry(rootObject)) yield createRecord(rootObject, context)
    }
    yield* readTitleRecords({ source: 'other', nowMs, openRecords })
  },
}

/**
 * True for an object that is an entry although it is not an element of an array: some exports have an object with a key
 * for each title. An object such as `user: {name}` is not an entry.
 */
function isTitleEntry(value: Record<string, unknown>): boolean {
  const fields = flattenRecord(value)
  return TITLE_FIELDS.some((field) => fields.has(field)) && TRACKING_FIELDS.some((field) => fields.has(field))
}

const isSmallValue = (value: unknown, rootObject: Record<string, unknown>): boolean =>
  Object.keys(rootObject).length < MAX_ROOT_KEYS &&
  (JSON.stringify(value)?.length ?? 0) <= MAX_ROOT_VALUE_LENGTH

/** Reads a value of the top-level object, other than an array. */
function* readRootValue(value: unknown, context: ElementContext): Generator<HistoryRecord | SkippedRow> {
  if (!isObject(value)) return
  if (isTitleEntry(value)) yield createRecord(value, context)
  else yield* readNestedArrays(value, context)
}

/** What is known about an element from its place in the file. */
interface ElementContext {
  purpose: FilePurpose | null
  line: number
  depth: number
  defaultType?: HistoryTitleType | undefined
  status?: string | undefined
  listName?: string | undefined
}

/** Returns the context of the elements of an array, from its key, such as `movies`, `watchlist` or `completed`. */
function deriveContext(context: ElementContext, key: string): ElementContext {
  const keyType = parseRecordType(key)
  return {
    ...context,
    depth: context.depth + 1,
    purpose: parseFilePurpose(splitKeyIntoWords(key)) ?? context.purpose,
    defaultType: keyType === 'movie' || keyType === 'tv' ? keyType : context.defaultType,
    status: parseStatus(splitKeyIntoWords(key)) ?? context.status,
  }
}

const splitKeyIntoWords = (key: string) => key.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')

/** Reads an element of an array: an object that describes a title, the name of a title, or an object with arrays. */
function* readArrayElement(value: unknown, context: ElementContext): Generator<HistoryRecord | SkippedRow> {
  const { line, purpose, status } = context
  if (isObject(value)) {
    if (isTitleObject(value)) yield createRecord(value, context)
    else {
      const nestedRecords = [...readNestedArrays(value, { ...context, ...readListContext(value) })]
      if (nestedRecords.length > 0) yield* nestedRecords
      else yield { line, skip: 'no_title' }
    }
  } else if (typeof value === 'string' && (purpose !== null || status !== undefined))
    yield createRecord({ title: value }, context)
  else yield { line, skip: 'bad_row' }
}

/** Reads the arrays of an object. The object itself is a list or the description of an export. */
function* readNestedArrays(
  value: Record<string, unknown>,
  context: ElementContext,
): Generator<HistoryRecord | SkippedRow> {
  if (context.depth >= MAX_DEPTH) {
    yield { line: context.line, skip: 'bad_row' }
    return
  }
  for (const [key, nestedValue] of Object.entries(value)) {
    const nestedContext = deriveContext(context, key)
    if (isObject(nestedValue)) yield* readNestedArrays(nestedValue, nestedContext)
    else
      for (const element of readList(nestedValue))
        if (isObject(element)) yield* readArrayElement(element, nestedContext)
  }
}

/**
 * Returns what the fields of a list tell about its entries. In files of AniList, the field `status` is the state of all
 * entries. Otherwise, the name of the list can be a state, a purpose such as favourites, or the name of a list of the
 * user.
 */
function readListContext(value: Record<string, unknown>): Partial<ElementContext> {
  const name = readText(value['name']) ?? readText(value['title']) ?? ''
  const ownStatus = readText(value['status']) ?? name
  if (parseStatus(ownStatus)) return { status: ownStatus }
  const purpose = parseFilePurpose(name)
  return purpose ? { purpose } : name && value['isCustomList'] !== false ? { listName: name } : {}
}

function createRecord(value: Record<string, unknown>, context: ElementContext): HistoryRecord {
  const fields = flattenRecord(value)
  const { line, purpose, defaultType, listName, status = '' } = context
  const collections = readCollections(value)
  const review = readReview(value)
  const fallbackTexts: Partial<Record<RecordField, string>> = {
    status,
    rating: review.rating,
    note: review.text,
    watchlist: collections.isPlanned ? 'yes' : '',
    favourite: collections.isFavourite ? 'yes' : '',
  }
  return {
    line,
    purpose,
    // Only a series has seasons.
    defaultType: defaultType ?? (Array.isArray(value['seasons']) ? 'tv' : undefined),
    listName,
    ratingScale: fields.has('ten point rating') ? 10 : undefined,
    listNames: collections.listNames,
    viewings: readNestedViewings(value),
    get: (field) => fields.get(field) || (fallbackTexts[field] ?? ''),
  }
}
