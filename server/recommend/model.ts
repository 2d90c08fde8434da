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
  /** Popularity by key: the catalogue's, giving way to the crowd's own as profiles come. */
  readonly fame: Float32Array
  /** Weight of content in the kernel: full without a crowd, less the more profiles speak. */
  readonly contentWeight: number
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
  const fame = fameOf(content, crowd, columnOf)
  const contentWeight = (tuning.content * tuning.contentTrust) / (crowd.profiles + tuning.contentTrust)
  return { version, content, crowd, columnOf, fame, contentWeight, scratch }
}

/**
 * How far likeness in content carries towards a title: the square of its popularity. Of two titles equally like what
 * was liked the one that more people met is the likelier next one, however long the history; popularity itself fades.
 */
export const pull = (model: Pick<Model, 'fame'>, key: number): number =>
  Math.max(0, model.fame[key] ?? 0) ** 2

/**
 * The share of profiles that met a title, by its square root (half way between counting and ignoring how many more
 * met the first than the tenth), is put on the catalogue's scale: same mean over the crowd's titles. That few of many
 * profiles met a title is evidence too, so how much it counts is decided by the profiles, not by the meetings.
 */
function fameOf(content: Content, crowd: Crowd, columnOf: Int32Array): Float32Array {
  const trust = crowd.profiles / (crowd.profiles + tuning.trust)
  const fame = content.prior.slice()
  const known = [...crowd.keys.keys()].filter((column) => columnOf[crowd.keys[column]!] === column)
  const own = (column: number): number =>
    2 * Math.sqrt((crowd.colStart[column + 1]! - crowd.colStart[column]!) / crowd.profiles)
  let gap = 0
  for (const column of known) gap += (content.prior[crowd.keys[column]!]! - own(column)) / known.length
  for (const column of known) {
    const key = crowd.keys[column]!
    fame[key] = (1 - trust) * content.prior[key]! + trust * (own(column) + gap)
  }
  return fame
}
