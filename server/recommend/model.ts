import { buildContent } from './build-content.ts'
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
  return { version, content, crowd, columnOf, scratch }
}
