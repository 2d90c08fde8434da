/**
 * Merges replies into displayed data. When reads are requested again, for example after a change of My List, the
 * displayed titles and rows therefore keep their positions. The order of the new reply applies at the next visit of the
 * page. Titles that the reply does not contain disappear at once. query.ts loads this module with the first read that
 * is requested again.
 */
import { listNewestLibraryTitles } from '../contract/availability.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'
import * as recommend from '../contract/recommendations.ts'
import { keepCardPositions, keepRowPositions } from '../rules/keep-positions.ts'

/**
 * By endpoint, the function that combines a new reply with the replies that were displayed before (`displayedReplies`,
 * newest last). Without a function, the new reply replaces the displayed data.
 */
export const replyMerges = new Map<Endpoint, (displayedReplies: never, reply: never) => unknown>()

const registerReplyMerge = <E extends Endpoint>(
  endpoint: E,
  mergeReply: (displayedReplies: readonly ReplyOf<E>[], reply: ReplyOf<E>) => ReplyOf<E>,
) => replyMerges.set(endpoint, mergeReply)

registerReplyMerge(catalogue.listFeaturedMovies, keepCardPositions)
registerReplyMerge(catalogue.listFeaturedSeries, keepCardPositions)
registerReplyMerge(listNewestLibraryTitles, keepCardPositions)
registerReplyMerge(recommend.listTopPicks, keepCardPositions)
registerReplyMerge(recommend.listSimilarTitles, keepCardPositions)
registerReplyMerge(recommend.listTopGenreRows, (displayedReplies, reply) => ({
  results: keepRowPositions(
    displayedReplies.map(({ results }) => results),
    reply.results,
    ({ genre }) => genre.id,
  ),
}))
registerReplyMerge(recommend.listBecauseRows, (displayedReplies, reply) => {
  const displayedVersions = displayedReplies.map(({ results }) => results)
  // An additional row would push the rows below it down, so additional rows appear only at the next visit.
  const maxRowCount = Math.max(...displayedVersions.map(({ length }) => length))
  const mergedRows = keepRowPositions(displayedVersions, reply.results, ({ because }) => because.media_id)
  return { results: mergedRows.slice(0, maxRowCount) }
})
