import { titleFlags } from './content.ts'
import { createFranchiseIndex } from './franchise.ts'
import { createGrowableArray } from './growable-array.ts'
import {
  GENRE_BIT_COUNT,
  getLanguageCode,
  LANGUAGE_CODE_COUNT,
  packGenres,
  packTraits,
} from './title-traits.ts'
import type { TrainingTitle } from './types.ts'

/**
 * Returns the popularity prior of a title: 0 without votes and popularity, and about 1.2 for 100,000 votes. Most of the
 * prior is the logarithm of the sum of votes and popularity. An average rating above 6.2 adds a little, and an average
 * rating below 6.2 subtracts a little. With few votes, the rating is shrunk towards 6.2.
 */
function computePopularityPrior(title: Pick<TrainingTitle, 'votes' | 'rating' | 'popularity'>): number {
  const votes = Math.max(0, title.votes)
  const shrunkRating = (votes * title.rating + 50 * 6.2) / (votes + 50)
  return 0.1 * Math.log1p(votes + Math.max(0, title.popularity)) + 0.02 * (shrunkRating - 6.2)
}

/** Creates a builder of the columns that have one number per title, for titles that arrive one at a time. */
export function createTitleColumns() {
  const flags: number[] = []
  const years: number[] = []
  const priors: number[] = []
  const genres = createGrowableArray()
  const traits = createGrowableArray()
  const franchiseIndex = createFranchiseIndex()
  return {
    add(title: TrainingTitle): void {
      flags.push(
        (title.type === 'movie' ? titleFlags.movie : titleFlags.tv) | (title.kids ? titleFlags.kids : 0),
      )
      years.push(title.year ?? 0)
      priors.push(computePopularityPrior(title))
      genres.push(packGenres(title.genres))
      traits.push(packTraits(title))
      franchiseIndex.add(title.name ?? '')
    },
    /** Returns the columns by title key. `titleKeys` contains the key of each title in the order of `add`. */
    build(titleKeys: Uint32Array, keyCount: number) {
      const columns = {
        flags: new Uint8Array(keyCount),
        year: new Int16Array(keyCount),
        prior: new Float32Array(keyCount),
        genres: new Uint32Array(keyCount),
        traits: new Uint32Array(keyCount),
        franchise: new Uint32Array(keyCount),
      }
      const [allGenres, allTraits, franchises] = [genres.getView(), traits.getView(), franchiseIndex.build()]
      titleKeys.forEach((titleKey, index) => {
        columns.flags[titleKey] = flags[index]!
        columns.year[titleKey] = years[index]!
        columns.prior[titleKey] = priors[index]!
        columns.genres[titleKey] = allGenres[index]!
        columns.traits[titleKey] = allTraits[index]!
        columns.franchise[titleKey] = franchises[index]!
      })
      return { ...columns, ...computeRarityWeights(allGenres, allTraits) }
    },
  }
}

/** Returns the weights of genre bits and of languages by their rarity. Weights of languages are from 0 to 1. */
function computeRarityWeights(genres: Uint32Array, traits: Uint32Array) {
  const titleCountByGenreBit = new Uint32Array(GENRE_BIT_COUNT)
  const titleCountByLanguage = new Uint32Array(LANGUAGE_CODE_COUNT)
  for (const packedGenres of genres)
    for (let bits = packedGenres; bits !== 0; bits &= bits - 1)
      titleCountByGenreBit[31 - Math.clz32(bits & -bits)]!++
  for (const packedTraits of traits) titleCountByLanguage[getLanguageCode(packedTraits)]!++
  const computeRarityWeight = (titleCount: number): number =>
    Math.log1p(genres.length / Math.max(1, titleCount))
  const languageWeight = Float32Array.from(
    titleCountByLanguage,
    (titleCount) => computeRarityWeight(titleCount) / Math.max(1, Math.log1p(genres.length)),
  )
  languageWeight[0] = 0
  return { genreWeight: Float32Array.from(titleCountByGenreBit, computeRarityWeight), languageWeight }
}
