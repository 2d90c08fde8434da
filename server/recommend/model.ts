import { buildContent } from './build-content.ts'
import { tuning } from './constants.ts'
import type { Content } from './content.ts'
import { buildCrowd, type Crowd, type CrowdOptions } from './crowd.ts'
import type { Interaction, Title } from './types.ts'

/** Everything serving needs. Reading it changes nothing but scratch space. */
export interface Model {
  /** Chosen by whoever built it; reasons and caches may quote it. */
  readonly version: string
  readonly content: Content
  readonly crowd: Crowd
  /** Title key -> column of the crowd, or -1. */
  readonly columnOf: Int32Array
  /** Popularity by key: the catalogue's, giving way to the crowd's own where many profiles met a title. */
  readonly fame: Float32Array
  /** Room for one request at a time: a request ends before the next begins. Zero between requests. */
  readonly scratch: { readonly features: Float64Array; readonly titles: Float32Array }
}

export interface BuildOptions {
  readonly version: string
  readonly crowd?: CrowdOptions
}

/** Learns a model. Linear in the titles; see `buildCrowd` for the interactions. Run it in a worker. */
export function buildModel(
  titles: Iterable<Title>,
  interactions: Iterable<Interaction>,
  options: BuildOptions,
): Model {
  return assemble(options.version, buildContent(titles), buildCrowd(interactions, options.crowd))
}

/** The same titles with what profiles did since: only the crowd is learnt again. */
export function refreshModel(
  model: Model,
  interactions: Iterable<Interaction>,
  options: BuildOptions,
): Model {
  return assemble(options.version, model.content, buildCrowd(interactions, options.crowd))
}

/** Puts the learnt parts together. */
export function assemble(version: string, content: Content, crowd: Crowd): Model {
  const columnOf = new Int32Array(content.size).fill(-1)
  crowd.keys.forEach((key, column) => {
    if (key < content.size && content.flags[key]) columnOf[key] = column
  })
  const scratch = {
    features: new Float64Array(content.weight.length),
    titles: new Float32Array(content.size),
  }
  return { version, content, crowd, columnOf, fame: fameOf(content, crowd, columnOf), scratch }
}

/** Support is put on the catalogue's scale (same mean over the crowd's titles) and trusted as it grows. */
function fameOf(content: Content, crowd: Crowd, columnOf: Int32Array): Float32Array {
  const fame = content.prior.slice()
  const known = [...crowd.keys.keys()].filter((column) => columnOf[crowd.keys[column]!] === column)
  const support = (column: number): number => crowd.colStart[column + 1]! - crowd.colStart[column]!
  const own = (column: number): number => 0.1 * Math.log1p(support(column))
  let gap = 0
  for (const column of known) gap += (content.prior[crowd.keys[column]!]! - own(column)) / known.length
  for (const column of known) {
    const key = crowd.keys[column]!
    const trust = support(column) / (support(column) + tuning.fameShrink)
    fame[key] = (1 - trust) * content.prior[key]! + trust * (own(column) + gap)
  }
  return fame
}
