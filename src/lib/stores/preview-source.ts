import { callApi } from '../client/call.ts'
import type { MediaDetails } from '../contract/media.ts'
import * as calls from '../contract/playback.ts'
import { findLowestSource, type VideoSource } from '../rules/player-quality.ts'

/**
 * Returns the source with the lowest quality among those that need no conversion; null when there is none. For a
 * series, returns a source of episode 1 of season 1. Throws `ApiError`.
 */
export async function findPreviewSource(media: MediaDetails): Promise<VideoSource | null> {
  const { id, imdb_id, type, original_title, year } = media
  const titleIdentifier = imdb_id ?? id
  const title = original_title.slice(0, 300)
  const query = { quality: 'auto' as const, title, ...(year !== null && { year }) }
  const stream =
    type === 'movie'
      ? callApi(calls.getMovieStream, { params: { imdbId: titleIdentifier }, query })
      : callApi(calls.getEpisodeStream, { params: { imdbId: titleIdentifier, season: 1, episode: 1 }, query })
  return findLowestSource((await stream).sources)
}
