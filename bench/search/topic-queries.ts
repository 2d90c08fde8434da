/**
 * Generates queries by people, genres, keywords and episodes from the facts of a catalogue. No query is chosen by hand:
 * md5 hashes select the titles, people, keywords and years, and the facts decide which results are relevant.
 */
import { createHash } from 'node:crypto'
import { GENRE_NAMES_BY_ID } from '../../src/lib/rules/genres.ts'
import type { TitleFacts } from './corpora.ts'

export type TopicQuery = {
  querySet:
    | 'person'
    | 'person_title'
    | 'genre'
    | 'genre_year'
    | 'language_genre'
    | 'keyword'
    | 'network'
    | 'episode'
  query: string
  /**
   * Ids of the relevant results. `scoreTopicQuery` scores the first hit or the first ten hits, depending on the
   * set.
   */
  relevantIds: Set<string>
}

const computeMd5 = (text: string) => createHash('md5').update(text).digest()
/** Returns the half that a query belongs to. Search weights may be tuned on the half `dev` only. */
export const getQueryHalf = (query: TopicQuery): 'dev' | 'held' =>
  (computeMd5(`${query.querySet} ${query.query}`)[0] ?? 0) % 2 === 0 ? 'dev' : 'held'
/** Returns true for about one of `sampleInterval` texts, always for the same texts. */
const isSampled = (text: string, sampleInterval: number) => (computeMd5(text)[1] ?? 0) % sampleInterval === 0
const normaliseText = (text: string) => text.toLowerCase()

/** Makes one edit inside the family name: a letter is dropped, doubled or swapped with the next letter. */
export function misspellName(name: string): string {
  const nameWords = normaliseText(name).split(' ')
  const lastWord = nameWords.at(-1) ?? ''
  const hashBytes = computeMd5(name)
  const letterIndex = 1 + ((hashBytes[2] ?? 0) % Math.max(1, lastWord.length - 2))
  const misspeltWords = [
    lastWord.slice(0, letterIndex) + lastWord.slice(letterIndex + 1),
    lastWord.slice(0, letterIndex) + lastWord[letterIndex] + lastWord.slice(letterIndex),
    lastWord.slice(0, letterIndex) +
      (lastWord[letterIndex + 1] ?? '') +
      lastWord[letterIndex] +
      lastWord.slice(letterIndex + 2),
  ]
  return [
    ...nameWords.slice(0, -1),
    misspeltWords[(hashBytes[3] ?? 0) % misspeltWords.length] ?? lastWord,
  ].join(' ')
}

/** Groups the ids of titles by key. `getKeys` returns the keys of a title, such as its keywords. */
function groupIds(titles: readonly TitleFacts[], getKeys: (title: TitleFacts) => readonly string[]) {
  const idsByKey = new Map<string, Set<string>>()
  for (const title of titles)
    for (const groupKey of getKeys(title))
      idsByKey.set(groupKey, (idsByKey.get(groupKey) ?? new Set()).add(title.mediaId))
  return idsByKey
}

/**
 * Generates queries with the name of a person who directed or wrote at least two titles with 300 votes or more.
 * `findPeople` returns the ids of all people who have the given name.
 */
export function generatePersonQueries(
  titles: readonly TitleFacts[],
  findPeople: (name: string) => Set<string>,
  sampleInterval = 4,
): TopicQuery[] {
  const popularTitles = titles.filter((title) => title.votes >= 300)
  return [...groupIds(popularTitles, (title) => title.crew)]
    .filter(([name, ids]) => ids.size >= 2 && name.includes(' ') && isSampled(name, sampleInterval))
    .map(([name]) => ({
      querySet: 'person' as const,
      query: normaliseText(name),
      relevantIds: findPeople(name),
    }))
    .filter((query) => query.relevantIds.size > 0)
}

/**
 * Generates queries with the name of a title and the misspelt name of one of its three leading actors or of its
 * director.
 */
export function generatePersonTitleQueries(titles: readonly TitleFacts[], sampleInterval = 16): TopicQuery[] {
  const idsByName = groupIds(titles, (title) => [normaliseText(title.name)])
  return titles
    .filter((title) => title.votes >= 500 && isSampled(title.mediaId, sampleInterval))
    .flatMap((title) => {
      const personNames = [...title.cast.slice(0, 3), ...title.crew.slice(0, 1)].filter((name) =>
        /^[\p{L}.'-]+ [\p{L}'-]{5,}$/u.test(name),
      )
      const personName = personNames[(computeMd5(title.mediaId)[4] ?? 0) % Math.max(1, personNames.length)]
      const relevantIds = idsByName.get(normaliseText(title.name)) ?? new Set()
      return personName
        ? [
            {
              querySet: 'person_title' as const,
              query: `${normaliseText(title.name)} ${misspellName(personName)}`,
              relevantIds,
            },
          ]
        : []
    })
}

const LANGUAGE_ADJECTIVES: Record<string, string[]> = {
  ko: ['korean', 'coréen', 'كوري'],
  fr: ['french', 'français', 'فرنسي'],
  ja: ['japanese', 'japonais', 'ياباني'],
  es: ['spanish', 'espagnol', 'إسباني'],
  de: ['german', 'allemand', 'ألماني'],
  it: ['italian', 'italien', 'إيطالي'],
}

/** TMDB gives movies and series different ids for the same genre. A title with either id is relevant. */
const EQUIVALENT_GENRES = [
  ['28', '10759'],
  ['12', '10759'],
  ['878', '10765'],
  ['14', '10765'],
  ['10751', '10762'],
]
const hasGenre = (title: TitleFacts, genre: string) =>
  [genre, ...EQUIVALENT_GENRES.filter((genreGroup) => genreGroup.includes(genre)).flat()].some((id) =>
    title.genres.includes(id),
  )

/**
 * Generates queries with a genre alone, a genre and a year, and a genre and a language, in all languages of the
 * interface.
 */
export function generateGenreQueries(
  titles: readonly TitleFacts[],
  genreNames: Readonly<Record<string, readonly string[]>>,
): TopicQuery[] {
  const queries: TopicQuery[] = []
  const addQuery = (
    querySet: TopicQuery['querySet'],
    query: string,
    isRelevant: (title: TitleFacts) => boolean,
  ) => {
    const relevantIds = new Set(titles.filter(isRelevant).map((title) => title.mediaId))
    if (relevantIds.size > 0) queries.push({ querySet, query: normaliseText(query), relevantIds })
  }
  for (const [genre, namesOfGenre] of Object.entries(genreNames)) {
    if (!GENRE_NAMES_BY_ID[Number(genre)]) continue
    for (const [index, name] of namesOfGenre.entries()) {
      addQuery('genre', name, (title) => hasGenre(title, genre))
      const year = 1980 + ((computeMd5(`${genre} ${index}`)[0] ?? 0) % 40)
      addQuery('genre_year', `${name} ${year}`, (title) => hasGenre(title, genre) && title.year === year)
      for (const [language, adjectives] of Object.entries(LANGUAGE_ADJECTIVES))
        addQuery(
          'language_genre',
          index === 0 ? `${adjectives[index]} ${name}` : `${name} ${adjectives[index]}`,
          (title) => hasGenre(title, genre) && title.language === language,
        )
    }
  }
  return queries
}

/** Generates queries from keywords that at least three titles with 200 votes or more have. */
export function generateKeywordQueries(titles: readonly TitleFacts[], sampleInterval = 8): TopicQuery[] {
  const popularIdsByKeyword = groupIds(
    titles.filter((title) => title.votes >= 200),
    (title) => title.keywords,
  )
  const idsByKeyword = groupIds(titles, (title) => title.keywords)
  return [...popularIdsByKeyword]
    .filter(([keyword, ids]) => ids.size >= 3 && keyword.length > 3 && isSampled(keyword, sampleInterval))
    .map(([keyword]) => ({
      querySet: 'keyword' as const,
      query: keyword,
      relevantIds: idsByKeyword.get(keyword) ?? new Set(),
    }))
}

const EPISODE_QUERY_FORMATTERS = [
  (name: string) => `${name} season 2 episode 3`,
  (name: string) => `${name} s02e03`,
  (name: string) => `${name} S2 E3`,
  (name: string) => `${name} 2x03`,
  (name: string) => `${name} season two`,
  (name: string) => `${name} saison 2 épisode 3`,
  (name: string) => `${name} الموسم 2 الحلقة 3`,
]

/** Generates queries for a season or an episode of a series with 300 votes or more, in one of several forms. */
export function generateEpisodeQueries(titles: readonly TitleFacts[], sampleInterval = 4): TopicQuery[] {
  const series = titles.filter((title) => title.kind === 'tv')
  const idsByName = groupIds(series, (title) => [normaliseText(title.name)])
  return series
    .filter(
      (title) =>
        title.votes >= 300 && /[a-z]{3}/i.test(title.name) && isSampled(title.mediaId, sampleInterval),
    )
    .map((title) => {
      const formatEpisodeQuery =
        EPISODE_QUERY_FORMATTERS[(computeMd5(title.mediaId)[5] ?? 0) % EPISODE_QUERY_FORMATTERS.length]
      return {
        querySet: 'episode' as const,
        query: formatEpisodeQuery?.(normaliseText(title.name)) ?? title.name,
        relevantIds: idsByName.get(normaliseText(title.name)) ?? new Set(),
      }
    })
}

/**
 * Scores a query from 0 to 1. In the sets of people and episodes, the score is 1 if the first hit is
 * relevant. In the other sets, it is the number of relevant hits among the first ten, divided by the highest
 * possible number.
 */
export function scoreTopicQuery({ querySet, relevantIds }: TopicQuery, hits: readonly string[]): number {
  if (querySet === 'person' || querySet === 'person_title' || querySet === 'episode')
    return relevantIds.has(hits[0] ?? '') ? 1 : 0
  const foundCount = hits.slice(0, 10).filter((id) => relevantIds.has(id)).length
  return foundCount / Math.min(10, relevantIds.size)
}
