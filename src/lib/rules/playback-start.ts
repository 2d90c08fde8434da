/**
 * Rules for the start of the player. The inline script that starts playback early, the player and the server all use
 * them (docs/decisions/0016-early-playback.md).
 */

/** The title in the URL of `/watch/`. Season and episode are given only for a series. */
export interface PlaybackRequest {
  type: 'movie' | 'tv'
  slug: string
  season?: number | undefined
  episode?: number | undefined
}

/**
 * Returns the title in the query of `/watch/`; null when the query has no title. The episode of a series may be
 * missing.
 */
export function parsePlaybackRequest(urlSearch: string): PlaybackRequest | null {
  const searchParams = new URLSearchParams(urlSearch)
  const slug = searchParams.get('slug')
  if (!slug) return null
  const type = searchParams.get('type') === 'tv' ? 'tv' : 'movie'
  const [season, episode] = [searchParams.get('season'), searchParams.get('episode')]
  return {
    type,
    slug,
    ...(type === 'tv' && season && episode && { season: Number(season), episode: Number(episode) }),
  }
}

/** True for a movie, and for a series with an episode. For other requests, the player chooses the episode. */
export const isPlaybackRequestComplete = ({ type, episode }: PlaybackRequest): boolean =>
  type === 'movie' || episode !== undefined

/** Returns the saved progress of the requested movie or episode; null or undefined when there is none. */
export function findRequestedProgress<
  P extends { season?: number | undefined; episode?: number | undefined },
>(
  history: { latest: P | null; episodes: readonly P[] },
  { type, season, episode }: PlaybackRequest,
): P | null | undefined {
  if (type === 'movie') return history.latest
  return history.episodes.find((progress) => progress.season === season && progress.episode === episode)
}

/**
 * Returns whether the requested episode is released. Always true for a movie. `episodes` are the episodes of the
 * requested season.
 */
export function isRequestedEpisodeReleased(
  episodes: readonly { episode_number: number; released: boolean }[] | undefined,
  { type, episode }: PlaybackRequest,
): boolean {
  if (type === 'movie') return true
  return episodes?.find((candidate) => candidate.episode_number === episode)?.released === true
}

/**
 * Returns the query of the stream lookup. The query requests all qualities; rules/player-quality.ts decides which
 * quality plays.
 */
export const getStreamQuery = (media: { original_title: string; year: number | null }) => ({
  quality: 'auto' as const,
  title: media.original_title.slice(0, 300),
  ...(media.year !== null && { year: media.year }),
})
