import type { ProfileSignal, TrainingInteraction, TrainingTitle } from '../../server/recommend/types.ts'
import { readMovies, readOverviewTokens, toTrainingTitle } from './data.ts'
import { createSeededRandom } from './metrics.ts'

/**
 * Yields `titleCount` titles that resemble the real catalogue. Each title has the genres and the language of one real
 * movie, and keywords of this movie and of another one. Its people come from a pool that grows with the catalogue. The
 * numbers of votes have a long-tailed distribution.
 */
export function* generateTitles(titleCount: number): Generator<TrainingTitle> {
  const overviewTokens = readOverviewTokens()
  const realTitles = readMovies().map((movie) => toTrainingTitle(0, movie, overviewTokens.get(movie.id)))
  const nextRandom = createSeededRandom(3)
  const nameWords = readMovies()
    .slice(0, 997)
    .map((movie) => movie.title.toLowerCase().split(' ').at(-1) ?? 'film')
  const pickRandom = <T>(items: readonly T[]): T => items[Math.floor(nextRandom() * items.length)]!
  const peopleCount = Math.max(1000, Math.floor(titleCount / 3))
  const pickPersonId = (): number => Math.floor(peopleCount * nextRandom() ** 3)
  for (let titleKey = 0; titleKey < titleCount; titleKey++) {
    const templateTitle = pickRandom(realTitles)
    const keywordSource = pickRandom(realTitles)
    yield {
      key: titleKey,
      type: titleKey % 4 === 3 ? 'tv' : 'movie',
      name: `${nameWords[titleKey % 997]} ${nameWords[(titleKey * 7) % 991]}${titleKey % 5 === 0 ? ` ${2 + (titleKey % 3)}: the ${nameWords[titleKey % 89]}` : ''}`,
      genres: templateTitle.genres,
      keywords: [...templateTitle.keywords.slice(0, 5), ...keywordSource.keywords.slice(0, 2)],
      cast: Array.from({ length: Math.min(10, templateTitle.cast.length) }, pickPersonId),
      directors: templateTitle.directors.map(pickPersonId),
      crew: templateTitle.crew.slice(0, 4).map(pickPersonId),
      language: templateTitle.language,
      year: templateTitle.year,
      rating: templateTitle.rating,
      votes: Math.floor(10 ** (5 * nextRandom() ** 4)) - 1,
      popularity: templateTitle.popularity,
      overviewTokens: (templateTitle.overviewTokens ?? []).slice(0, 20),
      kids: templateTitle.kids,
      age: templateTitle.kids ? 7 : 13,
      guide: titleKey % 4096,
    }
  }
}

/**
 * Generates 50 to 349 interactions for each profile; popular titles are more likely, and each profile has one of 12
 * tastes.
 */
export function generateInteractions(titleCount: number, profileCount: number): TrainingInteraction[] {
  const nextRandom = createSeededRandom(5)
  return Array.from({ length: profileCount }, (_, profile) => {
    const tasteGroup = Math.floor(nextRandom() * 12)
    return Array.from({ length: 50 + Math.floor(nextRandom() * 300) }, (_, index) => {
      const popularKey = Math.floor(titleCount * nextRandom() ** 6)
      return {
        profile,
        titleKey: popularKey - (popularKey % 12) + (nextRandom() < 0.7 ? tasteGroup : popularKey % 12),
        at: index,
        value: nextRandom() + 0.2,
      }
    }).filter((interaction) => interaction.titleKey < titleCount)
  }).flat()
}

export function createSignals(interactions: readonly TrainingInteraction[]): ProfileSignal[] {
  const signalKinds = ['liked', 'completed', 'completed', 'watched', 'in_list', 'disliked'] as const
  return [
    ...interactions.map(({ titleKey, at }) => ({ kind: signalKinds[(titleKey + at) % 6]!, titleKey, at })),
    { kind: 'genre' as const, genre: 35, at: 0 },
    { kind: 'genre' as const, genre: 18, at: 0 },
  ]
}
