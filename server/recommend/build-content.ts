import { featureFamilyWeights, limits } from './constants.ts'
import type { ContentModel } from './content.ts'
import { createGrowableArray } from './growable-array.ts'
import { createTitleColumns } from './title-columns.ts'
import { encodeLanguage } from './title-traits.ts'
import type { TrainingTitle } from './types.ts'

const featureFamilyIndexByName = Object.fromEntries(
  featureFamilyWeights.map(([name], index) => [name, index]),
) as Record<(typeof featureFamilyWeights)[number][0], number>

/**
 * Maximum number of actors of a title that become features: the first actors of `TrainingTitle.cast`. Actors in small
 * roles are left out, because they do not make titles similar.
 */
const MAX_CAST_MEMBERS = 6

type VisitFeature = (featureFamilyIndex: number, token: string | number) => void

/** Calls `visitFeature` for every feature of a title. A feature may be visited more than once. */
function visitFeatures(title: TrainingTitle, visitFeature: VisitFeature): void {
  const decade = title.year === null ? null : Math.floor(title.year / 10)
  for (const genre of title.genres) visitFeature(featureFamilyIndexByName.genre, genre)
  for (const keyword of title.keywords) visitFeature(featureFamilyIndexByName.keyword, keyword)
  for (let index = 0; index < title.cast.length && index < MAX_CAST_MEMBERS; index++)
    visitFeature(featureFamilyIndexByName.cast, title.cast[index]!)
  for (const person of title.directors) visitFeature(featureFamilyIndexByName.director, person)
  for (const person of title.crew) visitFeature(featureFamilyIndexByName.crew, person)
  if (title.language) visitFeature(featureFamilyIndexByName.language, encodeLanguage(title.language))
  if (decade !== null) visitFeature(featureFamilyIndexByName.decade, decade)
  // Each combination of genre, language and decade is a feature that few titles share. So titles without keywords have
  // rare features too.
  if (title.language && decade !== null)
    for (const genre of title.genres)
      visitFeature(
        featureFamilyIndexByName.niche,
        (genre * 1024 + encodeLanguage(title.language)) * 512 + decade,
      )
  for (const word of title.overviewTokens ?? []) visitFeature(featureFamilyIndexByName.word, word)
}

export interface ContentBuilder {
  add(title: TrainingTitle): void
  build(): ContentModel
}

/**
 * Builds the content features of all titles, which may be in any order. Time and memory grow with the number of
 * features.
 */
export function buildContent(titles: Iterable<TrainingTitle>): ContentModel {
  const builder = createContentBuilder()
  for (const title of titles) builder.add(title)
  return builder.build()
}

/** Creates a builder of content features, for titles that arrive one at a time. */
export function createContentBuilder(): ContentBuilder {
  const featureIdByKey = new Map<string | number, number>()
  const featureFamilyIndexes = createGrowableArray()
  const titleKeys = createGrowableArray()
  const featureEnds = createGrowableArray()
  const featureIds = createGrowableArray(1 << 16)
  const columns = createTitleColumns()
  const genreByFeature = new Map<number, number>()
  return {
    add(title) {
      const firstFeatureIndex = featureIds.length
      visitFeatures(title, (featureFamilyIndex, token) => {
        const featureKey =
          typeof token === 'number' ? token * 16 + featureFamilyIndex : `${featureFamilyIndex}:${token}`
        let featureId = featureIdByKey.get(featureKey)
        if (featureId === undefined) {
          featureId = featureIdByKey.size
          featureIdByKey.set(featureKey, featureId)
          featureFamilyIndexes.push(featureFamilyIndex)
          if (featureFamilyIndex === featureFamilyIndexByName.genre)
            genreByFeature.set(featureId, Number(token))
        }
        featureIds.push(featureId)
      })
      featureIds.getView().subarray(firstFeatureIndex).sort()
      titleKeys.push(title.key)
      featureEnds.push(featureIds.length)
      columns.add(title)
    },
    build() {
      featureIdByKey.clear()
      const rawFeatures = {
        titleKeys: titleKeys.getView(),
        featureEnds: featureEnds.getView(),
        featureIds: featureIds.getView(),
      }
      return assembleContent(
        rawFeatures,
        columns,
        selectFeatures(
          rawFeatures.featureIds,
          rawFeatures.featureEnds,
          featureFamilyIndexes.getView(),
          genreByFeature,
        ),
      )
    },
  }
}

function assembleContent(
  rawFeatures: Pick<RawFeatures, 'titleKeys' | 'featureEnds' | 'featureIds'>,
  titleColumns: ReturnType<typeof createTitleColumns>,
  { newFeatureIds, genreIds, featureWeights }: ReturnType<typeof selectFeatures>,
): ContentModel {
  const keyCount = rawFeatures.titleKeys.reduce((maxSize, titleKey) => Math.max(maxSize, titleKey + 1), 0)
  const columns = titleColumns.build(rawFeatures.titleKeys, keyCount)
  const keysByPrior = sortKeysByPrior(columns.flags, columns.prior)
  const featureRows = buildFeatureRows({ keyCount, ...rawFeatures, newFeatureIds })
  const inverseNorms = computeInverseNorms(featureRows.featureStarts, featureRows.featureIds, featureWeights)
  const content = {
    size: keyCount,
    ...columns,
    keysByPrior,
    genreIds,
    ...featureRows,
    featureWeights,
    inverseNorms,
  }
  return { ...content, ...buildPostings(keysByPrior, featureRows, featureWeights.length) }
}

function sortKeysByPrior(flags: Uint8Array, prior: Float32Array): Uint32Array<ArrayBuffer> {
  const presentKeys = createGrowableArray(Math.max(1, flags.length))
  for (let titleKey = 0; titleKey < flags.length; titleKey++) if (flags[titleKey]) presentKeys.push(titleKey)
  return presentKeys.getView().sort((a, b) => prior[b]! - prior[a]! || a - b)
}

/**
 * Assigns ids and weights to features. Features that only one title has are dropped, because they connect no titles.
 * Genres are always kept, and have the lowest ids.
 */
function selectFeatures(
  featureIds: Uint32Array,
  featureEnds: Uint32Array,
  featureFamilyIndexes: Uint32Array,
  genreByFeature: ReadonlyMap<number, number>,
) {
  const titleCountByFeature = new Uint32Array(featureFamilyIndexes.length)
  let rowStart = 0
  for (const rowEnd of featureEnds) {
    for (let index = rowStart; index < rowEnd; index++)
      if (index === rowStart || featureIds[index] !== featureIds[index - 1])
        titleCountByFeature[featureIds[index]!]!++
    rowStart = rowEnd
  }
  const newFeatureIds = new Int32Array(featureFamilyIndexes.length).fill(-1)
  const sortedGenreFeatures = [...genreByFeature].sort((a, b) => a[1] - b[1])
  let nextId = 0
  for (const [featureId] of sortedGenreFeatures) newFeatureIds[featureId] = nextId++
  for (let featureId = 0; featureId < newFeatureIds.length; featureId++)
    if (titleCountByFeature[featureId]! >= 2 && newFeatureIds[featureId] === -1)
      newFeatureIds[featureId] = nextId++
  const featureWeights = new Float32Array(nextId)
  for (let featureId = 0; featureId < newFeatureIds.length; featureId++)
    if (newFeatureIds[featureId]! >= 0)
      featureWeights[newFeatureIds[featureId]!] =
        featureFamilyWeights[featureFamilyIndexes[featureId]!]![1] *
        Math.log1p(featureEnds.length / Math.max(1, titleCountByFeature[featureId]!))
  return {
    newFeatureIds,
    genreIds: Int32Array.from(sortedGenreFeatures, ([, genre]) => genre),
    featureWeights,
  }
}

interface RawFeatures {
  /** Largest title key plus 1, which is the length of arrays by title key. */
  readonly keyCount: number
  readonly titleKeys: Uint32Array
  readonly featureEnds: Uint32Array
  readonly featureIds: Uint32Array
  readonly newFeatureIds: Int32Array
}

function buildFeatureRows({ keyCount, titleKeys, featureEnds, featureIds, newFeatureIds }: RawFeatures) {
  const rowIndexByTitleKey = new Int32Array(keyCount).fill(-1)
  titleKeys.forEach((titleKey, index) => {
    rowIndexByTitleKey[titleKey] = index
  })
  const featureStarts = new Uint32Array(keyCount + 1)
  const selectedFeatureIds = createGrowableArray(Math.max(1, featureIds.length))
  for (let titleKey = 0; titleKey < keyCount; titleKey++) {
    const index = rowIndexByTitleKey[titleKey]!
    if (index >= 0) {
      const rowStart = index ? featureEnds[index - 1]! : 0
      for (let rawFeatureIndex = rowStart; rawFeatureIndex < featureEnds[index]!; rawFeatureIndex++) {
        const featureId = newFeatureIds[featureIds[rawFeatureIndex]!]!
        if (
          featureId >= 0 &&
          (rawFeatureIndex === rowStart || featureIds[rawFeatureIndex] !== featureIds[rawFeatureIndex - 1])
        )
          selectedFeatureIds.push(featureId)
      }
      selectedFeatureIds.getView().subarray(featureStarts[titleKey]!).sort()
    }
    featureStarts[titleKey + 1] = selectedFeatureIds.length
  }
  return { featureStarts, featureIds: selectedFeatureIds.getView().slice() }
}

function computeInverseNorms(
  featureStarts: Uint32Array,
  featureIds: Uint32Array,
  featureWeights: Float32Array,
): Float32Array<ArrayBuffer> {
  const inverseNorms = new Float32Array(featureStarts.length - 1)
  for (let titleKey = 0; titleKey < inverseNorms.length; titleKey++) {
    let squaredSum = 0
    for (let index = featureStarts[titleKey]!; index < featureStarts[titleKey + 1]!; index++)
      squaredSum += featureWeights[featureIds[index]!]! ** 2
    inverseNorms[titleKey] = squaredSum > 0 ? 1 / Math.sqrt(squaredSum) : 0
  }
  return inverseNorms
}

/**
 * Builds the posting list of each feature: the keys of the titles with this feature, highest popularity prior first, at
 * most `limits.maxPostings` keys.
 */
function buildPostings(
  keysByPrior: Uint32Array,
  featureRows: { featureStarts: Uint32Array; featureIds: Uint32Array },
  featureCount: number,
) {
  const titleCountByFeature = new Uint32Array(featureCount)
  for (const featureId of featureRows.featureIds)
    if (titleCountByFeature[featureId]! < limits.maxPostings) titleCountByFeature[featureId]!++
  const postingStarts = new Uint32Array(featureCount + 1)
  for (let featureId = 0; featureId < featureCount; featureId++)
    postingStarts[featureId + 1] = postingStarts[featureId]! + titleCountByFeature[featureId]!
  const postingKeys = new Uint32Array(postingStarts[featureCount]!)
  const nextPosition = postingStarts.slice(0, featureCount)
  for (const titleKey of keysByPrior)
    for (
      let featureIndex = featureRows.featureStarts[titleKey]!;
      featureIndex < featureRows.featureStarts[titleKey + 1]!;
      featureIndex++
    ) {
      const featureId = featureRows.featureIds[featureIndex]!
      if (nextPosition[featureId]! < postingStarts[featureId + 1]!)
        postingKeys[nextPosition[featureId]!++] = titleKey
    }
  return { postingStarts, postingKeys }
}
