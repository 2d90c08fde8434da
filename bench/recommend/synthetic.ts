import type { ProfileSignal, TrainingInteraction, TrainingTitle } from '../../server/recommend/types.ts'
import { readFilms, readOverviewTokens, toEngineTitle } from './data.ts'
import { createSeededRandom } from './metrics.ts'

/**
 * Yields `count` titles that resemble the real catalogue: genres and language come from one real film, keywords from that
 * film and another, people from a pool that grows with the catalogue; votes have a long-tailed distribution.
 */
export function* generateTitles(count: number): Generator<TrainingTitle> {
  const overviewTokens = readOverviewTokens()
  const realTitles = readFilms().map((film) => toEngineTitle(0, film, overviewTokens.get(film.id)))
  const nextRandom = createSeededRandom(3)
  const nameWords = readFilms()
    .slice(0, 997)
    .map((film) => film.title.toLowerCase().split(' ').at(-1) ?? 'film')
  const pickRandom = <T>(items: readonly T[]): T => items[Math.floor(nextRandom() * items.length)]!
  const peopleCount = Math.max(1000, Math.floor(count / 3))
  const pickPersonId = (): number => Math.floor(peopleCount * nextRandom() ** 3)
  for (let key = 0; key < count; key++) {
    const template = pickRandom(realTitles)
    const keywordSource = pickRandom(realTitles)
    yield {
      key,
      type: key % 4 === 3 ? 'tv' : 'movie',
      name: `${nameWords[key % 997]} ${nameWords[(key * 7) % 991]}${key % 5 === 0 ? ` ${2 + (key % 3)}: the ${nameWords[key % 89]}` : ''}`,
      genres: template.genres,
      keywords: [...template.keywords.slice(0, 5), ...keywordSource.keywords.slice(0, 2)],
      cast: Array.from({ length: Math.min(10, template.cast.length) }, pickPersonId),
      directors: template.directors.map(pickPersonId),
      crew: template.crew.slice(0, 4).map(pickPersonId),
      language: template.language,
      year: template.year,
      rating: template.rating,
      votes: Math.floor(10 ** (5 * nextRandom() ** 4)) - 1,
      popularity: template.popularity,
      overviewTokens: (template.overviewTokens ?? []).slice(0, 20),
      kids: template.kids,
      age: template.kids ? 7 : 13,
      guide: key % 4096,
    }
  }
}

/**
 * Generates 50 to 350 interactions for each profile; popular titles are more likely, and each profile has one of 12
 * tastes.
 */
export function generateInteractions(count: number, profiles: number): TrainingInteraction[] {
  const nextRandom = createSeededRandom(5)
  return Array.from({ length: profiles }, (_, profile) => {
    const taste = Math.floor(nextRandom() * 12)
    return Array.from({ length: 50 + Math.floor(nextRandom() * 300) }, (_, index) => {
      const popularKey = Math.floor(count * nextRandom() ** 6)
      return {
        profile,
        titleKey: popularKey - (popularKey % 12) + (nextRandom() < 0.7 ? taste : popularKey % 12),
        at: index,
        value: nextRandom() + 0.2,
      }
    }).filter((interaction) => interaction.titleKey < count)
  }).flat()
}

export function createSignals(interactions: readonly TrainingInteraction[]): ProfileSignal[] {
  const kinds = ['liked', 'completed', 'completed', 'watched', 'in_list', 'disliked'] as const
  return [
    ...interactions.map(({ titleKey, at }) => ({ kind: kinds[(titleKey + at) % 6]!, titleKey, at })),
    { kind: 'genre' as const, genre: 35, at: 0 },
    { kind: 'genre' as const, genre: 18, at: 0 },
  ]
}
