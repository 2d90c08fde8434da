/**
 * Reads the titles of the demo catalogue as training data, and reads the judgements about similar titles.
 * A judgement states whether a title is a good or acceptable recommendation for viewers of another title.
 */
import { readFileSync } from 'node:fs'
import { toSortTitle } from '../../../server/queries/title-columns.ts'
import { extractOverviewWords } from '../../../server/recommend/overview-words.ts'
import type { TrainingTitle } from '../../../server/recommend/types.ts'
import { GUIDE_KEYS, getAgeOfRating, packGuide } from '../../../src/lib/rules/maturity.ts'
import { GUIDE_CATEGORIES } from '../../../src/lib/rules/parental-guide.ts'
import { type DemoTitleLine, readDemoLines } from '../importers/demo-lines.ts'

type DemoLine = DemoTitleLine & { rating: number; votes: number; keywords: string[] }
type MediaType = TrainingTitle['type']

export interface DemoTitle extends TrainingTitle {
  readonly title: string
}

/** Names that the demo catalogue uses for categories of `GUIDE_KEYS`, if they differ from the key. */
const DEMO_GUIDE_NAMES_BY_KEY: Partial<Record<(typeof GUIDE_KEYS)[number], string>> = {
  substances: 'alcohol',
  fright: 'frightening',
}

function getYear({ release_date, year, seasons }: DemoTitleLine): number {
  const firstSeason = seasons?.[0]
  return Number(String(release_date ?? year ?? firstSeason?.date ?? firstSeason?.year).slice(0, 4))
}

/** Returns the titles of the demo catalogue with the fields of training titles, in the order of the catalogue files. */
export function readDemoTitles(): DemoTitle[] {
  const personIdsByName = new Map<string, number>()
  const getPersonId = (name: string): number => {
    const id = personIdsByName.get(name) ?? personIdsByName.size + 1
    personIdsByName.set(name, id)
    return id
  }
  const isDirectorOrCreator = (job: string): boolean => job === 'Director' || job === 'Creator'
  const listCrewIds = (line: DemoLine, isIncluded: (job: string) => boolean): number[] =>
    line.crew.filter(([, job]) => isIncluded(job)).map(([name]) => getPersonId(name))
  return [...readDemoLines<DemoLine>('movies'), ...readDemoLines<DemoLine>('series')].map((line, index) => ({
    key: index + 1,
    type: line.type,
    title: line.title,
    name: toSortTitle(line.title),
    genres: line.genres,
    keywords: line.keywords,
    cast: line.cast.map(([name]) => getPersonId(name)),
    directors: listCrewIds(line, isDirectorOrCreator),
    crew: listCrewIds(line, (job) => !isDirectorOrCreator(job)),
    language: line.language,
    year: getYear(line),
    rating: line.rating,
    votes: line.votes,
    popularity: 0,
    overviewTokens: extractOverviewWords(line.overview['en'] ?? ''),
    kids: line.kids,
    age: line.rated ? getAgeOfRating(line.rated) : null,
    guide: packGuide(
      GUIDE_KEYS.flatMap((key, category) => {
        const severity = line.guide[DEMO_GUIDE_NAMES_BY_KEY[key] ?? key]
        return severity ? [{ category: GUIDE_CATEGORIES[category]!, severity }] : []
      }),
    ),
  }))
}

export interface JudgedTitle {
  readonly key: number
  readonly title: string
  readonly type: MediaType
  readonly goodKeys: ReadonlySet<number>
  readonly acceptableKeys: ReadonlySet<number>
  /** True for the half of the judgements with which the weights of the recommendation engine were tuned. */
  readonly isUsedForTuning: boolean
}

/**
 * Returns the judgements. Throws an Error if a name matches no title or several titles of the type.
 * A name that several titles share must contain the year, for example `DuckTales (2017)`.
 */
export function readJudgements(titles: readonly DemoTitle[]): JudgedTitle[] {
  const keysByName = new Map<string, number[]>()
  for (const { type, title, year, key } of titles)
    for (const name of [`${type} ${title}`, `${type} ${title} (${year})`])
      keysByName.set(name, [...(keysByName.get(name) ?? []), key])
  const titleKeysByGroup = new Map<string, number[]>()
  const findTitleKeys = (type: MediaType, name: string): number[] => {
    const keys = name.startsWith('@') ? titleKeysByGroup.get(name) : keysByName.get(`${type} ${name}`)
    if (!keys || (!name.startsWith('@') && keys.length > 1))
      throw new Error(`Judgements: not exactly one ${type} is called ${name}.`)
    return keys
  }
  const listKeys = (type: MediaType, names = ''): number[] =>
    names.split('; ').flatMap((name) => (name === '' ? [] : findTitleKeys(type, name)))
  const judgedTitles: JudgedTitle[] = []
  const lines = readFileSync(new URL('./similar-judgements.tsv', import.meta.url), 'utf8').split('\n')
  for (const line of lines) {
    const [typeOrGroup = '', nameOrType = '', goodNames, acceptableNames] = line.split('\t')
    if (typeOrGroup.startsWith('@'))
      titleKeysByGroup.set(typeOrGroup, listKeys(nameOrType as MediaType, goodNames))
    else if (nameOrType !== '') {
      const type = typeOrGroup as MediaType
      const [key = 0] = findTitleKeys(type, nameOrType)
      const goodKeys = new Set(listKeys(type, goodNames))
      const acceptableKeys = new Set(
        listKeys(type, acceptableNames).filter((otherKey) => !goodKeys.has(otherKey)),
      )
      judgedTitles.push({
        key,
        title: nameOrType,
        type,
        goodKeys,
        acceptableKeys,
        isUsedForTuning: judgedTitles.length % 2 === 0,
      })
    }
  }
  return judgedTitles
}

/**
 * Counts the good titles and the acceptable titles among `neighbours`, and returns the keys of the wrong titles.
 * A title without a judgement counts as wrong.
 */
export function countJudgements(
  judgedTitle: JudgedTitle,
  neighbours: readonly number[],
): { goodCount: number; acceptableCount: number; wrongKeys: number[] } {
  const goodCount = neighbours.filter((key) => judgedTitle.goodKeys.has(key)).length
  const wrongKeys = neighbours.filter(
    (key) => !judgedTitle.goodKeys.has(key) && !judgedTitle.acceptableKeys.has(key),
  )
  return {
    goodCount,
    acceptableCount: neighbours.length - goodCount - wrongKeys.length,
    wrongKeys,
  }
}
