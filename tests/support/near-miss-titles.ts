/**
 * Generates rows of history files. Each row has a name that is equal or similar to the name of a title of the
 * catalogue, but the row means another title. The names differ by an article, a numeral or initials, or the years
 * differ by one or two. Other rows have another type (movie instead of series, or the reverse). The remaining rows
 * belong to pairs of catalogue titles with nearly the same name: the row means one title of the pair, and the other
 * title is the similar one. Matching a row to the similar title is always wrong.
 */
import type { HistoryRow, HistoryTitleType } from '../../server/importers/history/history-row.ts'
import type { MatchCandidate } from '../../server/importers/history/title-match.ts'
import { foldTitle } from '../../src/lib/rules/fold-title.ts'

export type NearMissKind = 'article' | 'numeral' | 'initials' | 'year' | 'type' | 'pair'

export interface NearMiss {
  kind: NearMissKind
  row: HistoryRow
  /** The title whose name is similar to the name of the row. The row must not be matched to this title. */
  nearTitle: MatchCandidate
  /** The title that the row means. Undefined if the catalogue does not contain that title. */
  meantTitle?: MatchCandidate
  /** True if the test has to remove the meant title from the catalogue before it matches the row. */
  shouldRemoveMeantTitle?: boolean
}

const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const ROMAN_NUMERALS = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X']
const LEADING_ARTICLE_PATTERN = /^(?:the|a|an|le|la|les|el|los|las|il|der|die|das|l['’])\s*(?=\S)/iu

/**
 * Returns at most `maxPerKind` near misses of each kind, spread evenly over the catalogue. The result is deterministic.
 */
export function generateNearMisses(catalogue: readonly MatchCandidate[], maxPerKind: number): NearMiss[] {
  const knownNames = new Set(catalogue.flatMap((title) => title.titles.map(removePunctuation)))
  const nearMisses = [
    ...catalogue.flatMap((title) => generateRenamedRows(title, knownNames)),
    ...generateOtherYears(catalogue),
    ...generateOtherTypes(catalogue),
    ...generatePairs(catalogue),
  ]
  return [...Map.groupBy(nearMisses, (nearMiss) => nearMiss.kind).values()].flatMap((sameKindNearMisses) =>
    sameKindNearMisses.filter((_, index) => index % Math.ceil(sameKindNearMisses.length / maxPerKind) === 0),
  )
}

const removePunctuation = (name: string) => (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')

/**
 * Returns the rows of one name in the forms of different services: with and without year, and with and without type.
 */
function createRows(title: string, type: HistoryTitleType, year: number | null | undefined): HistoryRow[] {
  const rows: HistoryRow[] = [
    { source: 'netflix', line: 2, kind: 'listed', ids: {}, title },
    { source: 'tvtime', line: 2, kind: 'watched', ids: {}, title, type },
  ]
  if (type === 'movie') rows.push({ source: 'netflix', line: 2, kind: 'watched', ids: {}, title })
  else
    rows.push({
      source: 'netflix',
      line: 2,
      kind: 'watched',
      ids: {},
      title,
      type,
      seasonName: 'Season 1',
      season: 1,
    })
  if (year) rows.push({ source: 'letterboxd', line: 2, kind: 'watched', ids: {}, title, type, year })
  if (year) rows.push({ source: 'imdb', line: 2, kind: 'listed', ids: {}, title, year })
  return rows
}

function generateRenamedRows(title: MatchCandidate, knownNames: ReadonlySet<string>): NearMiss[] {
  const [name = ''] = title.titles
  const changedNamesByKind: [NearMissKind, string[]][] = [
    ['article', listArticleVariants(name)],
    ['numeral', listNumeralVariants(name)],
    ['initials', listInitialsVariants(name)],
  ]
  return changedNamesByKind.flatMap(([kind, changedNamesOfKind]) =>
    changedNamesOfKind
      // A name that differs only in letter case or punctuation, or that another title of the catalogue has, is not a
      // near miss.
      .filter((changedName) => !knownNames.has(removePunctuation(changedName)))
      .flatMap((changedName) =>
        createRows(changedName, title.type, title.year).map((row) => ({ kind, row, nearTitle: title })),
      ),
  )
}

function listArticleVariants(name: string): string[] {
  const nameWithoutArticle = name.replace(LEADING_ARTICLE_PATTERN, '')
  return nameWithoutArticle === name ? [`The ${name}`, `A ${name}`, `La ${name}`] : [nameWithoutArticle]
}

/**
 * Returns the name with one numeral from one to ten written in another form: `III` and `3` become `Three`, and `Three`
 * becomes `3` and `III`. A Roman numeral becomes digits only if it is the whole name. In a longer name, both
 * forms are the same title, such as `Rocky II` and `Rocky 2`.
 */
function listNumeralVariants(name: string): string[] {
  const words = name.split(' ')
  return words.flatMap((word, index) => {
    const replaceWord = (replacement: string) => words.with(index, replacement).join(' ')
    const romanValue = word === 'I' && words.length > 1 ? -1 : ROMAN_NUMERALS.indexOf(word)
    const spelledValue = NUMBER_WORDS.indexOf(word.toLowerCase())
    const digitValue = /^\d+$/.test(word) ? Number(word) : -1
    if (romanValue > 0)
      return [
        replaceWord(capitalise(NUMBER_WORDS[romanValue]!)),
        ...(words.length === 1 ? [`${romanValue}`] : []),
      ]
    if (spelledValue > 0) return [replaceWord(`${spelledValue}`), replaceWord(ROMAN_NUMERALS[spelledValue]!)]
    if (digitValue > 0 && digitValue <= 10) return [replaceWord(capitalise(NUMBER_WORDS[digitValue]!))]
    return []
  })
}

const capitalise = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

/**
 * Adds initials to a short name, or removes the initials of a name. `Heat` becomes `L.H.E.A.T.` and `H.e.a.t`,
 * `Arrival` becomes `L. Arrival` and `A. Arrival`, and `L.A. Story` becomes `Story` and `A Story`.
 */
function listInitialsVariants(name: string): string[] {
  const nameWithoutInitials = name.replace(/^(?:\p{L}\.\s?)+/u, '').trim()
  if (nameWithoutInitials !== name) {
    const lastInitial = /(\p{L})\.[^.]*$/u.exec(name)?.[1] ?? ''
    return [nameWithoutInitials, `${lastInitial} ${nameWithoutInitials}`.trim()].filter(
      (changedName) => changedName !== '',
    )
  }
  if (/^\p{L}{1,4}$/u.test(name)) return [`L.${[...name.toUpperCase()].join('.')}.`, [...name].join('.')]
  return /^\p{Lu}/u.test(name) && name.length <= 12 ? [`L. ${name}`, `A. ${name}`] : []
}

/** Generates rows with a year in which the catalogue has no title of that name. */
function generateOtherYears(catalogue: readonly MatchCandidate[]): NearMiss[] {
  const createNameWithYear = (name: string, year: number) => `${foldTitle(name)} ${year}`
  const knownNamesWithYear = new Set(
    catalogue.flatMap(({ titles, year }) =>
      year ? titles.map((name) => createNameWithYear(name, year)) : [],
    ),
  )
  return catalogue.flatMap((title) => {
    const { year, type, titles } = title
    const [name = ''] = titles
    if (!year) return []
    return [year - 2, year - 1, year + 1, year + 2]
      .filter((otherYear) => !knownNamesWithYear.has(createNameWithYear(name, otherYear)))
      .flatMap((otherYear) => createRows(name, type, otherYear))
      .filter((row) => row.year !== undefined)
      .map((row): NearMiss => ({ kind: 'year', row, nearTitle: title }))
  })
}

/** Generates rows that give a title of the catalogue the other type, unless a title of that type has the same name. */
function generateOtherTypes(catalogue: readonly MatchCandidate[]): NearMiss[] {
  const titlesByType = Map.groupBy(catalogue, (title) => title.type)
  const foldNames = (type: HistoryTitleType) =>
    new Set((titlesByType.get(type) ?? []).flatMap((title) => title.titles.map(foldTitle)))
  const namesByType = { movie: foldNames('movie'), tv: foldNames('tv') }
  return catalogue.flatMap((title) => {
    const otherType = title.type === 'tv' ? 'movie' : 'tv'
    const [name = ''] = title.titles
    if (namesByType[otherType].has(foldTitle(name))) return []
    return createRows(name, otherType, title.year)
      .filter((row) => row.type !== undefined)
      .map((row): NearMiss => ({ kind: 'type', row, nearTitle: title }))
  })
}

/** Generates rows for one of two different titles whose folded names are equal. */
function generatePairs(catalogue: readonly MatchCandidate[]): NearMiss[] {
  const titlesByName = Map.groupBy(catalogue, (title) => foldTitle(title.titles[0] ?? ''))
  return [...titlesByName.values()].flatMap((titles) =>
    titles.flatMap((meantTitle) =>
      titles
        .filter((nearTitle) => nearTitle !== meantTitle && !isPerhapsSameTitle(meantTitle, nearTitle))
        .flatMap((nearTitle) =>
          createRows(meantTitle.titles[0] ?? '', meantTitle.type, meantTitle.year).flatMap(
            (row): NearMiss[] => {
              const pair: NearMiss = { kind: 'pair', row, nearTitle, meantTitle }
              // Without a year or a type, the row could equally mean the near title.
              const isRowUnambiguous =
                row.year !== undefined &&
                row.type !== undefined &&
                !(row.year === nearTitle.year && hasName(nearTitle, row.title))
              return isRowUnambiguous ? [pair, { ...pair, shouldRemoveMeantTitle: true }] : [pair]
            },
          ),
        ),
    ),
  )
}

const hasName = ({ titles }: MatchCandidate, name: string) =>
  titles.some((otherName) => removePunctuation(otherName) === removePunctuation(name))

/**
 * True if both records may mean one title. The shared catalogue contains some titles twice, with ids of different
 * sources.
 */
export function isPerhapsSameTitle(firstTitle: MatchCandidate, secondTitle: MatchCandidate): boolean {
  const hasDifferentId = (['imdb', 'tmdb', 'tvdb'] as const).some(
    (idKind) =>
      firstTitle.ids[idKind] !== undefined &&
      secondTitle.ids[idKind] !== undefined &&
      firstTitle.ids[idKind] !== secondTitle.ids[idKind],
  )
  const haveSameName = firstTitle.titles[0]?.toLowerCase() === secondTitle.titles[0]?.toLowerCase()
  return (
    firstTitle.type === secondTitle.type &&
    haveSameName &&
    (!hasDifferentId || firstTitle.year === secondTitle.year)
  )
}
