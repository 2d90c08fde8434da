/** What a file of the library is, by its path alone: a movie, one or more episodes, or nothing that is played. */
import { fold } from '../../../src/lib/rules/fold.ts'
import { namedSeason, readEpisode, seasonOfFolder } from './episode-name.ts'
import { extensionOf } from './media-types.ts'
import { qualityInName } from './quality.ts'
import { type NamedTitle, type Reading, readTitleName, type TitleIds, takeIds } from './title-name.ts'

export interface Named extends NamedTitle {
  kind: 'movie' | 'tv'
  /** Of an episode; empty for a movie. */
  season: number
  episodes: number[]
  quality: string | null
  /** Folder whose `tvshow.nfo` (series) or `movie.nfo` may tell more; relative, empty for the root. */
  home: string
}

const EXTRAS_FOLDER =
  /^(?:extras?|featurettes?|behind the scenes|deleted scenes|interviews?|scenes|shorts|trailers?|samples?|other|backdrops|theme-music|subs|subtitles)$/i
const EXTRA_FILE =
  /(?:^|[-._ ])(?:sample|trailer|featurette|behindthescenes|deleted|deletedscene|interview|scene|short|other|theme|teaser|extra)\d?$/i
const GENERIC = /^(?:movie|video|film|feature|main|index|master|playlist|stream|video_ts|title\d*)$/i
const STREAM_FOLDER = /^(?:hls|stream|\d{3,4}p)$/i

/** `path` is relative, with `/`; throws nothing, answers null for extras and files without a name. */
export function classify(path: string): Named | null {
  const parts = path.split('/')
  const file = parts.pop() ?? ''
  let stem = file.slice(0, file.length - extensionOf(file).length - 1)
  if (parts.some((part, at) => at > 0 && EXTRAS_FOLDER.test(part)) || isExtra(stem)) return null
  while (STREAM_FOLDER.test(parts.at(-1) ?? '')) parts.pop()
  if (GENERIC.test(stem) && readEpisode(parts.at(-1) ?? '', null)) stem = parts.pop() ?? ''
  const quality = qualityInName(stem) ?? qualityInName(parts.at(-1) ?? '')
  return episode(parts, stem, quality) ?? movie(parts, stem, quality)
}

/** "Movie-trailer", "sample"; but a movie that is called "The Sample" stays one: a dash or nothing must come before. */
function isExtra(stem: string): boolean {
  const found = EXTRA_FILE.exec(stem)
  return found !== null && (found.index === 0 || '-.'.includes(stem[found.index] ?? ''))
}

function episode(parts: string[], stem: string, quality: string | null): Named | null {
  const folder = parts.at(-1) ?? ''
  const { ids: fileIds, rest } = takeIds(stem)
  const plain = seasonOfFolder(folder)
  const named = plain === null ? namedSeason(folder) : null
  const numbers = readEpisode(rest.trim(), plain ?? named?.season ?? null)
  if (!numbers) return null
  const { season, episodes } = numbers
  const place = { kind: 'tv' as const, season, episodes, quality }
  const prefix = readTitleName(numbers.before)
  if (plain !== null) {
    const home = parts.slice(0, -1)
    const show = readTitleName(home.at(-1) ?? '')
    return { ...place, ...either(show, home.length > 0, prefix), home: home.join('/') }
  }
  const show = named ? readTitleName(named.before) : readTitleName(folder)
  const ids = { ...fileIds, ...(named ? takeIds(folder).ids : show.ids) }
  if (named) {
    const above = readTitleName(parts.at(-2) ?? '')
    const same = sameTitle(above, show)
    const home = same ? parts.slice(0, -1) : parts
    return {
      ...place,
      ids: { ...ids, ...above.ids },
      readings: same ? above.readings : show.readings,
      home: home.join('/'),
    }
  }
  const trusted = hasId(show.ids) || sameTitle(show, prefix) || titleOf(prefix) === ''
  return {
    ...place,
    ids: trusted ? ids : fileIds,
    readings: (trusted && parts.length > 0 ? show : prefix).readings,
    home: parts.join('/'),
  }
}

/** The show's folder above its seasons wins; without one, what the file says. */
function either(folder: NamedTitle, present: boolean, file: NamedTitle): NamedTitle {
  return present && titleOf(folder) !== '' ? folder : file
}

function movie(parts: string[], stem: string, quality: string | null): Named | null {
  const file = readTitleName(stem)
  const folder = readTitleName(parts.at(-1) ?? '')
  const generic = GENERIC.test(stem.trim())
  const deep = parts.length > 1
  const folderTells = hasYear(folder) || hasId(folder.ids) || (generic && deep)
  const same = sameTitle(folder, file) || generic
  const readings = generic
    ? folderTells
      ? folder.readings
      : []
    : movieReadings(folder, file, folderTells, same)
  // A folder with an IMDb id is one film's; one of another data base may be a collection's.
  const near = folderTells && (same || !hasYear(file)) ? folder.ids : {}
  const ids: TitleIds = { ...near, ...(folder.ids.imdb && { imdb: folder.ids.imdb }), ...file.ids }
  if (readings.every((one) => fold(one.title) === '') && !hasId(ids)) return null
  return { kind: 'movie', season: 0, episodes: [], ids, readings, quality, home: parts.join('/') }
}

/** A year beats none; a file with its own year in a folder of another title is one of a collection. */
function movieReadings(folder: NamedTitle, file: NamedTitle, folderTells: boolean, same: boolean): Reading[] {
  if (!folderTells) return file.readings
  if (same && hasYear(folder)) return folder.readings
  return hasYear(file) ? file.readings : [...folder.readings, ...file.readings]
}

const hasYear = (one: NamedTitle) => one.readings.some((reading) => reading.year !== null)
const hasId = (ids: TitleIds) => ids.imdb !== undefined || ids.tmdb !== undefined
const titleOf = (one: NamedTitle) => fold(one.readings[0]?.title ?? '')

/** The same words, whatever the years; the longer one may go on ("Alien", "Alien Director's Cut"). */
function sameTitle(folder: NamedTitle, file: NamedTitle): boolean {
  const outer = titleOf(folder)
  return outer !== '' && (titleOf(file) === outer || titleOf(file).startsWith(`${outer} `))
}
