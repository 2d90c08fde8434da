import { featureFamilyWeights, limits } from './constants.ts'
import type { Content } from './content.ts'
import { createGrowableArray } from './growable-array.ts'
import { createTitleColumns } from './title-columns.ts'
import { encodeLanguage } from './title-traits.ts'
import type { TrainingTitle } from './types.ts'

const familyIndex = Object.fromEntries(featureFamilyWeights.map(([name], index) => [name, index])) as Record<
  (typeof featureFamilyWeights)[number][0],
  number
>

/** Number of leading actors that count. Titles that share only an actor in a small role are not similar. */
const MAX_CAST = 6

type VisitFeature = (familyId: number, token: string | number) => void

/** Calls `visit` for every feature of a title. A feature may be visited more than once. */
function visitFeatures(title: TrainingTitle, visit: VisitFeature): void {
  const decade = title.year === null ? null : Math.floor(title.year / 10)
  for (const genre of title.genres) visit(familyIndex.genre, genre)
  for (const keyword of title.keywords) visit(familyIndex.keyword, keyword)
  for (let index = 0; index < title.cast.length && index < MAX_CAST; index++)
    visit(familyIndex.cast, title.cast[index]!)
  for (const person of title.directors) visit(familyIndex.director, person)
  for (const person of title.crew) visit(familyIndex.crew, person)
  if (title.language) visit(familyIndex.language, encodeLanguage(title.language))
  if (decade !== null) visit(familyIndex.decade, decade)
  // Combinations of genre, language and decade describe small groups of titles. So titles without keywords also share rare
  // features.
  if (title.language && decade !== null)
    for (const genre of title.genres)
      visit(familyIndex.niche, (genre * 1024 + encodeLanguage(title.language)) * 512 + decade)
  for (const word of title.overviewTokens ?? []) visit(familyIndex.word, word)
}

export interface ContentBuilder {
  add(title: TrainingTitle): void
  build(): Content
}

/** Builds the content features of all titles, in any order. Time and memory grow with the number of features. */
export function buildContent(titles: Iterable<TrainingTitle>): Content {
  const builder = createContentBuilder()
  for (const title of titles) builder.add(title)
  return builder.build()
}

/** Creates a builder for titles that arrive one at a time. */
export function createContentBuilder(): ContentBuilder {
  const idByFeature = new Map<string | number, number>()
  const featureFamilies = createGrowableArray()
  const titleKeys = createGrowableArray()
  const featureEnds = createGrowableArray()
  const featureIds = createGrowableArray(1 << 16)
  const columns = createTitleColumns()
  const genreByFeature = new Map<number, number>()
  return {
    add(title) {
      const firstFeature = featureIds.length
      visitFeatures(title, (familyId, token) => {
        const featureName = typeof token === 'number' ? token * 16 + familyId : `${familyId}:${token}`
        let featureId = idByFeature.get(featureName)
        if (featureId === undefined) {
          featureId = idByFeature.size
          idByFeature.set(featureName, featureId)
          featureFamilies.push(familyId)
          if (familyId === familyIndex.genre) genreByFeature.set(featureId, Number(token))
        }
        featureIds.push(featureId)
      })
      featureIds.view().subarray(firstFeature).sort()
      titleKeys.push(title.key)
      featureEnds.push(featureIds.length)
      columns.add(title)
    },
    build() {
      idByFeature.clear()
      const rawFeatures = {
        titleKeys: titleKeys.view(),
        featureEnds: featureEnds.view(),
        featureIds: featureIds.view(),
      }
      return assembleContent(
        rawFeatures,
        columns,
        selectFeatures(
          rawFeatures.featureIds,
          rawFeatures.featureEnds,
          featureFamilies.view(),
          genreByFeature,
        ),
      )
    },
  }
}

function assembleContent(
  rawFeatures: Pick<RawFeatures, 'titleKeys' | 'featureEnds' | 'featureIds'>,
  titleColumns: ReturnType<typeof createTitleColumns>,
  { newIds, genreIds, weight }: ReturnType<typeof selectFeatures>,
): Content {
  const size = rawFeatures.titleKeys.reduce((maxSize, key) => Math.max(maxSize, key + 1), 0)
  const columns = titleColumns.build(rawFeatures.titleKeys, size)
  const order = sortKeysByPrior(columns.flags, columns.prior)
  const rows = buildFeatureRows({ size, ...rawFeatures, newIds })
  const norm = computeInverseNorms(rows.start, rows.feats, weight)
  const content = { size, ...columns, order, genreIds, ...rows, weight, norm }
  return { ...content, ...buildPostings(order, rows, weight.length) }
}

function sortKeysByPrior(flags: Uint8Array, prior: Float32Array): Uint32Array<ArrayBuffer> {
  const presentKeys = createGrowableArray(Math.max(1, flags.length))
  for (let key = 0; key < flags.length; key++) if (flags[key]) presentKeys.push(key)
  return presentKeys.view().sort((a, b) => prior[b]! - prior[a]! || a - b)
}

/**
 * Assigns ids and weights to features. Features that only one title has are dropped, because they connect no titles. Genres
 * are always kept and come first.
 */
function selectFeatures(
  featureIds: Uint32Array,
  featureEnds: Uint32Array,
  featureFamilies: Uint32Array,
  genreByFeature: ReadonlyMap<number, number>,
) {
  const count = new Uint32Array(featureFamilies.length)
  let rowStart = 0
  for (const rowEnd of featureEnds) {
    for (let index = rowStart; index < rowEnd; index++)
      if (index === rowStart || featureIds[index] !== featureIds[index - 1]) count[featureIds[index]!]!++
    rowStart = rowEnd
  }
  const newIds = new Int32Array(featureFamilies.length).fill(-1)
  const genres = [...genreByFeature].sort((a, b) => a[1] - b[1])
  let nextId = 0
  for (const [featureId] of genres) newIds[featureId] = nextId++
  for (let featureId = 0; featureId < newIds.length; featureId++)
    if (count[featureId]! >= 2 && newIds[featureId] === -1) newIds[featureId] = nextId++
  const weight = new Float32Array(nextId)
  for (let featureId = 0; featureId < newIds.length; featureId++)
    if (newIds[featureId]! >= 0)
      weight[newIds[featureId]!] =
        featureFamilyWeights[featureFamilies[featureId]!]![1] *
        Math.log1p(featureEnds.length / Math.max(1, count[featureId]!))
  return { newIds, genreIds: Int32Array.from(genres, ([, genre]) => genre), weight }
}

interface RawFeatures {
  /** Largest title key plus 1, which is the length of arrays by title key. */
  readonly size: number
  readonly titleKeys: Uint32Array
  readonly featureEnds: Uint32Array
  readonly featureIds: Uint32Array
  readonly newIds: Int32Array
}

function buildFeatureRows({ size, titleKeys, featureEnds, featureIds, newIds }: RawFeatures) {
  const indexByKey = new Int32Array(size).fill(-1)
  titleKeys.forEach((key, index) => {
    indexByKey[key] = index
  })
  const start = new Uint32Array(size + 1)
  const featureList = createGrowableArray(Math.max(1, featureIds.length))
  for (let key = 0; key < size; key++) {
    const index = indexByKey[key]!
    if (index >= 0) {
      const rowStart = index ? featureEnds[index - 1]! : 0
      for (let rawIndex = rowStart; rawIndex < featureEnds[index]!; rawIndex++) {
        const featureId = newIds[featureIds[rawIndex]!]!
        if (featureId >= 0 && (rawIndex === rowStart || featureIds[rawIndex] !== featureIds[rawIndex - 1]))
          featureList.push(featureId)
      }
      featureList.view().subarray(start[key]!).sort()
    }
    start[key + 1] = featureList.length
  }
  return { start, feats: featureList.view().slice() }
}

function computeInverseNorms(
  start: Uint32Array,
  feats: Uint32Array,
  weight: Float32Array,
): Float32Array<ArrayBuffer> {
  const norm = new Float32Array(start.length - 1)
  for (let key = 0; key < norm.length; key++) {
    let sum = 0
    for (let index = start[key]!; index < start[key + 1]!; index++) sum += weight[feats[index]!]! ** 2
    norm[key] = sum > 0 ? 1 / Math.sqrt(sum) : 0
  }
  return norm
}

/** Builds the posting list of each feature: its titles in order of popularity, at most `limits.maxPostings`. */
function buildPostings(
  order: Uint32Array,
  rows: { start: Uint32Array; feats: Uint32Array },
  features: number,
) {
  const count = new Uint32Array(features)
  for (const featureId of rows.feats) if (count[featureId]! < limits.maxPostings) count[featureId]!++
  const postStart = new Uint32Array(features + 1)
  for (let featureId = 0; featureId < features; featureId++)
    postStart[featureId + 1] = postStart[featureId]! + count[featureId]!
  const post = new Uint32Array(postStart[features]!)
  const nextPosition = postStart.slice(0, features)
  for (const key of order)
    for (let featureIndex = rows.start[key]!; featureIndex < rows.start[key + 1]!; featureIndex++) {
      const featureId = rows.feats[featureIndex]!
      if (nextPosition[featureId]! < postStart[featureId + 1]!) post[nextPosition[featureId]!++] = key
    }
  return { postStart, post }
}
