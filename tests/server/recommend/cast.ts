import { buildModel, type RecommendationModel } from '../../../server/recommend/model.ts'
import type { ProfileSignal, TrainingInteraction, TrainingTitle } from '../../../server/recommend/types.ts'

/** A generator with a seed, so that a failing case can be run again. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const title = (key: number, facts: Partial<TrainingTitle> = {}): TrainingTitle => ({
  key,
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
  ...facts,
})

const genres = [12, 16, 18, 27, 28, 35, 53, 80, 878, 10749, 10751]

/** A made-up catalogue: keys with gaps, movies and series, a fifth safe for kids. */
export function catalogue(count: number, seed = 1): TrainingTitle[] {
  const draw = random(seed)
  const some = (most: number, of: number): number[] =>
    Array.from({ length: 1 + Math.floor(draw() * most) }, () => Math.floor(of * draw() ** 2))
  return Array.from({ length: count }, (_, at) =>
    title(at * 2 + (at % 3 === 0 ? 1 : 0), {
      type: at % 3 === 0 ? 'tv' : 'movie',
      genres: [...new Set(some(3, genres.length))].map((n) => genres[n]!),
      keywords: some(5, count / 4).map((n) => `word ${n}`),
      cast: some(6, count / 2),
      directors: some(1, count / 8),
      crew: some(3, count / 4),
      language: draw() < 0.7 ? 'en' : 'fr',
      year: 1950 + Math.floor(draw() * 75),
      rating: 3 + draw() * 6,
      votes: Math.floor(10 ** (draw() * 5)),
      popularity: draw() * 100,
      overviewTokens: some(6, 300).map((n) => `token${n}`),
      kids: draw() < 0.2,
    }),
  )
}

export function meetings(
  titles: readonly TrainingTitle[],
  profiles: number,
  seed = 2,
): TrainingInteraction[] {
  const draw = random(seed)
  return Array.from({ length: profiles * 40 }, (_, at) => ({
    profile: at % profiles,
    titleKey: titles[Math.floor(titles.length * draw() ** 3)]!.key,
    at,
    value: 0.1 + draw(),
  }))
}

const kinds = ['liked', 'completed', 'watched', 'in_list', 'disliked'] as const

/** What one profile said: `count` titles of every kind and two genres. */
export function said(titles: readonly TrainingTitle[], count: number, seed: number): ProfileSignal[] {
  const draw = random(seed)
  return [
    ...Array.from({ length: count }, (_, at) => ({
      kind: kinds[Math.floor(draw() * kinds.length)]!,
      titleKey: titles[Math.floor(draw() * titles.length)]!.key,
      at: at * 1000,
    })),
    { kind: 'genre', genre: 35, at: 0 },
    { kind: 'genre', genre: 878, at: 0 },
  ]
}

export const titles = catalogue(1200)
export const crowded: RecommendationModel = buildModel(titles, meetings(titles, 60), { version: 'crowded' })
export const lonely: RecommendationModel = buildModel(titles, [], { version: 'lonely' })
export const everything = (): boolean => true
