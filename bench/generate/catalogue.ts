/**
 * A synthetic catalogue of any size for benches: invented titles in several scripts, Zipf popularity, series with seasons,
 * people, votes. The same arguments give the same titles for ever. Streams: memory does not grow with `titles`.
 */
import { ar, de, en, es, fr, genres, ja, ko, ru, syllables, tvGenres } from './vocabulary.ts'

export type GeneratedTitle = {
  id: number
  type: 'movie' | 'tv'
  titles: { lang: string; text: string; role: 'main' | 'original' | 'aka' }[]
  original_language: string
  /** ISO date. */
  release_date: string
  genre_ids: number[]
  /** 0 to 10, one decimal. */
  vote_average: number
  vote_count: number
  /** Zipf: the most popular title has about 40,000. */
  popularity: number
  runtime_min: number
  safe_for_kids: boolean
  overview: string
  /** Person ids with the names `personName` gives. */
  cast: number[]
  /** Episodes of each season; empty for a movie. */
  seasons: number[]
}

/** mulberry32: small, fast, the same on every machine. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

type Random = () => number
/** The lower the index, the likelier: words of a language are not used alike. */
const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() ** 1.6 * from.length)] as T
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** An invented word of two to four syllables; some ten million of them. */
export function inventedWord(random: Random): string {
  let word = pick(random, syllables.start)
  for (let n = Math.floor(random() * 3); n > 0; n -= 1) word += pick(random, syllables.middle)
  return word + pick(random, syllables.end)
}

/** The name of person `id`: given names repeat, family names mostly do not. */
export function personName(id: number): string {
  const random = randomFrom(id * 7919 + 13)
  const given = inventedWord(randomFrom(Math.floor(random() ** 2 * 4000)))
  return `${capital(given)} ${capital(inventedWord(random))}`
}

const phrase = (
  random: Random,
  { nouns, adjectives, joins }: { nouns: string[]; adjectives: string[]; joins: string[] },
) => {
  const shape = random()
  if (shape < 0.2) return pick(random, nouns)
  if (shape < 0.55) return `${pick(random, adjectives)} ${pick(random, nouns)}`
  return `${pick(random, nouns)} ${pick(random, joins)} ${pick(random, nouns)}`
}

function englishTitle(random: Random): string {
  const shape = random()
  const name = () => capital(inventedWord(random))
  const noun = () => capital(pick(random, en.nouns))
  const adjective = () => capital(pick(random, en.adjectives))
  let title: string
  if (shape < 0.16) title = `The ${adjective()} ${noun()}`
  else if (shape < 0.3) title = `${name()} ${pick(random, en.joins)} ${noun()}`
  else if (shape < 0.42) title = name()
  else if (shape < 0.54) title = `${capital(pick(random, en.verbs))} ${name()}`
  else if (shape < 0.66) title = `${name()}'s ${adjective()} ${noun()}`
  else if (shape < 0.78) title = `The ${noun()} ${pick(random, en.joins)} ${name()}`
  else if (shape < 0.88)
    title = `${adjective()} ${noun()} ${pick(random, en.joins)} ${capital(pick(random, en.places))}`
  else title = `${name()}: ${adjective()} ${noun()}`
  const sequel = random()
  if (sequel < 0.04) return `${title} ${2 + Math.floor(random() * 3)}`
  return sequel < 0.07 ? `${title} ${pick(random, ['II', 'III', 'Part II', 'Returns', 'Forever'])}` : title
}

const foreign = { fr, es, de, ru, ja, ko, ar }
type Foreign = keyof typeof foreign
const originals: Foreign[] = ['fr', 'es', 'ja', 'de', 'ko', 'ru', 'ar']

function foreignTitle(random: Random, lang: Foreign): string {
  const text = phrase(random, foreign[lang])
  if (lang === 'ja')
    return random() < 0.5
      ? text.replaceAll(' ', '')
      : `${text.replaceAll(' ', '')}${Math.floor(random() * 900)}`
  const spaced = text.replace("' ", "'")
  return random() < 0.6 ? `${capital(spaced)} ${capital(inventedWord(random))}` : capital(spaced)
}

function titlesOf(random: Random, original: string): GeneratedTitle['titles'] {
  const titles: GeneratedTitle['titles'] = [{ lang: 'en', text: englishTitle(random), role: 'main' }]
  if (original !== 'en')
    titles.push({ lang: original, text: foreignTitle(random, original as Foreign), role: 'original' })
  if (original !== 'fr' && random() < 0.5)
    titles.push({ lang: 'fr', text: foreignTitle(random, 'fr'), role: 'aka' })
  if (original !== 'ar' && random() < 0.4)
    titles.push({ lang: 'ar', text: foreignTitle(random, 'ar'), role: 'aka' })
  return titles
}

/** `titles` titles, four movies to one series; popularity does not follow the order of ids. */
export function* generateCatalogue({
  titles,
  seed,
}: {
  titles: number
  seed: number
}): Generator<GeneratedTitle> {
  const random = randomFrom(seed)
  for (let id = 1; id <= titles; id += 1) {
    const type = random() < 0.8 ? 'movie' : 'tv'
    const original = random() < 0.55 ? 'en' : pick(random, originals)
    // Zipf with exponent 1 over ranks: the rank is drawn, so nothing has to be kept.
    const rank = 1 + Math.floor(random() * titles)
    const popularity = Math.round((40_000 / rank ** 0.75) * 1000) / 1000
    const year = 2026 - Math.floor(random() ** 2 * 100)
    const day = 1 + Math.floor(random() * 28)
    const pool = type === 'movie' ? genres : tvGenres
    const genreIds = [...new Set([pick(random, pool), pick(random, pool), pick(random, pool)])]
    const castSize = 3 + Math.floor(random() * 8)
    const people = Math.max(10, Math.floor(titles * 0.6))
    yield {
      id,
      type,
      titles: titlesOf(random, original),
      original_language: original,
      release_date: `${year}-${String(1 + Math.floor(random() * 12)).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
      genre_ids: genreIds,
      vote_average: Math.round((3 + (6 * (random() + random() + random())) / 3 + 0.5) * 10) / 10,
      vote_count: Math.floor(popularity),
      popularity,
      runtime_min: type === 'movie' ? 70 + Math.floor(random() * 90) : 20 + Math.floor(random() * 45),
      safe_for_kids: random() < 0.18,
      overview: `${capital(phrase(random, en))}, ${phrase(random, en)}: ${englishTitle(random)}.`,
      cast: [...new Set(Array.from({ length: castSize }, () => 1 + Math.floor(random() ** 2.5 * people)))],
      seasons:
        type === 'tv'
          ? Array.from({ length: 1 + Math.floor(random() ** 3 * 12) }, () => 6 + Math.floor(random() * 18))
          : [],
    }
  }
}
