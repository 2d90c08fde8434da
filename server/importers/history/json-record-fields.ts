/** Finds the fields of a title in a parsed JSON object. The fields may be in nested objects. */

import { parseFilePurpose } from './file-purpose.ts'
import type { EpisodeViewing } from './history-record.ts'
import { getValueAt, readList, readNumber, readText } from './json.ts'
import { isDateText, toParsableDate } from './record-dates.ts'
import { foldFieldName, isPersonalRatingName, type RecordField, recogniseFieldName } from './record-fields.ts'

type JsonObject = Record<string, unknown>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What an object in a record describes. Keys such as `title` and `status` have another meaning in each role. */
type ObjectRole = 'record' | 'title' | 'episode' | 'season' | 'ids'

const ROLES_BY_KEY: ReadonlyMap<string, ObjectRole> = new Map<string, ObjectRole>([
  ...['movie', 'film', 'show', 'series', 'tvshow', 'anime', 'media', 'node', 'manga', 'content'].map(
    (key): [string, ObjectRole] => [key, 'title'],
  ),
  ['episode', 'episode'],
  ['season', 'season'],
  ...['id', 'ids', 'externalids', 'providerids'].map((key): [string, ObjectRole] => [key, 'ids']),
  ...[
    ...['userdata', 'liststatus', 'myliststatus', 'attributes', 'item', 'entry', 'state'],
    ...['panel', 'episodemetadata'],
  ].map((key): [string, ObjectRole] => [key, 'record']),
])
/**
 * Fields that are read from the object of a title. Other fields of this object, such as state, rating and dates,
 * describe the title and not what the user did.
 */
const TITLE_OBJECT_FIELDS: ReadonlySet<RecordField> = new Set<RecordField>([
  'title',
  'weakTitle',
  'originalTitle',
  'year',
  'type',
  'format',
  'runtime',
  'imdb',
  'tmdb',
  'tvdb',
  'trakt',
])
const EPISODE_FIELDS_BY_KEY: ReadonlyMap<string, RecordField> = new Map<string, RecordField>([
  ['title', 'episodeTitle'],
  ['name', 'episodeTitle'],
  ['number', 'episode'],
  ['episode', 'episode'],
  ['episodenumber', 'episode'],
  ['season', 'season'],
  ['seasonnumber', 'season'],
  ['watchedat', 'watchedAt'],
])
const MAX_DEPTH = 4
/** Keys that show that a service rates from 1 to 10. */
const TEN_POINT_KEYS = new Set(['userrating', 'ratinguser', 'ratedat', 'userratedat', 'uservote'])
/** Keys that contain the number of votes of all users. */
const VOTE_COUNT_KEYS = new Set(['votes', 'votecount', 'ratingvotes', 'numvotes', 'ratingcount'])

/** Texts of the fields. The key `ten point rating` is present if the service rates from 1 to 10. */
export type RecordFields = ReadonlyMap<RecordField | 'ten point rating', string>

/** Keys under which a list contains its titles. */
const LIST_KEYS = new Set(
  'entries items list movies films shows series titles anime media results'.split(' '),
)

/** True if the object or one of its parts has a title or an id, and the object is not a list of titles. */
export function isTitleObject(value: JsonObject): boolean {
  const hasListOfObjects = Object.entries(value).some(
    ([key, part]) => LIST_KEYS.has(foldFieldName(key)) && readList(part).some(isObject),
  )
  if (hasListOfObjects) return false
  const fields = flattenRecord(value)
  return (
    (['title', 'weakTitle', 'movieTitle', 'seriesTitle', 'imdb', 'tmdb', 'tvdb'] as const).some((field) =>
      fields.has(field),
    ) ||
    (fields.has('mediaId') && fields.has('mediaSource'))
  )
}

export function flattenRecord(value: JsonObject): RecordFields {
  const fields = new Map<RecordField | 'ten point rating', string>()
  collectFields(value, 'record', 0, fields)
  return fields
}

function collectFields(
  value: JsonObject,
  role: ObjectRole,
  depth: number,
  fields: Map<RecordField | 'ten point rating', string>,
): void {
  const setField = (field: RecordField, text: string) => {
    if (text !== '' && !fields.get(field)) fields.set(field, text)
  }
  for (const [key, part] of Object.entries(value)) {
    const name = foldFieldName(key)
    if (isObject(part)) {
      const field = recogniseFieldName(key)?.field
      const date = formatDateParts(part)
      if (date !== '') {
        if (role === 'title' && name === 'startdate') setField('year', date.slice(0, 4))
        else if (field && role === 'record') setField(field, date)
      } else if (name === 'title') setTitlesFromNames(part, setField)
      else if (depth < MAX_DEPTH) {
        const partRole = ROLES_BY_KEY.get(name)
        // The ids of an episode or a season are skipped. They are not the ids of its series, which may come later in
        // the record.
        const areEpisodeOrSeasonIds = partRole === 'ids' && (role === 'episode' || role === 'season')
        if (partRole === 'title' && role === 'record') setTypeFromKey(name, setField)
        if (partRole && !areEpisodeOrSeasonIds) collectFields(part, partRole, depth + 1, fields)
      }
      continue
    }
    const text =
      typeof part === 'string'
        ? part.trim()
        : typeof part === 'number' || typeof part === 'boolean'
          ? String(part)
          : ''
    if (text === '') continue
    if (role === 'record' && TEN_POINT_KEYS.has(name)) fields.set('ten point rating', 'yes')
    const field = findField(name, role, part)
    if (field === 'rating' && role === 'record' && isRatingOfOthers(name, value)) continue
    if (field) setField(field, text)
    else if (role === 'record' && name === 'externalid') setSeriesGuideId(text, value, setField)
    // Ryot writes the title of an entry to `source_id`.
    else if (role === 'record' && name === 'sourceid' && 'lot' in value) setField('title', text)
    else if (role === 'record' && name === 'id' && /^tt\d{7,10}$/.test(text)) setField('imdb', text)
    else if (role === 'record' && name === 'index' && 'parentIndex' in value) setField('episode', text)
    else if (role === 'record' && name === 'progress' && isObject(value['media']))
      setField('episodesWatched', text)
  }
}

function findField(name: string, role: ObjectRole, part: unknown): RecordField | null {
  if (role === 'episode') return EPISODE_FIELDS_BY_KEY.get(name) ?? null
  if (role === 'season') return name === 'number' || name === 'season' ? 'season' : null
  if (role === 'ids' && !['imdb', 'tmdb', 'tvdb', 'trakt'].includes(name)) return null
  const field = recogniseFieldName(name)?.field ?? null
  if (role === 'title') return field && TITLE_OBJECT_FIELDS.has(field) ? field : null
  if (field === 'noteOrRating') return typeof part === 'number' ? 'rating' : 'note'
  return field
}

/**
 * True if a key with the meaning "rating" contains the rating of all users. The object then also has the number of
 * votes, or another key that names the rating of the user.
 */
function isRatingOfOthers(name: string, value: JsonObject): boolean {
  if (isPersonalRatingName(name)) return false
  return Object.keys(value).some(
    (key) => VOTE_COUNT_KEYS.has(foldFieldName(key)) || isPersonalRatingName(foldFieldName(key)),
  )
}

/** Sets the id of an entry of a SeriesGuide list. Its type, such as `tmdb-show`, names the service of the id. */
function setSeriesGuideId(
  id: string,
  value: JsonObject,
  setField: (field: RecordField, text: string) => void,
): void {
  const type = readText(value['type'])
  if (type === 'tmdb-show' || type === 'tmdb-movie') setField('tmdb', id)
  else if (type === 'show') setField('tvdb', id)
}

function setTypeFromKey(name: string, setField: (field: RecordField, text: string) => void): void {
  if (name === 'movie' || name === 'film') setField('type', 'movie')
  else if (name === 'show' || name === 'series' || name === 'tvshow') setField('type', 'tv')
  else if (name === 'manga') setField('type', 'manga')
}

/** Sets the title and the original title from the names of a title by language, as AniList writes them. */
function setTitlesFromNames(names: JsonObject, setField: (field: RecordField, text: string) => void): void {
  const [english, romaji, native] = ['english', 'romaji', 'native'].map((name) => readText(names[name]) ?? '')
  const preferredName = english || romaji || native || readText(names['userPreferred']) || ''
  setField('title', preferredName)
  setField('originalTitle', [romaji, native].find((name) => name && name !== preferredName) ?? '')
}

/**
 * Returns the date of `{year, month, day}` as `YYYY-MM-DD`. An unknown month or day is `00`. Returns an empty text for
 * an object without a year or without the key `month`.
 */
function formatDateParts(value: JsonObject): string {
  const [year, month, day] = ['year', 'month', 'day'].map((name) => readNumber(value[name]))
  if (year === undefined || !('month' in value)) return ''
  return `${year}-${String(month ?? 0).padStart(2, '0')}-${String(day ?? 0).padStart(2, '0')}`
}

/** Keys of an array that has an element for each viewing of a title. */
const VIEWING_LIST_KEYS = new Set(
  (
    'seenhistory seen history watchhistory watches viewings plays playhistory watchdates watcheddates dateswatched ' +
    'watchedepisodes seenepisodes'
  ).split(' '),
)
/** Keys of the season and the episode number in the elements of an array of viewings (VIEWING_LIST_KEYS). */
const SEASON_KEYS = ['season', 'season_number', 'seasonNumber', 'show_season_number'] as const
const EPISODE_KEYS = ['episode', 'number', 'episode_number', 'episodeNumber', 'show_episode_number'] as const
const ABSOLUTE_EPISODE_KEYS = ['anime_episode_number'] as const

/**
 * Returns the viewings that an entry contains: `seasons: [{number, episodes: [{number, watched_at}]}]`, or an array
 * such as `seen_history` or `watch_dates` with an object or a date for each viewing. Episodes that are marked as not
 * watched are left out. In `seasons`, an episode without a number is left out too, because its row would be a viewing
 * of the whole series.
 */
export function readNestedViewings(value: JsonObject): EpisodeViewing[] {
  return [...readSeasonViewings(value), ...readViewingLists(value)]
}

const readViewingLists = (value: JsonObject): EpisodeViewing[] =>
  Object.entries(value)
    .filter(([key]) => VIEWING_LIST_KEYS.has(foldFieldName(key)))
    .flatMap(([, list]) => readList(list).flatMap((element) => readViewing(element) ?? []))

function readViewing(element: unknown): EpisodeViewing | null {
  if (typeof element === 'string') return isDateText(toParsableDate(element)) ? { at: element } : null
  if (!isObject(element)) return null
  const fields = flattenRecord(element)
  const at = fields.get('watchedAt') ?? fields.get('date') ?? ''
  const season = findNumber(element, SEASON_KEYS)
  const episode = findNumber(element, EPISODE_KEYS)
  const absoluteEpisode =
    season === undefined && episode === undefined ? findNumber(element, ABSOLUTE_EPISODE_KEYS) : undefined
  const progress = Number(element['progress'] ?? 100)
  if (at === '' && episode === undefined && absoluteEpisode === undefined && !('progress' in element))
    return null
  return {
    season,
    episode: episode ?? absoluteEpisode,
    isCounted: absoluteEpisode === undefined ? undefined : true,
    // A viewing that was only started has no end date, so it gets the date on which it started.
    at: at || (fields.get('startedAt') ?? ''),
    percent: progress >= 0 && progress < 100 ? progress : undefined,
  }
}

function readSeasonViewings(value: JsonObject): EpisodeViewing[] {
  return readList(value['seasons']).flatMap((season) =>
    readList(getValueAt(season, 'episodes')).flatMap((episode) => {
      if (isUnwatched(episode)) return []
      const episodeNumber = readPartNumber(episode, 'episode')
      if (episodeNumber === undefined) return []
      const seasonAndEpisode = { season: readPartNumber(season, 'season'), episode: episodeNumber }
      const viewings = isObject(episode) ? readViewingLists(episode) : []
      if (viewings.length > 0) return viewings.map((viewing) => ({ ...viewing, ...seasonAndEpisode }))
      return {
        ...seasonAndEpisode,
        plays: readNumber(getValueAt(episode, 'plays')),
        at:
          readText(getValueAt(episode, 'watched_at')) ??
          readText(getValueAt(episode, 'last_watched_at')) ??
          '',
      }
    }),
  )
}

/**
 * True for an episode that is marked as not watched: `watched: false`, `seen: []`. Some exports list all episodes of a
 * series.
 */
const isUnwatched = (episode: unknown) =>
  isObject(episode) &&
  Object.entries(episode).some(([key, value]) => {
    const name = foldFieldName(key)
    if (name === 'plays' && value === 0) return true
    if ((name === 'watched' || name === 'iswatched' || name === 'seen') && value === false) return true
    return VIEWING_LIST_KEYS.has(name) && Array.isArray(value) && value.length === 0
  })

/** Returns the number of a season or an episode; undefined if the object has none. */
const readPartNumber = (part: unknown, name: 'season' | 'episode') =>
  findNumber(part, ['number', name, `${name}_number`, `${name}Number`])

/** Returns the number of the first key in `keys` that contains a number; undefined if no key does. */
const findNumber = (value: unknown, keys: readonly string[]) =>
  keys.map((key) => readNumber(getValueAt(value, key))).find((number) => number !== undefined)

/** Names of collections that Ryot creates for every user. They are not lists that the user made. */
const RYOT_SYSTEM_COLLECTIONS = new Set('owned monitoring custom reminders completed inprogress'.split(' '))

export interface NamedCollections {
  isPlanned: boolean
  isFavourite: boolean
  listNames: string[]
}

/**
 * Returns whether a collection that contains the entry is a watchlist or a list of favourites, and the names of the
 * other collections that the user made. The value of `collections` is an array of names, or of objects with a name.
 */
export function readCollections(value: JsonObject): NamedCollections {
  const names = readList(value['collections']).flatMap(
    (collection) => readText(collection) ?? readText(getValueAt(collection, 'collection_name')) ?? [],
  )
  const purposes = names.map((name) => parseFilePurpose(name))
  return {
    isPlanned: purposes.includes('watchlist'),
    isFavourite: purposes.includes('favourites'),
    listNames: names.filter(
      (name, index) => purposes[index] === null && !RYOT_SYSTEM_COLLECTIONS.has(foldFieldName(name)),
    ),
  }
}

/** Returns the rating and the text of the first review of the whole title; empty texts if there is none. */
export function readReview(value: JsonObject): { rating: string; text: string } {
  const review = readList(value['reviews']).find((element) =>
    [...SEASON_KEYS, ...EPISODE_KEYS].every((key) => getValueAt(element, key) === undefined),
  )
  const rating = getValueAt(review, 'rating')
  return {
    rating: typeof rating === 'number' ? String(rating) : (readText(rating) ?? ''),
    text: readText(getValueAt(review, 'review', 'text')) ?? '',
  }
}
