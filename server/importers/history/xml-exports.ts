/**
 * XML exports: the lists of MyAnimeList and the video library of Kodi. AniList, Kitsu and others export lists in the
 * format of MyAnimeList. The library of Kodi is one file, or a `.nfo` file per title.
 */

import type { HistoryRecord } from './history-record.ts'
import type { HistoryFormat, HistoryTitleType } from './history-row.ts'
import { readTitleRecords } from './record-reader.ts'
import type { FieldReader } from './record-title.ts'
import { readXmlRecords, type XmlRecord } from './xml.ts'

const XML_PROLOG_PATTERN = '^\\s*(?:<\\?xml[^>]{0,200}\\?>\\s*)?(?:<!--[^>]{0,2000}-->\\s*)*'
const MY_ANIME_LIST_PATTERN = new RegExp(`${XML_PROLOG_PATTERN}<myanimelist[\\s>]`, 'i')
const KODI_PATTERN = new RegExp(`${XML_PROLOG_PATTERN}<(?:videodb|movie|tvshow|episodedetails)[\\s>]`, 'i')

const ANIME_ELEMENTS_BY_FIELD: Readonly<Record<string, string>> = {
  title: 'series_title',
  format: 'series_type',
  status: 'my_status',
  rating: 'my_score',
  episodesWatched: 'my_watched_episodes',
  watchedAt: 'my_finish_date',
  rewatches: 'my_times_watched',
  note: 'my_comments',
}
/** Older exports have numbers instead of the words for states. */
const ANIME_STATUSES: Readonly<Record<string, string>> = {
  1: 'watching',
  2: 'completed',
  3: 'on hold',
  4: 'dropped',
  6: 'plan to watch',
}
/**
 * Types of MyAnimeList that tell whether the title is a series or a movie. Other types, such as specials, are not
 * listed here: the catalogue may have such a title as a movie or as an episode, so its type stays unknown.
 */
const ANIME_TYPES: Readonly<Record<string, HistoryTitleType>> = { tv: 'tv', ona: 'tv', movie: 'movie' }

export const myAnimeListFormat: HistoryFormat = {
  id: 'myanimelist',
  source: 'myanimelist',
  matches: (_path, { text }) => MY_ANIME_LIST_PATTERN.test(text),
  async *readRows(openFile, _path, { nowMs }) {
    yield* readTitleRecords({
      source: 'myanimelist',
      nowMs,
      ratingScale: 10,
      openRecords: () => readRecords(readXmlRecords(openFile(), ['anime', 'manga']), createAnimeReader),
    })
  },
}

const KODI_ELEMENTS_BY_FIELD: Readonly<Record<string, string>> = {
  title: 'title',
  originalTitle: 'originaltitle',
  seriesTitle: 'showtitle',
  season: 'season',
  episode: 'episode',
  plays: 'playcount',
  watched: 'watched',
  watchedAt: 'lastplayed',
  rating: 'userrating',
  runtime: 'runtime',
}

export const kodiFormat: HistoryFormat = {
  id: 'kodi',
  source: 'kodi',
  matches: (_path, { text }) => KODI_PATTERN.test(text),
  async *readRows(openFile, _path, { nowMs }) {
    yield* readTitleRecords({
      source: 'kodi',
      nowMs,
      ratingScale: 10,
      openRecords: () =>
        readRecords(readXmlRecords(openFile(), ['movie', 'tvshow', 'episodedetails']), createKodiReader),
    })
  },
}

async function* readRecords(
  records: AsyncIterable<XmlRecord>,
  createReader: (record: XmlRecord) => FieldReader,
): AsyncGenerator<HistoryRecord> {
  for await (const record of records) yield { line: record.line, purpose: null, get: createReader(record) }
}

function createAnimeReader({ name, texts }: XmlRecord): FieldReader {
  return (field) => {
    if (field === 'type')
      return name === 'manga' ? 'manga' : (ANIME_TYPES[texts.get('series_type')?.toLowerCase() ?? ''] ?? '')
    if (field === 'format' && texts.get('series_type')?.toLowerCase() !== 'music') return ''
    const text =
      texts.get(ANIME_ELEMENTS_BY_FIELD[field] ?? '') ??
      (field === 'title' ? (texts.get('manga_title') ?? '') : '')
    return field === 'status' ? (ANIME_STATUSES[text] ?? text) : text
  }
}

function createKodiReader({ name, texts }: XmlRecord): FieldReader {
  const getText = (field: string) => texts.get(KODI_ELEMENTS_BY_FIELD[field] ?? '') ?? ''
  return (field) => {
    if (field === 'type') return name === 'movie' ? 'movie' : name === 'tvshow' ? 'tv' : 'episode'
    // In the element of a series, these fields contain totals: numbers of seasons, episodes and watched episodes.
    if (name === 'tvshow' && ['season', 'episode', 'plays', 'watched'].includes(field)) return ''
    // The year and the ids in the element of an episode belong to the episode and not to its series, so they are left
    // out.
    if (field === 'year')
      return name === 'episodedetails' ? '' : (texts.get('year') ?? texts.get('premiered') ?? '')
    if (field === 'imdb') return readImdbId(name, texts)
    if (field === 'tmdb' || field === 'tvdb')
      return name === 'episodedetails'
        ? ''
        : (texts.get(`uniqueid[${field}]`) ?? texts.get(`${field}id`) ?? '')
    if (field === 'plays') return getText('plays') || (getText('watched') === 'true' ? '1' : '')
    // Kodi also stores a last playback time for titles that were not watched to their end, so that time is not
    // evidence of a viewing.
    if (field === 'watched') return Number(getText('plays')) > 0 ? 'yes' : getText('watched') || 'no'
    return getText(field)
  }
}

function readImdbId(name: string, texts: XmlRecord['texts']): string {
  if (name === 'episodedetails') return ''
  return (
    ['uniqueid[imdb]', 'imdbid', 'imdb_id', 'id', 'uniqueid']
      .map((fieldName) => texts.get(fieldName))
      .find((id) => id?.startsWith('tt')) ?? ''
  )
}
