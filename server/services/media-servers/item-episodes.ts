import type { MediaServerItemRow } from '../../queries/media-server-item.ts'

type ItemEpisodeColumns = Pick<MediaServerItemRow, 'kind' | 'title_season' | 'title_episodes'>

/** Returns `season:episode`, with the numbers of the catalogue, for each episode of an item. */
export const listItemEpisodeKeys = ({ title_season, title_episodes }: ItemEpisodeColumns): string[] =>
  (JSON.parse(title_episodes) as number[]).map((episodeNumber) => `${title_season}:${episodeNumber}`)

/** True for a movie, and for an item that contains the episode. */
export const hasItemEpisode = (
  item: ItemEpisodeColumns,
  { season, episode }: { season?: number | undefined; episode?: number | undefined },
): boolean => item.kind === 'movie' || listItemEpisodeKeys(item).includes(`${season}:${episode}`)
