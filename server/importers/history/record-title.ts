/** Reads the title, the type, the episode and the ids of a record with fields of unknown origin. */
import type { ExternalIds, HistoryTitleType, TitleReading } from './history-row.ts'
import { parseNetflixTitle } from './netflix-title.ts'
import type { RecordField } from './record-fields.ts'
import { parseRecordType } from './record-words.ts'
import { parseSeasonLabel } from './season-label.ts'

/** Returns the trimmed text of a field; empty if the record does not have it. */
export type FieldReader = (field: RecordField) => string

export interface RecordTitle extends TitleReading {
  originalTitle?: string
  year?: number
  ids: ExternalIds
  /** True for a book, a game, a song and other things that the catalogue does not have. */
  hasUnsupportedType?: boolean
}

/** Longer titles are rejected later, so the patterns of this file are not applied to them. */
const MAX_TITLE_LENGTH = 600
/** Matches `2017 / Germany / Drama`. */
const YEAR_OF_FACTS_PATTERN = /^((?:18[7-9]|19\d|20\d)\d)\s*\/\s/
const YEAR_PATTERN = /(?:^|\D)((?:18[7-9]|19\d|20\d)\d)(?:\D|$)/

/** Returns what a record says about its title. Title and ids are empty if the record has none. */
export function readRecordTitle(get: FieldReader, defaultType?: HistoryTitleType): RecordTitle {
  const recordType = parseRecordType(get('format')) ?? parseRecordType(get('type'))
  const namedTitle = readNamedTitle(get)
  const namedEpisode = readSeasonAndEpisode(get, namedTitle)
  // Some programs write season 0 and episode 0 to the records of movies.
  const episode = recordType === 'movie' && isZeroEpisode(namedEpisode) ? {} : namedEpisode
  const isEpisode = recordType === 'episode' || Object.keys(episode).length > 0
  const titleType = isEpisode
    ? 'tv'
    : recordType === 'movie' || recordType === 'tv'
      ? recordType
      : (namedTitle.type ?? defaultType)
  const ids = readIds(get, titleType)
  const isIdOfEpisode = isEpisode && namedTitle.episodeTitle !== undefined && get('seriesTitle') !== ''
  // Media servers write the year of the episode and not of its series, so this year is left out.
  const yearText = isIdOfEpisode && recordType === 'episode' ? '' : get('year')
  const yearOfFacts = YEAR_OF_FACTS_PATTERN.exec(get('titleFacts').slice(0, 100))?.[1]
  const year = Number(YEAR_PATTERN.exec(yearText.slice(0, 100))?.[1] ?? yearOfFacts) || undefined
  const originalTitle = namedTitle.originalTitle ?? get('originalTitle')
  return {
    title: namedTitle.title,
    ...(titleType && { type: titleType }),
    ...episode,
    ...(originalTitle && originalTitle !== namedTitle.title && { originalTitle }),
    ...(year && { year }),
    // Ids beside the name of an episode may belong to the episode. At TMDB and TheTVDB, a series can have the same
    // number as an unrelated episode, so only the IMDb id is kept.
    ids: isIdOfEpisode ? omitEmptyFields({ imdb: ids.imdb }) : ids,
    ...(recordType === 'other' && { hasUnsupportedType: true }),
  }
}

/** Returns the object without the fields that are undefined or empty. */
export const omitEmptyFields = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as {
    [K in keyof Fields]?: Exclude<Fields[K], undefined>
  }

type ParsedTitleName = Pick<
  TitleReading,
  'title' | 'type' | 'season' | 'episode' | 'episodeTitle' | 'seasonName'
> & { originalTitle?: string }

function readNamedTitle(get: FieldReader): ParsedTitleName {
  const genericTitle = extractFormulaText(get('title') || get('weakTitle'))
  const episodeTitle = extractFormulaText(get('episodeTitle'))
  const movieTitle = extractFormulaText(get('movieTitle'))
  const season = readSeasonTitle(get('seasonTitle'))
  const seriesTitle = extractFormulaText(get('seriesTitle')) || season.seriesTitle
  if (seriesTitle) {
    const ownEpisodeTitle = episodeTitle || (genericTitle === seriesTitle ? '' : genericTitle)
    return {
      title: seriesTitle,
      type: 'tv',
      ...season.fields,
      ...(ownEpisodeTitle && { episodeTitle: ownEpisodeTitle }),
    }
  }
  const title = genericTitle || movieTitle || extractFormulaText(get('originalTitle'))
  const doubanTitle = splitDoubanTitle(title, get('url'))
  if (doubanTitle) return doubanTitle
  if (episodeTitle) return { title, type: 'tv', ...season.fields, episodeTitle }
  const numberedTitle = splitEpisodeCode(title) ?? splitSeasonLabel(title)
  if (numberedTitle) return { ...numberedTitle, type: 'tv' }
  return { title, ...season.fields, ...(!genericTitle && movieTitle && { type: 'movie' as const }) }
}

/** Reads the column of the season title: the name of a season, or in the files of Disney+, the name of the series. */
function readSeasonTitle(text: string): {
  seriesTitle: string
  fields: Pick<TitleReading, 'season' | 'seasonName'>
} {
  if (text === '') return { seriesTitle: '', fields: {} }
  const label = text.length > MAX_TITLE_LENGTH ? null : parseSeasonLabel(text)
  if (!label) return { seriesTitle: text, fields: {} }
  return { seriesTitle: '', fields: { seasonName: text, ...(label.number && { season: label.number }) } }
}

/**
 * Returns the text that a formula of a spreadsheet displays: `=HYPERLINK("url","Heat")` and `="1917"`. Returns an empty
 * text for any other formula. A text that is not a formula is returned without the apostrophe with which a spreadsheet
 * marks it as text.
 */
function extractFormulaText(text: string): string {
  if (!text.startsWith('=')) return /^'[=+@-]/.test(text) ? text.slice(1) : text
  if (text.length > 3_000) return ''
  return /^=(?:HYPERLINK\("[^"]*"[;,])?"([^"]*)"\)?$/i.exec(text)?.[1]?.trim() ?? ''
}

/**
 * Splits a title of Douban, which consists of the Chinese title, the original title and other names, separated by
 * slashes. Each season of a series is a title of its own, so its name ends with the number of the season. Returns null
 * for titles of other services.
 */
function splitDoubanTitle(title: string, url: string): ParsedTitleName | null {
  if (!url.includes('douban.com/') || title.length > MAX_TITLE_LENGTH) return null
  const [chineseTitle = '', originalTitle = ''] = title
    .replace(/\s*\[可播放\]/g, '')
    .split(' / ')
    .map((name) => name.trim())
  const seasonMatch = /^(.+?)\s*(第\s*([\d一二三四五六七八九十]{1,3})\s*季)$/u.exec(chineseTitle)
  const season = seasonMatch && parseChineseNumber(seasonMatch[3]!)
  const originalName = originalTitle.replace(/\s+(?:season|saison|staffel)\s+\d{1,2}$/i, '')
  const names = originalTitle ? { originalTitle: season ? originalName : originalTitle } : {}
  if (!seasonMatch || !season) return { title: chineseTitle, ...names }
  return { title: seasonMatch[1]!, type: 'tv', season, seasonName: seasonMatch[2]!, ...names }
}

/** Returns the value of digits, or of a Chinese number up to 99; null for any other text. */
function parseChineseNumber(text: string): number | null {
  if (/^\d+$/.test(text)) return Number(text)
  const match = /^([一二三四五六七八九])?(十)?([一二三四五六七八九])?$/u.exec(text)
  if (!match || text === '') return null
  const [tens = '', ten = '', ones = ''] = match.slice(1)
  const getDigit = (digit: string) => '一二三四五六七八九'.indexOf(digit) + 1
  if (!ten) return ones ? null : getDigit(tens)
  return (tens ? getDigit(tens) : 1) * 10 + (ones ? getDigit(ones) : 0)
}

/** Splits `Show - s01e02 - Episode` and `Show 1x02`. Returns null for a title without such a code. */
function splitEpisodeCode(title: string): ParsedTitleName | null {
  if (title.length > MAX_TITLE_LENGTH) return null
  const code = /[\s(.–-](?:s(\d{1,3})[\s.]?e(\d{1,4})|(\d{1,2})x(\d{2,3}))(?=$|[\s).:–-])/i.exec(title)
  const seriesTitle = code ? title.slice(0, code.index).replace(/[\s(:–-]+$/u, '') : ''
  if (!code || seriesTitle === '') return null
  const episodeTitle = title.slice(code.index + code[0].length).replace(/^[\s):–-]+/u, '')
  return {
    title: seriesTitle,
    season: Number(code[1] ?? code[3]),
    episode: Number(code[2] ?? code[4]),
    ...(episodeTitle && { episodeTitle }),
  }
}

/**
 * Splits `Show: Season 2: Episode`, as Netflix writes it. Returns null if the text may also be the title of a film.
 */
function splitSeasonLabel(title: string): ParsedTitleName | null {
  const [reading, ...otherReadings] = title.includes(':') ? parseNetflixTitle(title) : []
  return reading?.type === 'tv' && otherReadings.length === 0 ? reading : null
}

/** Parses a season and episode code, such as `S03E07`; null for any other text. */
export function parseEpisodeCode(text: string): { season: number; episode: number } | null {
  const code = /^s(\d{1,3})\s?[.x-]?\s?e(\d{1,4})$|^(\d{1,3})x(\d{1,4})$/i.exec(text)
  return code ? { season: Number(code[1] ?? code[3]), episode: Number(code[2] ?? code[4]) } : null
}

/**
 * Returns the season, the episode and their names; parts that the record does not have are absent. A cell can contain a
 * number, a label such as `Saison 2`, a code such as `S03E07`, or the title of an episode.
 */
function readSeasonAndEpisode(
  get: FieldReader,
  namedTitle: ParsedTitleName,
): Pick<TitleReading, 'season' | 'episode' | 'episodeTitle' | 'seasonName'> {
  const episodeText = get('episode')
  const episodeCode = parseEpisodeCode(episodeText)
  const seasonNumber = parseNumberCell(get('season'))
  const episodeNumber = parseNumberCell(episodeText)
  const isEpisodeTitle = episodeText !== '' && episodeNumber === undefined && !episodeCode
  return omitEmptyFields({
    season: seasonNumber ?? episodeCode?.season ?? namedTitle.season,
    episode: episodeNumber ?? episodeCode?.episode ?? namedTitle.episode,
    episodeTitle: namedTitle.episodeTitle ?? (isEpisodeTitle ? episodeText : undefined),
    seasonName: namedTitle.seasonName,
  })
}

const isZeroEpisode = ({ season = 0, episode = 0, ...names }: Partial<TitleReading>) =>
  season === 0 && episode === 0 && Object.keys(names).length === 0

/**
 * Returns the number in a cell, or in a label such as `Saison 2`; undefined for any other text. Spreadsheets also save
 * whole numbers as `2.0`. A number such as 12.5 is returned unchanged; the row is then reported as invalid.
 */
function parseNumberCell(text: string): number | undefined {
  if (/^-?\d{1,9}(?:[.,]\d{1,3})?$/.test(text)) return Number(text.replace(',', '.'))
  const label = text === '' || text.length > 100 ? null : parseSeasonLabel(text)
  return label?.number
}

/** Returns the valid ids of a record. An id may be part of a URL. */
function readIds(get: FieldReader, type: HistoryTitleType | undefined): ExternalIds {
  const url = `${get('url')} ${get('title').startsWith('=') ? get('title') : ''}`.slice(0, 3_000)
  const imdbText = get('imdb').slice(0, 300)
  const tmdbText = get('tmdb').slice(0, 300)
  const mediaSource = get('mediaSource').toLowerCase()
  const readMediaId = (source: string) => (mediaSource === source ? parseId(get('mediaId')) : undefined)
  const tmdbLinkMatch = /themoviedb\.org\/(movie|tv)\/(\d{1,9})/.exec(`${tmdbText} ${url}`)
  const isIdOfOtherType = tmdbLinkMatch !== null && type !== undefined && tmdbLinkMatch[1] !== type
  return omitEmptyFields({
    imdb:
      /tt\d{7,10}/.exec(imdbText)?.[0] ??
      (/^\d{1,10}$/.test(imdbText) && Number(imdbText) > 0 ? `tt${imdbText.padStart(7, '0')}` : undefined) ??
      /imdb\.com\/(?:[a-z]{2}\/)?title\/(tt\d{7,10})/.exec(url)?.[1],
    tmdb:
      parseId(tmdbText) ??
      readMediaId('tmdb') ??
      (isIdOfOtherType ? undefined : Number(tmdbLinkMatch?.[2]) || undefined),
    tvdb: parseId(get('tvdb')) ?? readMediaId('tvdb'),
    trakt: parseId(get('trakt')),
  })
}

const parseId = (text: string) => (/^\d{1,10}(?:\.0)?$/.test(text) ? Number(text) || undefined : undefined)
