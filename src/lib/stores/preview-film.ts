import { call } from '../client/call.ts'
import type { MediaDetails } from '../contract/media.ts'
import * as calls from '../contract/playback.ts'
import { coarsest, type Source } from '../rules/player-quality.ts'

/**
 * Returns the source with the lowest quality of a movie, or of the first episode of a series; null without sources.
 * Throws `ApiError`.
 */
export async function findFilm(media: MediaDetails): Promise<Source | null> {
  const { imdb_id: imdbId, type, original_title, year } = media
  if (!imdbId) return null
  const title = original_title.slice(0, 300)
  const query = { quality: 'auto' as const, title, ...(year !== null && { year }) }
  const stream =
    type === 'movie'
      ? call(calls.movieStream, { params: { imdbId }, query })
      : call(calls.episodeStream, { params: { imdbId, season: 1, episode: 1 }, query })
  return coarsest((await stream).sources)
}
