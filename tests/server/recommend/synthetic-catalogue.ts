import { createSeededGenerator } from '../../../server/images/random.ts'
import { buildModel, type RecommendationModel } from '../../../server/recommend/model.ts'
import type { ProfileSignal, TrainingInteraction, TrainingTitle } from '../../../server/recommend/types.ts'

/** Returns a movie with default fields. The fields of `overrides` replace the default fields. */
export const createTitle = (titleKey: number, overrides: Partial<TrainingTitle> = {}): TrainingTitle => ({
  key: titleKey,
  type: 'movie',
  genres: [],
  keywords: [],
  cast: [],
  directors: [],
  crew: [],
  language: 'en',
  year: 2000,
  rating: 7,
  votes: 100,
  popularity: 1,
  kids: false,
  ...overrides,
})

const GENRES = [12, 16, 18, 27, 28, 35, 53, 80, 878, 10749, 10751]

/**
 * Returns a synthetic catalogue of movies and series. The keys of the titles have gaps.
 * About a fifth of the titles are safe for kids.
 */
export function createCatalogue(titleCount: number, seed = 1): TrainingTitle[] {
  const drawNumber = createSeededGenerator(seed)
  const drawIntegers = (maxCount: number, exclusiveMax: number): number[] =>
    Array.from({ length: 1 + Math.floor(drawNumber() * maxCount) }, () =>
      Math.floor(exclusiveMax * drawNumber() ** 2),
    )
  return Array.from({ length: titleCount }, (_, index) =>
    createTitle(index * 2 + (index % 3 === 0 ? 1 : 0), {
      type: index % 3 === 0 ? 'tv' : 'movie',
      genres: [...new Set(drawIntegers(3, GENRES.length))].map((index) => GENRES[index]!),
      keywords: drawIntegers(5, titleCount / 4).map((number) => `word ${number}`),
      cast: drawIntegers(6, titleCount / 2),
      directors: drawIntegers(1, titleCount / 8),
      crew: drawIntegers(3, titleCount / 4),
      language: drawNumber() < 0.7 ? 'en' : 'fr',
      year: 1950 + Math.floor(drawNumber() * 75),
      rating: 3 + drawNumber() * 6,
      votes: Math.floor(10 ** (drawNumber() * 5)),
      popularity: drawNumber() * 100,
      overviewTokens: drawIntegers(6, 300).map((number) => `token${number}`),
      kids: drawNumber() < 0.2,
    }),
  )
}

/** Returns 40 interactions per profile. Most interactions belong to titles at the start of `titles`. */
export function createInteractions(
  titles: readonly TrainingTitle[],
  profileCount: number,
  seed = 2,
): TrainingInteraction[] {
  const drawNumber = createSeededGenerator(seed)
  return Array.from({ length: profileCount * 40 }, (_, index) => ({
    profile: index % profileCount,
    titleKey: titles[Math.floor(titles.length * drawNumber() ** 3)]!.key,
    at: index,
    value: 0.1 + drawNumber(),
  }))
}

const SIGNAL_KINDS = ['liked', 'completed', 'watched', 'in_list', 'disliked'] as const

/** Returns the signals of one profile: `signalCount` signals of random kinds for titles, and signals for two genres. */
export function createProfileSignals(
  titles: readonly TrainingTitle[],
  signalCount: number,
  seed: number,
): ProfileSignal[] {
  const drawNumber = createSeededGenerator(seed)
  return [
    ...Array.from({ length: signalCount }, (_, index) => ({
      kind: SIGNAL_KINDS[Math.floor(drawNumber() * SIGNAL_KINDS.length)]!,
      titleKey: titles[Math.floor(drawNumber() * titles.length)]!.key,
      at: index * 1000,
    })),
    { kind: 'genre', genre: 35, at: 0 },
    { kind: 'genre', genre: 878, at: 0 },
  ]
}

export const catalogueTitles = createCatalogue(1200)
/** A model trained on titles and interactions. */
export const trainedModel: RecommendationModel = buildModel(
  catalogueTitles,
  createInteractions(catalogueTitles, 60),
  { version: 'trained' },
)
/** A model trained on titles only. */
export const contentOnlyModel: RecommendationModel = buildModel(catalogueTitles, [], {
  version: 'content-only',
})
export const allowEveryTitle = (): boolean => true
