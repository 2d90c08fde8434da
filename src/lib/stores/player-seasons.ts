/** Loads the episodes of the seasons of the series that the player has open. */
import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { Episode, MediaDetails, Season } from '../contract/media.ts'
import { perProfile } from './per-profile.ts'

/** Loaded episodes by season id. */
export const $episodesBySeason = perProfile<Record<string, Episode[]>>(() => ({}))

export const findSeason = (media: MediaDetails, seasonNumber: number) =>
  media.seasons?.find((season) => season.season_number === seasonNumber)

/** Returns the episodes of a season, and stores them until the player is closed. */
export async function loadSeason(season: Season | undefined): Promise<Episode[]> {
  if (!season) return []
  const loadedEpisodes = $episodesBySeason.get()[season.id]
  if (loadedEpisodes) return loadedEpisodes
  const { results } = await callApi(catalogue.listEpisodes, { params: { id: season.id } })
  $episodesBySeason.setKey(season.id, results)
  return results
}

/** Delay before the adjacent seasons are requested again. */
const SEASON_RETRY_DELAY_MS = 5_000

/**
 * Loads the adjacent seasons. Repeats the requests after a temporary failure. Otherwise the player would find no next
 * episode at the end of a season. Stops when `isOpen` returns false.
 */
export async function loadAdjacentSeasonsWithRetries(
  media: MediaDetails,
  episode: Episode | null,
  isOpen: () => boolean,
): Promise<void> {
  while (isOpen())
    try {
      return await loadAdjacentSeasons(media, episode)
    } catch (error) {
      const { status } = error as ApiError
      const isTemporaryError = status === 408 || status === 429
      if (status >= 400 && status < 500 && !isTemporaryError) return
      await new Promise((resolve) => setTimeout(resolve, SEASON_RETRY_DELAY_MS))
    }
}

/**
 * Loads the seasons before and after the season of the episode: the previous or next episode may be in one of them.
 */
async function loadAdjacentSeasons(media: MediaDetails, episode: Episode | null): Promise<void> {
  if (!episode) return
  const seasons = (media.seasons ?? [])
    .filter((season) => season.episode_count > 0 && season.season_number > 0)
    .sort((a, b) => a.season_number - b.season_number)
  const seasonIndex = seasons.findIndex((season) => season.season_number === episode.season_number)
  if (seasonIndex >= 0)
    await Promise.all([seasons[seasonIndex + 1], seasons[seasonIndex - 1]].map(loadSeason))
}
