/** Patterns of the parts of file and folder names, in the conventions of Plex, Jellyfin, Kodi and release groups. */

/** An id in brackets, or without brackets after the name of the database and a hyphen or an equals sign: "{tmdb-603}",
 * "[tmdb603]", "tmdb-603", "imdb=tt0133093".
 */
export const TAGGED_ID_PATTERN =
  /[[{(]\s*(imdb|tmdb|tvdb|anidb)(?:id)?\s*[-=: ]?\s*([a-z]{0,2}\d+)\s*[\]})]|(?<![\p{L}\d])(imdb|tmdb|tvdb|anidb)(?:id)?[-=]([a-z]{0,2}\d+)(?![\p{L}\d])/giu
export const BARE_IMDB_ID_PATTERN = /(?<![a-z\d])[[{(]?(tt\d{7,10})[\]})]?(?![a-z\d])/i
export const EDITION_TAG_PATTERN = /\{edition-[^}]*\}/gi
/** Words that release groups add to the names of files. The title ends before the first of them. */
export const RELEASE_WORD_PATTERN =
  /(?<![\p{L}\d])(?:2160p|1440p|1080[pi]|720p|576[pi]|480[pi]|4k|uhd|blu-?ray|bd-?rip|br-?rip|bdremux|remux|web-?dl|web-?rip|web(?= [xh] ?26[45])|bd(?= \d{3,4}p)|(?:hd|sd|pd|sat|dsr)tv|tv-?rip|sat-?rip|vhs-?rip|hd-?rip|dvd-?rip|dvdscr|hd-?cam|(?:hq )?cam[ -]?rip|hd-?ts|telesync|dvd-?r|dvd[59]|full-?hd|fhd|hdr|3d(?= (?:h|half|full)?[ -]?(?:sbs|ou|tab)(?![\p{L}\d]))|hd-?light|4k-?light|[xh] ?26[45]|hevc|xvid|divx|av1|aac|e?ac3|dts|ddp?5 1|truehd|10 ?bit|hdr10|vost(?:fr|a)?|(?:true|sub)french|vf[foq2i]|h-?sbs|h-ou|مترجمة?|مدبلجة?|دوبله|زیرنویس)(?![\p{L}\d])/iu
/**
 * Languages and editions at the end of a title, before a year or a release word. They may also be words of the title,
 * as in "Piranha 3D".
 */
export const TAGS_AT_END_PATTERN =
  /(?:[ -]+[[(]?(?:french|multi\d?|vf|dubbed|3d|extended|unrated|uncut|remastered|proper|repack)[\])]?)+[ -]*$/i
/** Languages in the spelling of release groups, with capital letters, as alternatives of a regular expression. */
const CAPITAL_LANGUAGE_TAGS =
  'DL|GERMAN|i?TALiAN|ITALIAN|SPANISH|SPANiSH|LATINO|CASTELLANO|NORDiC|DUTCH|SWEDiSH|DANiSH|HINDI|KOREAN|JAPANESE|ARABIC'
/**
 * Further tags at the end of a title. They are often words of titles, so they are treated as tags only in the spelling
 * of release groups, with capital letters: "GERMAN DL", "iTALiAN", "AMZN".
 */
export const CAPITAL_TAGS_AT_END_PATTERN = new RegExp(
  `(?:[ -]+(?:(?:[Gg]erman|GERMAN)(?= +(?:DL|AC3))|${CAPITAL_LANGUAGE_TAGS}|LIMITED|LiMiTED|iNTERNAL|INTERNAL|HYBRID|AMZN|NF|DSNP|HMAX|ATVP|HULU|PCOK|PMTP))+[ -]*$`,
)
/**
 * Text after " - " that names a version or a copy of the same movie, or a complete series. Any other text may belong to
 * the title of another movie: "Avatar - The Way of Water", "Dune - Part 2".
 */
export const VERSION_PATTERN = new RegExp(
  [
    '^(?:the )?(?:',
    "(?:[\\p{L}\\d'’]+ ){0,2}(?:cut|edition|version|fassung)",
    '|version (?:longue|courte|originale|intégrale|restaurée|fran[cç]aise)|[fu]?hd|sd|hq|dvd|remaster',
    '|extended|theatrical|unrated|uncut|uncensored|remastered|restored|imax|open matte|criterion',
    '|black (?:and|&) white|3d|hdr|sdr|vo|vf|french|fran[cç]ais|english|arabic|multi|dubbed|subbed',
    '|مترجمة?|مدبلجة?',
    '|complete(?: series| collection)?|int[eé]grale|نسخة [\\p{L} ]+|cop(?:y|ie)|kopie',
    ')(?: ?\\(\\d{1,2}\\))?$',
  ].join(''),
  'iu',
)
/**
 * A version at the end of a title without a dash: "Blade Runner The Final Cut". These words may belong to the title, so
 * they are removed only from a name with a year.
 */
export const EDITION_AT_END_PATTERN =
  /(?<=\S) (?:the )?(?:(?:director'?s?|final|extended|special|ultimate|theatrical|unrated|uncut|collector'?s?|definitive|anniversary|international|complete|original|restored|remastered|\d+th) ){1,2}(?:cut|edition|version)$/i
/**
 * Languages and editions in front of the year, as release groups write them: "Heat.German.1995", "Heat.LEKTOR.PL.1995",
 * "Heat.IMAX.1995". They are often words of titles, so they are removed only from a name with a year.
 */
export const TAGS_BEFORE_YEAR_PATTERN = new RegExp(
  `(?<=\\S)(?:[ -]+(?:[Gg]erman|${CAPITAL_LANGUAGE_TAGS}|NORDIC|SWEDISH|DANISH|ENGLISH|FRENCH|RUSSIAN|POLISH|TURKISH|CHINESE|PORTUGUESE|PL|LEKTOR|NAPISY|DUBBING|DUBBED|SUBBED|DUAL|THEATRICAL|[Cc]riterion|CRITERION|IMAX|[Oo]pen [Mm]atte|OPEN MATTE))+[ -]*$`,
)
/** A year that sorts the movies of a folder and is repeated in brackets after the title: "1995 - Heat (1995)". */
export const REPEATED_YEAR_PATTERN = /^((?:1[89]|20)\d\d)[ _.]+-[ _.]+(?=\S.*[([]\1[)\]])/
/** A downloaded file that has plus signs in place of spaces: "Night+Harbour+(1995)". */
export const PLUS_FOR_SPACE_PATTERN = /^\S*\+[([](?:1[89]|20)\d\d[)\]]\S*$/
/** A second file extension, or the French abbreviations for dubbed and original versions, at the end of a name. */
export const NAME_END_PATTERN = /(?:\.(?:mkv|mp4|m4v))?(?:(?<=[\p{L}\d)\]])[ ._-]+(?:VF|VO))?$/u
/** The address of a site before the title: "www.example.org - Heat". */
export const SITE_ADDRESS_PATTERN = /^(?:www\.[\w-]+\.[a-z]{2,6}(?:\.[a-z]{2})?|\[\s*www\.[^\]]+\])\s*-+\s*/i
/** A year at the start of a name, which sorts the movies of a folder: "1999 - The Matrix", "1999 The Matrix". */
export const YEAR_FIRST_PATTERN = /^((?:1[89]|20)\d\d)(?:[ _]+-[ _]+|([ ._]+))(?=\S)/
/**
 * The number of a movie in its collection: "01 - Iron Man", "1. Iron Man", "[01] Iron Man", "James Bond - 03 -
 * Goldfinger", "James Bond 03 - Goldfinger".
 */
export const COLLECTION_NUMBER_PATTERN =
  /^(?:\[\d{1,2}\][\s_]+(?:-[\s_]+)?|0\d{1,2}[\s_]+(?:-[\s_]+)?|\d{1,3}(?:[\s_]*[.)]|[\s_]+-)[\s_]+|.*\p{L}.*?[\s_]+(?:-[\s_]+\d{1,2}|\d{2})[\s_]+-[\s_]+)(?=\S)/u
/**
 * Spaces that stand for apostrophes. Release names have dots in place of apostrophes, as in "L.Ete.d.Amelie" and
 * "Ocean.s.Eleven", and the dots were replaced with spaces.
 */
export const APOSTROPHE_SPACE_PATTERNS = [
  /(?<=(?:^|[ -])(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)) (?=[aeiouyhàâäéèêëîïôöûüœæ])/giu,
  /(?<=\p{L}) (?=(?:s|t|re|ve|ll)(?: |$))/giu,
]
/** German umlauts, which release names write as two letters: "Koenig", "Maerchen", "Fuer". */
export const UMLAUT_SPELLING_PATTERN = /([aou])e/gi
/** The Arabic word for movie, series or play before a title. Titles in the catalogue do not contain this word. */
export const KIND_BEFORE_TITLE_PATTERN = /^(?:فيلم|مسلسل|مسرحية) (?=\S)/
/** The range of seasons in the name of a folder with several seasons: "Show Name S01-S05", "Show Name Seasons 1-5". */
export const SEASON_RANGE_PATTERN =
  /[ ._,-]+[([]?(?:s\d{1,2} ?- ?s?\d{1,2}|(?:seasons?|saisons?)[ ._]\d{1,2} ?(?:-|to|à) ?\d{1,2})(?![\p{L}\d]).*$/iu
/**
 * Words after the name of a series, which may also belong to the title: "Show Name Complete Series", "Show Name (TV
 * Series)".
 */
export const COMPLETE_SERIES_PATTERN =
  /[ ,-]+(?:[([]?(?:(?:the )?(?:complete|full) (?:tv )?(?:series|seasons?|collection)|int[eé]grale)[)\]]?|[([](?:complete|tv|(?:tv )?(?:mini[ -]?)?series|tv show)[)\]])$/iu
export const COMPLETE_IN_CAPITALS_PATTERN = /[ ,-]+[([]?COMPLETE[)\]]?$/u
/** Words before the number of a movie in a series of movies, and their abbreviations. */
export const PART_WORD_PATTERN = /^(?:part|pt|volume|vol|chapter|episode)$/i
export const PART_WORD_SPELLINGS: Readonly<Record<string, string>> = {
  part: 'pt',
  pt: 'part',
  volume: 'vol',
  vol: 'volume',
}
export const BRACKETED_LEADING_YEAR_PATTERN = /^[([](1[89]\d\d|20\d\d)[)\]][ -]*(?=[^ -])/
export const YEAR_IN_BRACKETS_PATTERN = /[([](1[89]\d\d|20\d\d)(?:\s*[-–]\s*(?:\d{4})?\s*)?[)\]]/g
/** Words in brackets before the title, such as the quality in "[1080p] Heat". */
export const RELEASE_WORDS_FIRST_PATTERN = /^(?:[[(][^[\]()]*[\])][ -]*)+(?=[^ ])/
export const BARE_YEAR_PATTERN = /(?<![\p{L}\d])(1[89]\d\d|20\d\d)(?![\p{L}\d])/gu
export const TRAILING_ARTICLE_PATTERN = /^(.+), (the|a|an|le|la|les|l'|der|die|das|el|los|las|il|lo)$/i
