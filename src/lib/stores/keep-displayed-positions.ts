/**
 * Keeps the positions of titles and rows that are displayed when their reads are requested again, for example after a
 * change of My List. The order of the new reply applies at the next visit of the page. Titles that the reply does not
 * contain disappear at once. The first render of a page does not need this module.
 */
import * as catalogue from '../contract/catalogue.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'
import * as recommend from '../contract/recommendations.ts'
import { keepCardPositions, keepRowPositions } from '../rules/keep-positions.ts'
import { replyMerges } from './query.ts'

const setReplyMerge = <E extends Endpoint>(
  endpoint: E,
  mergeReply: (displayed: ReplyOf<E>, reply: ReplyOf<E>) => ReplyOf<E>,
) => replyMerges.set(endpoint, mergeReply)

setReplyMerge(catalogue.listFeaturedMovies, keepCardPositions)
setReplyMerge(catalogue.listFeaturedSeries, keepCardPositions)
setReplyMerge(recommend.listTopPicks, keepCardPositions)
setReplyMerge(recommend.listSimilarTitles, keepCardPositions)
setReplyMerge(recommend.listTopGenreRows, (displayed, reply) => ({
  results: keepRowPositions(displayed.results, reply.results, ({ genre }) => genre.id),
}))
// An additional row would push the rows below it down. It appears at the next visit.
setReplyMerge(recommend.listBecauseRows, (displayed, reply) => ({
  results: keepRowPositions(displayed.results, reply.results, ({ because }) => because.media_id).slice(
    0,
    displayed.results.length,
  ),
}))
