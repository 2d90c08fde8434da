/** Extras such as trailers and samples, by the names of their files and folders. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import { parseEpisodeName } from './episode-name.ts'
import { splitFilePath } from './file-path.ts'
import { getFoldedTitle, hasId, hasIdOrCertainYear, hasSameTitle } from './named-title.ts'
import { parseQuality } from './quality.ts'
import { parseSeasonFolder } from './season-folder.ts'
import { isSubtitleFolder } from './subtitle-name.ts'
import { findTitleEnd, parseTitleName } from './title-name.ts'

const EXTRAS_FOLDER_PATTERN =
  /^(?:featurettes?|behind the scenes|deleted scenes|trailers?|samples?|backdrops|theme-music|(?:ال)?[إا]علانات)$/i
/** A folder of subtitles, or of episodes with subtitles, next to a folder "Dub". */
const SUBBED_FOLDER_PATTERN = /^sub$/i
/** Names of extras folders that are also used for collections ("Movies/Shorts") and for a series ("TV/Extras"). */
const AMBIGUOUS_EXTRAS_FOLDER_PATTERN = /^(?:extras?|interviews?|scenes|shorts|other)$/i
/** Further names of extras folders. Outside the folder of a title, they do not mark extras. */
const TITLE_EXTRAS_FOLDER_PATTERN =
  /^(?:bonus(?:es)?(?:[ ._-]?(?:features|dis[ck]|dvd|material))?|extras? \(\d{4}\)|proof|out-?takes?|deleted (?:and|&) extended scenes|special features|clips?|making[ ._-]of|bloopers?|gag reels?|promos?|bandes?[ ._-]annonces?|sc[eè]nes? coup[ée]es?|suppl[ée]ments?|كواليس)$/i
/** Words that show that a file is an extra: "Heat - Trailer 2". Titles rarely end with these words. */
const CLEAR_EXTRA_WORDS =
  'sample|(?:(?:official|theatrical|final|teaser) )*trailer|tr[aá]iler|teaser|bande annonce|featurettes?|behind ?the ?scenes|making of|(?:deleted|extended)(?: (?:and|&) (?:deleted|extended))? ?scenes?|scènes coupées|(?:bloopers?|gag reel|out ?takes?)(?: (?:and|&) (?:bloopers?|gag reel|out ?takes?))?|bêtisier|alternat(?:e|ive) endings?|трейлер|予告[編编]?|예고편|(?:ال)?[إا]علان(?: (?:ال)?(?:فيلم|مسلسل))?|برومو|كواليس'
/** Further words of extras. The title of a movie or an episode may also end with these words. */
const AMBIGUOUS_EXTRA_WORDS = 'interviews?|extras?|bonus|promo|recap'
/** Languages that may follow a word for extras: "Trailer German", "Trailer (VF)". */
const EXTRA_LANGUAGES =
  'vf|vo|vostfr|english|french|fran[cç]ais|german|deutsch|spanish|espa[nñ]ol|italian[oa]?|arabic'
const EXTRA_END_PATTERN_SOURCE = String.raw`(?: ?#?\d{1,2})?(?: [[(]?(?:${EXTRA_LANGUAGES})[\])]?)?(?: [[(]?(?:uhd|4k|hd|\d{3,4}p)[\])]?)?$`
/**
 * Matches a word for extras that follows a title and one of these: " - ", a year, a season or an opening square
 * bracket. "Season 1 Trailer" needs no title. The pattern is applied to a name in which dots, and dashes between
 * letters, were replaced with spaces.
 */
const EXTRA_AFTER_TITLE_PATTERN = new RegExp(
  `(?:\\S |^(?=season \\d))(?:(?:- |\\[|s\\d{1,2} (?:- )?|season \\d{1,2} (?:- )?)(?:${CLEAR_EXTRA_WORDS})\\]?|[[(]?(?:1[89]|20)\\d\\d[\\])]? (?:- )?(?:${CLEAR_EXTRA_WORDS}|${AMBIGUOUS_EXTRA_WORDS}))${EXTRA_END_PATTERN_SOURCE}`,
  'iu',
)
/** A name that is only a word for extras. It marks an extra only in the folder of a title or a season. */
const EXTRA_WITHOUT_TITLE_PATTERN = new RegExp(
  `^(?:${CLEAR_EXTRA_WORDS}|${AMBIGUOUS_EXTRA_WORDS})${EXTRA_END_PATTERN_SOURCE}`,
  'iu',
)
/** A name that starts with words for extras and continues with the title or the name of the extra. */
const EXTRA_BEFORE_NAME_PATTERN = /^(?:(?:the )?(?:making|behind the scenes) of |featurette - )/i
const EXTRA_WORD_PATTERN_SOURCE = `(?:${CLEAR_EXTRA_WORDS})${EXTRA_END_PATTERN_SOURCE}`
const EXTRA_WORD_AT_END_PATTERN = new RegExp(EXTRA_WORD_PATTERN_SOURCE, 'iu')
/** A word for extras after the title of the folder, without a separator: "Heat Trailer". */
const EXTRA_AFTER_FOLDER_TITLE_PATTERN = new RegExp(`^${EXTRA_WORD_PATTERN_SOURCE}`, 'iu')
/** Suffixes with which Plex and Jellyfin mark extras: "Heat-trailer". */
const EXTRA_SUFFIX_PATTERN =
  /(^|[-._])(sample|trailer|featurette|behindthescenes|deleted|deletedscene|interview|clip|scene|short|other|theme|teaser|extra|bande-annonce|making-of)\d?$/i
/**
 * Suffixes that always mark an extra when they follow a dot. The other suffixes can be the last word of a title, as in
 * "The.Interview" and "Get.Short".
 */
const CLEAR_DOT_SUFFIX_PATTERN = /^(?:sample|trailer|featurette|behindthescenes|deletedscene|teaser)$/i
/** Openings and endings of anime without the credits: "Show - NCOP1 (1080p)", "Show - Creditless Ending". */
const CREDITLESS_PATTERN =
  /(?:^|[ ._\-)\][])(?:nc(?:op|ed)|(?:creditless|textless|clean|nc)[ ._-]+(?:op|ed|openings?|endings?))[ ._-]*(?:\d{1,2}[a-z]?)?(?:v\d)?(?=[ ._-]*(?:$|[\][(-]))/i
/** Openings, endings and videos about the series, as anime release groups name them: "[Group] Show - PV1 [1080p]". */
const RELEASE_GROUP_EXTRA_PATTERN =
  /^\[[^\]]+\].*(?:[ _](?:(?:OP|ED|PV)[ _]?\d{1,2}[a-z]?|-[ _](?:OP|ED|PV|CM|Menu)[ _]?(?:\d{1,2}[a-z]?)?)(?:v\d)?[ _]*[[(]|\[(?:OP|ED|PV|CM|IV|Menu|Trailer|Teaser|Preview)[ _]?\d{0,2}\])/
const YEAR_IN_BRACKETS_PATTERN = /[([](?:1[89]|20)\d\d[)\]]/
const ARTICLE_AT_END_PATTERN = /(?:^|[-._ ])(?:the|an?|l[ae]|les|une?|der|die|das|el|los|las|il|lo)$/i
/**
 * Matches the name of a folder that contains an episode number, such as "Show.S01E02.1080p-GROUP". Release groups put
 * each episode into a folder of its own, and the files in it may have meaningless names.
 */
export const EPISODE_FOLDER_PATTERN = /(?<![\p{L}\d])s\d{1,2}e\d{1,3}(?!\d)/iu

/** True for trailers, samples and other extras, by the name of the file or its folder. `path` is relative. */
export function isExtraFile(path: string): boolean {
  const { folders, stem } = splitFilePath(path)
  return isInExtrasFolder(folders, stem) || isExtraName(stem, folders.at(-1) ?? '')
}

const isInExtrasFolder = (folders: string[], stem: string) =>
  folders.some(
    (folder, index) =>
      index > 0 &&
      (EXTRAS_FOLDER_PATTERN.test(folder) ||
        (isSubtitleFolder(folder) && !SUBBED_FOLDER_PATTERN.test(folder)) ||
        (TITLE_EXTRAS_FOLDER_PATTERN.test(folder) && isTitleFolder(folders[index - 1] ?? '')) ||
        (AMBIGUOUS_EXTRAS_FOLDER_PATTERN.test(folder) && !isCollectionOrSeries(folders, index, stem))),
  )

/**
 * True when the folder at `index`, such as "Shorts", is a collection or a series and not a folder of extras. Always
 * false when its parent folder is the folder of a title.
 * The folder is a collection if the file, or a folder below `index`, names another title than the parent folder. This
 * name needs an id, a year in brackets, or a year and a quality.
 * The folder is a series if the file is an episode, and the folder of its series is a folder below `index`. It is also
 * a series if it is itself the folder of that series, and contains a season folder or has the name of the series.
 */
function isCollectionOrSeries(folders: string[], index: number, stem: string): boolean {
  const parentName = folders[index - 1] ?? ''
  if (isTitleFolder(parentName)) return false
  const episode = parseEpisodeName(stem, null)
  if (episode) {
    const seriesFolders = folders.slice(index).filter((folder) => parseSeasonFolder(folder) === null)
    const seriesTitle = parseTitleName(episode.textBefore)
    const hasSeasonFolder = seriesFolders.length < folders.length - index
    const isNamedLikeFolder = getFoldedTitle(seriesTitle) === foldSearchText(folders[index] ?? '')
    return (
      isNamedLikeFolder ||
      seriesFolders.some(
        (folder, depth) =>
          (depth > 0 || hasSeasonFolder) && hasSameTitle(parseTitleName(folder), seriesTitle),
      )
    )
  }
  const parentTitle = parseTitleName(parentName)
  return [...folders.slice(index + 1), stem].some((name) => {
    const namedTitle = parseTitleName(name)
    const hasYearQualityOrId =
      YEAR_IN_BRACKETS_PATTERN.test(name) || parseQuality(name) !== null || hasId(namedTitle.ids)
    return hasYearQualityOrId && hasIdOrCertainYear(namedTitle) && !hasSameTitle(parentTitle, namedTitle)
  })
}

/** True for a folder name with a year or an id, as movies and series have, and for the name of a season folder. */
const isTitleFolder = (folderName: string) =>
  hasIdOrCertainYear(parseTitleName(folderName)) || parseSeasonFolder(folderName) !== null

/** True for "Movie-trailer", "Movie (1995) - Making of" and "sample", but not for a movie called "The Sample". */
const isExtraName = (stem: string, folderName: string) =>
  isSampleOfRelease(stem, folderName) ||
  hasExtraSuffix(stem, folderName) ||
  hasExtraPhrase(stem, folderName) ||
  isAnimeExtra(stem)

/** True for "sample-group.mkv" in the folder of a movie or an episode. */
const isSampleOfRelease = (stem: string, folderName: string) =>
  /^sample[-_.]/i.test(stem) &&
  (isTitleFolder(folderName) || EPISODE_FOLDER_PATTERN.test(folderName)) &&
  !hasSameTitle(parseTitleName(folderName), parseTitleName(stem))

/**
 * True for an opening or ending of anime without the credits, and for a video about the series. False for such a video
 * that is numbered as a special of the series: "Show S00E03 NCOP".
 */
const isAnimeExtra = (stem: string) =>
  (CREDITLESS_PATTERN.test(stem) || RELEASE_GROUP_EXTRA_PATTERN.test(stem)) && !/s\d+[ ._-]*e\d/i.test(stem)

/**
 * True if the name ends with a suffix of extras. The suffix must be the whole name, follow a dash, or follow a dot or
 * an underscore and not belong to the title.
 */
function hasExtraSuffix(stem: string, folderName: string): boolean {
  const suffixMatch = EXTRA_SUFFIX_PATTERN.exec(stem)
  if (!suffixMatch) return false
  const [, separator, word = ''] = suffixMatch
  const textBefore = stem.slice(0, suffixMatch.index)
  if (separator === '') return true
  if (ARTICLE_AT_END_PATTERN.test(textBefore)) return false
  if (separator === '-') return true
  if (parseEpisodeName(stem, null))
    return /^sample$/i.test(word) || (CLEAR_DOT_SUFFIX_PATTERN.test(word) && /[ex]\d+$/i.test(textBefore))
  const folderTitle = parseTitleName(folderName)
  return (
    CLEAR_DOT_SUFFIX_PATTERN.test(word) ||
    /(?:1[89]|20)\d\d[)\]]?$/.test(textBefore) ||
    (hasIdOrCertainYear(folderTitle) && hasSameTitle(folderTitle, parseTitleName(textBefore)))
  )
}

/** True for "Heat Trailer" in the folder of the movie "Heat (1995)". */
function isExtraOfFolderTitle(name: string, folderName: string): boolean {
  // Most names contain no such word. Parsing the folder for each of them would slow down the scan of a library.
  if (!EXTRA_WORD_AT_END_PATTERN.test(name)) return false
  const folderTitle = parseTitleName(folderName)
  const title = folderTitle.candidates[0]?.title ?? ''
  return (
    hasIdOrCertainYear(folderTitle) &&
    name.toLowerCase().startsWith(`${title.toLowerCase()} `) &&
    EXTRA_AFTER_FOLDER_TITLE_PATTERN.test(name.slice(title.length + 1))
  )
}

/** True if the name contains words of an extra, such as "Making of", that cannot belong to the title. */
function hasExtraPhrase(stem: string, folderName: string): boolean {
  const spacedName = stem.normalize('NFC').replace(/[._\s]+/g, ' ')
  const nameWithoutRelease = spacedName.slice(0, findTitleEnd(spacedName)).trim()
  const names = [spacedName, nameWithoutRelease, nameWithoutRelease.replace(/-\w+$/, '')].map((name) =>
    name.replace(/(?<=\p{L})-(?=\p{L})/gu, ' '),
  )
  const hasExtraWordAfterTitle = names.some(
    (name) => EXTRA_AFTER_TITLE_PATTERN.test(name) || isExtraOfFolderTitle(name, folderName),
  )
  const isExtraWordOnly = names.some((name) => EXTRA_WITHOUT_TITLE_PATTERN.test(name))
  const hasExtraWordFirst = names.some((name) => EXTRA_BEFORE_NAME_PATTERN.test(name))
  if (!hasExtraWordAfterTitle && !isExtraWordOnly && !hasExtraWordFirst) return false
  if (parseEpisodeName(stem, null)) return false
  if (hasExtraWordAfterTitle) return true
  const folderTitle = parseTitleName(folderName)
  const isExtraOfFolder = isExtraWordOnly ? isTitleFolder(folderName) : hasIdOrCertainYear(folderTitle)
  return isExtraOfFolder && !hasSameTitle(folderTitle, parseTitleName(stem))
}
