/** Reads title, year and ids from a file or folder name in the conventions of Plex, Jellyfin and Kodi. */
import { ENGLISH_NUMBERS, ROMAN_NUMERALS } from './number-words.ts'
import {
  APOSTROPHE_SPACE_PATTERNS,
  BARE_IMDB_ID_PATTERN,
  BARE_YEAR_PATTERN,
  BRACKETED_LEADING_YEAR_PATTERN,
  CAPITAL_TAGS_AT_END_PATTERN,
  COLLECTION_NUMBER_PATTERN,
  COMPLETE_IN_CAPITALS_PATTERN,
  COMPLETE_SERIES_PATTERN,
  EDITION_AT_END_PATTERN,
  EDITION_TAG_PATTERN,
  KIND_BEFORE_TITLE_PATTERN,
  NAME_END_PATTERN,
  PART_WORD_PATTERN,
  PART_WORD_SPELLINGS,
  PLUS_FOR_SPACE_PATTERN,
  RELEASE_WORD_PATTERN,
  RELEASE_WORDS_FIRST_PATTERN,
  REPEATED_YEAR_PATTERN,
  SEASON_RANGE_PATTERN,
  SITE_ADDRESS_PATTERN,
  TAGGED_ID_PATTERN,
  TAGS_AT_END_PATTERN,
  TAGS_BEFORE_YEAR_PATTERN,
  TRAILING_ARTICLE_PATTERN,
  UMLAUT_SPELLING_PATTERN,
  VERSION_PATTERN,
  YEAR_FIRST_PATTERN,
  YEAR_IN_BRACKETS_PATTERN,
} from './title-name-patterns.ts'

export interface TitleIds {
  imdb?: string
  tmdb?: number
  tvdb?: number
}
/** One interpretation of a name. `title` has the spelling of the name and is not folded. */
export interface TitleCandidate {
  title: string
  year: number | null
  /**
   * True if the title or the year is a guess, for example if words were left out that may belong to the title. Such a
   * candidate matches only a title of exactly this year.
   */
  isUncertain?: true
}
export interface NamedTitle {
  ids: TitleIds
  /**
   * The interpretations of the name, the most likely first. The list is never empty, but a title may be an empty
   * string.
   */
  candidates: TitleCandidate[]
}

/** Separates the ids from a name. Edition tags and ids of other databases are removed from the name. */
export function extractTitleIds(name: string): { ids: TitleIds; remainingName: string } {
  const ids: TitleIds = {}
  let remainingName = name.replace(TAGGED_ID_PATTERN, (_, ...groups: (string | undefined)[]) => {
    const databaseName = (groups[0] ?? groups[2] ?? '').toLowerCase()
    const taggedId = groups[1] ?? groups[3] ?? ''
    // The ids of IMDb begin with "tt", which some names leave out.
    if (databaseName === 'imdb' && /^(?:tt)?\d{7,10}$/i.test(taggedId))
      ids.imdb ??= `tt${taggedId.toLowerCase().replace('tt', '')}`
    if (databaseName === 'tmdb' && /^\d{1,9}$/.test(taggedId)) ids.tmdb ??= Number(taggedId)
    if (databaseName === 'tvdb' && /^\d{1,9}$/.test(taggedId)) ids.tvdb ??= Number(taggedId)
    return ' '
  })
  const bareMatch = BARE_IMDB_ID_PATTERN.exec(remainingName)
  if (bareMatch) {
    ids.imdb ??= bareMatch[1]?.toLowerCase() ?? ''
    remainingName = remainingName.replace(bareMatch[0], ' ')
  }
  return { ids, remainingName: remainingName.replace(EDITION_TAG_PATTERN, ' ') }
}

/**
 * Returns the candidate that names a title best: for a movie, the first one that is certain and has a year; for a
 * series, the first one that is certain; otherwise the first one.
 */
export function getMainCandidate({
  kind,
  candidates,
}: {
  kind: 'movie' | 'tv'
  candidates: readonly TitleCandidate[]
}): TitleCandidate | undefined {
  const bestCandidate = candidates.find(
    ({ year, isUncertain }) => !isUncertain && (kind === 'tv' || year !== null),
  )
  return bestCandidate ?? candidates[0]
}

/** Returns the ids and the interpretations of `name`, which has no file extension. */
export function parseTitleName(name: string): NamedTitle {
  const { ids, remainingName } = extractTitleIds(name)
  return { ids, candidates: parseTitleCandidates(remainingName) }
}

/**
 * Returns the candidate with apostrophes in place of the spaces that stand for them; empty if there are no such spaces.
 */
const restoreApostrophes = (candidate: TitleCandidate): TitleCandidate[] =>
  APOSTROPHE_SPACE_PATTERNS.map((pattern) => candidate.title.replace(pattern, "'"))
    .filter((title) => title !== candidate.title)
    .map((title) => ({ ...candidate, title }))

/** Replaces the characters that stand for spaces in the names of downloaded files: "Heat%20(1995)", "Heat+(1995)". */
function decodeSpaces(name: string): string {
  const decodedName = name.replaceAll('%20', ' ')
  return PLUS_FOR_SPACE_PATTERN.test(decodedName) ? decodedName.replaceAll('+', ' ') : decodedName
}

/**
 * Returns the interpretations of a name. Words before and after the title, such as the year in "1999 - The Matrix", may
 * belong to the title. So the whole name comes first.
 */
function parseTitleCandidates(nameWithSite: string): TitleCandidate[] {
  const name = decodeSpaces(nameWithSite)
    .replace(NAME_END_PATTERN, '')
    .replace(SITE_ADDRESS_PATTERN, '')
    .replace(REPEATED_YEAR_PATTERN, '')
    .replace(SEASON_RANGE_PATTERN, '')
  const writtenCandidates = parseWholeName(name).flatMap((candidate) => [
    candidate,
    ...removeWordsOfKind(candidate.title).map((title) => ({ ...candidate, title })),
  ])
  const candidates = [...writtenCandidates, ...writtenCandidates.flatMap(restoreApostrophes)]
  if (candidates.every(({ year }) => year === null)) {
    const [, yearText, spaceAfterYear] = YEAR_FIRST_PATTERN.exec(name) ?? []
    const year = Number(yearText)
    if (!(year <= getLatestYear())) return candidates
    const candidatesAfterYear = parseWholeName(name.replace(YEAR_FIRST_PATTERN, '')).filter(
      ({ title }) => RELEASE_WORD_PATTERN.exec(title)?.index !== 0 && !VERSION_PATTERN.test(title),
    )
    return [
      ...candidates,
      ...candidatesAfterYear.map(({ title }) => ({
        title,
        year,
        ...(spaceAfterYear && { isUncertain: true as const }),
      })),
    ]
  }
  const nameWithoutNumber = name.replace(COLLECTION_NUMBER_PATTERN, '')
  const candidatesWithoutNumber = nameWithoutNumber === name ? [] : parseWholeName(nameWithoutNumber)
  const shortCandidates = [
    ...candidatesWithoutNumber,
    ...[...candidates, ...candidatesWithoutNumber].flatMap(shortenTitle),
    ...candidates.map((candidate) => ({
      ...candidate,
      title: candidate.title.replace(UMLAUT_SPELLING_PATTERN, '$1'),
    })),
  ]
    .filter(({ year, title }) => year !== null && candidates.every((candidate) => candidate.title !== title))
    .map((candidate) => ({ ...candidate, isUncertain: true as const }))
  return [...candidates, ...shortCandidates, ...[...candidates, ...shortCandidates].flatMap(respellNumbers)]
}

/**
 * Returns the candidate with its number as a digit, as a Roman numeral and as a word: "Part 2", "Part II" and "Part
 * Two". Returns an empty list if the title has no number or no year. The candidates are uncertain (`isUncertain`), so
 * each matches only a title of exactly its year.
 */
function respellNumbers({ title, year }: TitleCandidate): TitleCandidate[] {
  const words = title.split(' ')
  const wordIndex = words.findIndex((word, index) => index > 0 && parseSmallNumber(word, index, words) > 0)
  if (year === null || wordIndex < 0) return []
  const number = parseSmallNumber(words[wordIndex] ?? '', wordIndex, words)
  const numberSpellings = [
    String(number),
    ROMAN_NUMERALS[number - 1] ?? '',
    ENGLISH_NUMBERS[number - 1] ?? '',
  ]
  const wordBefore = words[wordIndex - 1] ?? ''
  const wordSpellings = [wordBefore, PART_WORD_SPELLINGS[wordBefore.toLowerCase()] ?? wordBefore]
  return [...new Set(wordSpellings)]
    .flatMap((wordSpelling) =>
      numberSpellings.map((numberSpelling) =>
        words
          .with(wordIndex - 1, wordSpelling)
          .with(wordIndex, numberSpelling)
          .join(' '),
      ),
    )
    .filter((spelling) => spelling.toLowerCase() !== title.toLowerCase())
    .map((spelling) => ({ title: spelling, year, isUncertain: true }))
}

/**
 * Returns the number from 1 to 10 that a word of a title names; 0 for other words. Words and single letters name a
 * number only at the end of the title, or after a word such as "Part".
 */
function parseSmallNumber(word: string, index: number, words: readonly string[]): number {
  if (/^(?:[1-9]|10)$/.test(word)) return Number(word)
  const isNumberPosition = index === words.length - 1 || PART_WORD_PATTERN.test(words[index - 1] ?? '')
  const romanNumber = ROMAN_NUMERALS.indexOf(word.toLowerCase()) + 1
  if (romanNumber > 0) return word.length > 1 || isNumberPosition ? romanNumber : 0
  return isNumberPosition ? ENGLISH_NUMBERS.indexOf(word.toLowerCase()) + 1 : 0
}

/**
 * Returns the title without the words that only name its kind, such as "Complete Series"; empty if there are no such
 * words.
 */
function removeWordsOfKind(title: string): string[] {
  const shortTitle = [
    KIND_BEFORE_TITLE_PATTERN,
    COMPLETE_SERIES_PATTERN,
    COMPLETE_IN_CAPITALS_PATTERN,
  ].reduce((text, pattern) => text.replace(pattern, ''), title)
  return shortTitle === title || tidyTitle(shortTitle) === '' ? [] : [tidyTitle(shortTitle)]
}

/**
 * Returns shorter variants of a candidate: without a version, without words in brackets, and without words of release
 * names at the end of its title.
 */
function shortenTitle({ title, year }: TitleCandidate): TitleCandidate[] {
  const versionStartIndex = title.lastIndexOf(' - ')
  const hasVersion = versionStartIndex > 0 && VERSION_PATTERN.test(title.slice(versionStartIndex + 3))
  return [
    hasVersion ? title.slice(0, versionStartIndex) : title,
    title.replace(/ ?\([^()]*\)$/, ''),
    title.slice(0, findTitleEnd(title)),
    title.replace(EDITION_AT_END_PATTERN, ''),
    title.replace(CAPITAL_TAGS_AT_END_PATTERN, ''),
    title.replace(TAGS_BEFORE_YEAR_PATTERN, ''),
  ]
    .map(tidyTitle)
    .filter((shortTitle) => shortTitle !== title && shortTitle !== '')
    .map((shortTitle) => ({ title: shortTitle, year }))
}

/** Returns the latest year that can be the release year of a movie. */
const getLatestYear = () => new Date().getFullYear() + 2

function parseWholeName(name: string): TitleCandidate[] {
  const spacedName = removeReleaseWordsFirst(name.replace(/[._\s]+/g, ' ').trim())
  const bracketedYear = [...spacedName.matchAll(YEAR_IN_BRACKETS_PATTERN)]
    .filter((match) => match.index > 0)
    .at(-1)
  if (bracketedYear)
    return createTagVariants(spacedName.slice(0, bracketedYear.index), Number(bracketedYear[1]))
  const leadingYearMatch = BRACKETED_LEADING_YEAR_PATTERN.exec(spacedName)
  if (leadingYearMatch) {
    const nameAfterYear = spacedName.slice(leadingYearMatch[0].length)
    return createTagVariants(nameAfterYear.slice(0, findTitleEnd(nameAfterYear)), Number(leadingYearMatch[1]))
  }
  const titleEndIndex = findTitleEnd(spacedName)
  const fullTitle = spacedName.slice(0, titleEndIndex)
  const year = findLastYear(spacedName)
  if (year) {
    const candidatesBeforeYear = createTagVariants(
      spacedName.slice(0, Math.min(year.index, titleEndIndex)),
      year.value,
    )
    // In "Wonder Woman 1984", the number belongs to the title, so both interpretations are returned.
    return year.index < titleEndIndex && year.index + 4 >= fullTitle.trimEnd().length
      ? [...candidatesBeforeYear, ...createArticleVariants(fullTitle, null)]
      : candidatesBeforeYear
  }
  const titleCandidates =
    titleEndIndex < spacedName.length
      ? createTagVariants(fullTitle, null)
      : createArticleVariants(fullTitle, null)
  const versionStartIndex = fullTitle.lastIndexOf(' - ')
  return versionStartIndex > 0 && VERSION_PATTERN.test(fullTitle.slice(versionStartIndex + 3).trim())
    ? [...titleCandidates, ...createArticleVariants(fullTitle.slice(0, versionStartIndex), null)]
    : titleCandidates
}

/**
 * Returns the title with and without the tags at its end. The title without tags comes first if the tags are in capital
 * letters, as release groups write them, or if the whole title is in lower case. "3D" counts as a tag only if the name
 * has no year, because "3D" before a year is often a part of the title.
 */
function createTagVariants(rawTitle: string, year: number | null): TitleCandidate[] {
  const fullVariants = createArticleVariants(rawTitle, year)
  const tagMatch =
    TAGS_AT_END_PATTERN.exec(rawTitle) ?? (year === null ? CAPITAL_TAGS_AT_END_PATTERN.exec(rawTitle) : null)
  if (!tagMatch || tagMatch.index === 0) return fullVariants
  const shortVariants = createArticleVariants(rawTitle.slice(0, tagMatch.index), year)
  const isWrittenAsTag = /\p{Lu}{2}/u.test(tagMatch[0]) || rawTitle === rawTitle.toLowerCase()
  const isTag = /3d[ -]*$/i.test(tagMatch[0]) ? year === null : isWrittenAsTag
  return isTag ? [...shortVariants, ...fullVariants] : [...fullVariants, ...shortVariants]
}

/**
 * Returns the position at which the title ends: before the first word of release names, or before the brackets around
 * that word.
 */
export function findTitleEnd(spacedName: string): number {
  const releaseMatch = RELEASE_WORD_PATTERN.exec(spacedName)
  return releaseMatch && releaseMatch.index > 0
    ? findOpenBracket(spacedName, releaseMatch.index)
    : spacedName.length
}

function removeReleaseWordsFirst(spacedName: string): string {
  const wordsInBrackets = RELEASE_WORDS_FIRST_PATTERN.exec(spacedName)?.[0] ?? ''
  return RELEASE_WORD_PATTERN.test(wordsInBrackets) ? spacedName.slice(wordsInBrackets.length) : spacedName
}

/** Returns the position of the bracket that is open at `index`, as in "Heat [Dual Audio 1080p]"; otherwise `index`. */
function findOpenBracket(text: string, index: number): number {
  const bracketIndex = /[[({][^\])}]*$/.exec(text.slice(0, index))?.index ?? 0
  const textBefore = text.slice(0, bracketIndex).replace(/\[[^\]]*\]/g, '')
  return textBefore.trim() === '' ? index : bracketIndex
}

/**
 * Returns the last year in a name. Ignores a year at the start of the name, and years that are more than two years
 * ahead ("Blade Runner 2049").
 */
function findLastYear(spacedName: string): { index: number; value: number } | null {
  const yearMatch = [...spacedName.matchAll(BARE_YEAR_PATTERN)]
    .filter((match) => match.index > 0 && Number(match[1]) <= getLatestYear())
    .at(-1)
  return yearMatch
    ? { index: findOpenBracket(spacedName, yearMatch.index), value: Number(yearMatch[1]) }
    : null
}

function createArticleVariants(rawTitle: string, year: number | null): TitleCandidate[] {
  const title = tidyTitle(rawTitle)
  const articleMatch = TRAILING_ARTICLE_PATTERN.exec(title)
  return articleMatch
    ? [
        { title: `${articleMatch[2]}${articleMatch[2]?.endsWith("'") ? '' : ' '}${articleMatch[1]}`, year },
        { title, year },
      ]
    : [{ title, year }]
}

/** Removes bracketed release groups and punctuation at both ends. A title that is entirely in brackets is kept. */
function tidyTitle(rawTitle: string): string {
  const titleWithoutBrackets = rawTitle.replace(/\[[^\]]*\]|\{[^}]*\}/g, ' ')
  const usableTitle = titleWithoutBrackets.trim() === '' ? rawTitle : titleWithoutBrackets
  return usableTitle
    .replace(/[\s\-–—([{,:;]+$/u, '')
    .replace(/^[\s\-–—,:;]+/u, '')
    .replace(/\s+/g, ' ')
}
