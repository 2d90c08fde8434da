/**
 * Generates a synthetic catalogue of any size for benchmarks: invented titles in several scripts, Zipf-distributed
 * popularity, series with seasons, people and votes. Equal arguments give equal titles. Titles are streamed, so memory
 * use does not depend on `titleCount`.
 */
import { ar, de, en, es, fr, ja, ko, MOVIE_GENRE_IDS, ru, syllables, TV_GENRE_IDS } from './vocabulary.ts'

export type GeneratedTitle = {
  id: number
  type: 'movie' | 'tv'
  names: { lang: string; text: string; role: 'main' | 'original' | 'aka' }[]
  original_language: string
  /** ISO date. */
  release_date: string
  genre_ids: number[]
  /** 0 to 10, one decimal. */
  vote_average: number
  vote_count: number
  /** Zipf-distributed, at most 40,000. */
  popularity: number
  runtime_min: number
  safe_for_kids: boolean
  overview: string
  /** Person ids; `generatePersonName` returns their names. */
  cast: number[]
  /** Number of episodes per season; empty for a movie. */
  seasons: number[]
}

/** Returns a mulberry32 generator: equal seeds give equal sequences of numbers between 0 and 1 on every machine. */
export function createMulberry32(seed: number): () => number {
  let generatorState = seed >>> 0
  return () => {
    generatorState = (generatorState + 0x6d2b79f5) >>> 0
    let mixedState = generatorState
    mixedState = Math.imul(mixedState ^ (mixedState >>> 15), mixedState | 1)
    mixedState ^= mixedState + Math.imul(mixedState ^ (mixedState >>> 7), mixedState | 61)
    return ((mixedState ^ (mixedState >>> 14)) >>> 0) / 4294967296
  }
}

type Random = () => number
/** Picks a random item. Items with lower indices are more likely, like the frequent words of a real language. */
const pickSkewed = <T>(random: Random, items: readonly T[]): T =>
  items[Math.floor(random() ** 1.6 * items.length)] as T
const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Invents a word of two to four syllables. More than two million different words are possible. */
export function generateWord(random: Random): string {
  let generatedWord = pickSkewed(random, syllables.start)
  for (let remainingSyllables = Math.floor(random() * 3); remainingSyllables > 0; remainingSyllables -= 1)
    generatedWord += pickSkewed(random, syllables.middle)
  return generatedWord + pickSkewed(random, syllables.end)
}

/** Returns the name of person `id`. Given names repeat often, family names rarely. */
export function generatePersonName(id: number): string {
  const random = createMulberry32(id * 7919 + 13)
  const givenName = generateWord(createMulberry32(Math.floor(random() ** 2 * 4000)))
  return `${capitalise(givenName)} ${capitalise(generateWord(random))}`
}

const generatePhrase = (
  random: Random,
  { nouns, adjectives, connectors }: { nouns: string[]; adjectives: string[]; connectors: string[] },
) => {
  const randomForShape = random()
  if (randomForShape < 0.2) return pickSkewed(random, nouns)
  if (randomForShape < 0.55) return `${pickSkewed(random, adjectives)} ${pickSkewed(random, nouns)}`
  return `${pickSkewed(random, nouns)} ${pickSkewed(random, connectors)} ${pickSkewed(random, nouns)}`
}

function generateEnglishTitle(random: Random): string {
  const randomForShape = random()
  const createName = () => capitalise(generateWord(random))
  const pickNoun = () => capitalise(pickSkewed(random, en.nouns))
  const pickAdjective = () => capitalise(pickSkewed(random, en.adjectives))
  let title: string
  if (randomForShape < 0.16) title = `The ${pickAdjective()} ${pickNoun()}`
  else if (randomForShape < 0.3) title = `${createName()} ${pickSkewed(random, en.connectors)} ${pickNoun()}`
  else if (randomForShape < 0.42) title = createName()
  else if (randomForShape < 0.54) title = `${capitalise(pickSkewed(random, en.verbs))} ${createName()}`
  else if (randomForShape < 0.66) title = `${createName()}'s ${pickAdjective()} ${pickNoun()}`
  else if (randomForShape < 0.78)
    title = `The ${pickNoun()} ${pickSkewed(random, en.connectors)} ${createName()}`
  else if (randomForShape < 0.88)
    title = `${pickAdjective()} ${pickNoun()} ${pickSkewed(random, en.connectors)} ${capitalise(pickSkewed(random, en.places))}`
  else title = `${createName()}: ${pickAdjective()} ${pickNoun()}`
  const randomForSequel = random()
  if (randomForSequel < 0.04) return `${title} ${2 + Math.floor(random() * 3)}`
  return randomForSequel < 0.07
    ? `${title} ${pickSkewed(random, ['II', 'III', 'Part II', 'Returns', 'Forever'])}`
    : title
}

const vocabulariesByLanguage = { fr, es, de, ru, ja, ko, ar }
type ForeignLanguage = keyof typeof vocabulariesByLanguage
const foreignLanguages: ForeignLanguage[] = ['fr', 'es', 'ja', 'de', 'ko', 'ru', 'ar']

function generateForeignTitle(random: Random, lang: ForeignLanguage): string {
  const phrase = generatePhrase(random, vocabulariesByLanguage[lang])
  if (lang === 'ja')
    return random() < 0.5
      ? phrase.replaceAll(' ', '')
      : `${phrase.replaceAll(' ', '')}${Math.floor(random() * 900)}`
  const normalisedText = phrase.replace("' ", "'")
  return random() < 0.6
    ? `${capitalise(normalisedText)} ${capitalise(generateWord(random))}`
    : capitalise(normalisedText)
}

function generateTitleNames(random: Random, originalLanguage: string): GeneratedTitle['names'] {
  const titles: GeneratedTitle['names'] = [{ lang: 'en', text: generateEnglishTitle(random), role: 'main' }]
  if (originalLanguage !== 'en')
    titles.push({
      lang: originalLanguage,
      text: generateForeignTitle(random, originalLanguage as ForeignLanguage),
      role: 'original',
    })
  if (originalLanguage !== 'fr' && random() < 0.5)
    titles.push({ lang: 'fr', text: generateForeignTitle(random, 'fr'), role: 'aka' })
  if (originalLanguage !== 'ar' && random() < 0.4)
    titles.push({ lang: 'ar', text: generateForeignTitle(random, 'ar'), role: 'aka' })
  return titles
}

/** Yields `titleCount` titles: about four movies for each series. Popularity does not depend on the order of ids. */
export function* generateCatalogue({
  titleCount,
  seed,
}: {
  titleCount: number
  seed: number
}): Generator<GeneratedTitle> {
  const random = createMulberry32(seed)
  for (let id = 1; id <= titleCount; id += 1) {
    const type = random() < 0.8 ? 'movie' : 'tv'
    const originalLanguage = random() < 0.55 ? 'en' : pickSkewed(random, foreignLanguages)
    // Popularity falls with the rank as in Zipf's law (exponent 0.75). The rank is random, so no ranking has to be
    // stored.
    const rank = 1 + Math.floor(random() * titleCount)
    const popularity = Math.round((40_000 / rank ** 0.75) * 1000) / 1000
    const year = 2026 - Math.floor(random() ** 2 * 100)
    const day = 1 + Math.floor(random() * 28)
    const genrePool = type === 'movie' ? MOVIE_GENRE_IDS : TV_GENRE_IDS
    const genreIds = [
      ...new Set([
        pickSkewed(random, genrePool),
        pickSkewed(random, genrePool),
        pickSkewed(random, genrePool),
      ]),
    ]
    const castSize = 3 + Math.floor(random() * 8)
    const peopleCount = Math.max(10, Math.floor(titleCount * 0.6))
    yield {
      id,
      type,
      names: generateTitleNames(random, originalLanguage),
      original_language: originalLanguage,
      release_date: `${year}-${String(1 + Math.floor(random() * 12)).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
      genre_ids: genreIds,
      vote_average: Math.round((3 + (6 * (random() + random() + random())) / 3 + 0.5) * 10) / 10,
      vote_count: Math.floor(popularity),
      popularity,
      runtime_min: type === 'movie' ? 70 + Math.floor(random() * 90) : 20 + Math.floor(random() * 45),
      safe_for_kids: random() < 0.18,
      overview: `${capitalise(generatePhrase(random, en))}, ${generatePhrase(random, en)}: ${generateEnglishTitle(random)}.`,
      cast: [
        ...new Set(Array.from({ length: castSize }, () => 1 + Math.floor(random() ** 2.5 * peopleCount))),
      ],
      seasons:
        type === 'tv'
          ? Array.from({ length: 1 + Math.floor(random() ** 3 * 12) }, () => 6 + Math.floor(random() * 18))
          : [],
    }
  }
}
