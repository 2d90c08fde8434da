import type { Interaction, Signal, Title } from '../../server/recommend/types.ts'
import { films, overviews, toTitle } from './data.ts'
import { random } from './metrics.ts'

/**
 * As many titles as wanted with the shape of the real catalogue: each takes genres and language from one real film,
 * keywords from that and another, its people from a pool that grows with the catalogue, votes with a long tail.
 */
export function* syntheticTitles(count: number): Generator<Title> {
  const words = overviews()
  const real = films().map((film) => toTitle(0, film, words.get(film.id)))
  const draw = random(3)
  const any = <T>(items: readonly T[]): T => items[Math.floor(draw() * items.length)]!
  const people = Math.max(1000, Math.floor(count / 3))
  const person = (): number => Math.floor(people * draw() ** 3)
  for (let key = 0; key < count; key++) {
    const one = any(real)
    const other = any(real)
    yield {
      key,
      type: key % 4 === 3 ? 'tv' : 'movie',
      genres: one.genres,
      keywords: [...one.keywords.slice(0, 5), ...other.keywords.slice(0, 2)],
      cast: Array.from({ length: Math.min(10, one.cast.length) }, person),
      directors: one.directors.map(person),
      crew: one.crew.slice(0, 4).map(person),
      language: one.language,
      year: one.year,
      rating: one.rating,
      votes: Math.floor(10 ** (5 * draw() ** 4)) - 1,
      popularity: one.popularity,
      overviewTokens: (one.overviewTokens ?? []).slice(0, 20),
      kids: one.kids,
    }
  }
}

/** What `profiles` profiles did: 50 to 350 titles each, the popular ones more often, in a few tastes. */
export function syntheticInteractions(count: number, profiles: number): Interaction[] {
  const draw = random(5)
  return Array.from({ length: profiles }, (_, profile) => {
    const taste = Math.floor(draw() * 12)
    return Array.from({ length: 50 + Math.floor(draw() * 300) }, (_, at) => {
      const near = Math.floor(count * draw() ** 6)
      return {
        profile,
        titleKey: near - (near % 12) + (draw() < 0.7 ? taste : near % 12),
        at,
        value: draw() + 0.2,
      }
    }).filter((one) => one.titleKey < count)
  }).flat()
}

export function syntheticSignals(met: readonly Interaction[]): Signal[] {
  const kinds = ['liked', 'completed', 'completed', 'watched', 'in_list', 'disliked'] as const
  return [
    ...met.map(({ titleKey, at }) => ({ kind: kinds[(titleKey + at) % 6]!, titleKey, at })),
    { kind: 'genre' as const, genre: 35, at: 0 },
    { kind: 'genre' as const, genre: 18, at: 0 },
  ]
}
