/**
 * Finds the titles of the items of media servers by their external ids. Finds the episode of an item by its IMDb id,
 * otherwise by its season and episode numbers.
 */
import type { UnmatchedItemReason } from '../../../src/lib/contract/admin-media-servers.ts'
import type { Db } from '../../db/database.ts'
import {
  type MatchableTitle,
  selectEpisodeNumbers,
  selectTitlesByExternalIds,
} from '../../queries/library-match.ts'
import type { MediaServerItemInsert } from '../../queries/media-server-item.ts'

type MatchableItem = Pick<
  MediaServerItemInsert,
  'kind' | 'season_number' | 'episodes' | 'imdb_id' | 'tmdb_id' | 'tvdb_id' | 'episode_imdb_id'
> & { has_season: boolean }
interface ItemMatch {
  state: 'matched' | 'unmatched'
  reason: UnmatchedItemReason | null
  title_id: number | null
  title_season: number
  /** JSON array of episode numbers in the catalogue. */
  title_episodes: string
}

const createUnmatchedResult = (reason: UnmatchedItemReason): ItemMatch => ({
  state: 'unmatched',
  reason,
  title_id: null,
  title_season: 0,
  title_episodes: '[]',
})

/** Returns a function that matches one of these items. The catalogue is read only once for all items. */
export async function createItemMatcher(
  db: Db,
  items: readonly MatchableItem[],
): Promise<(item: MatchableItem) => ItemMatch> {
  const collectIds = <T>(getId: (item: MatchableItem) => T | null | undefined) => [
    ...new Set(items.flatMap((item) => getId(item) ?? [])),
  ]
  const titles = await selectTitlesByExternalIds(db, {
    imdbIds: collectIds((item) => item.imdb_id),
    tmdbIds: collectIds((item) => item.tmdb_id),
    tvdbIds: collectIds((item) => item.tvdb_id),
  })
  const titlesByExternalId = new Map<string, MatchableTitle>()
  for (const title of titles)
    for (const idColumn of ['imdb_id', 'tmdb_id', 'tvdb_id'] as const)
      if (title[idColumn] !== null)
        titlesByExternalId.set(`${title.type} ${idColumn} ${title[idColumn]}`, title)
  const seriesIds = [...new Set(titles.flatMap(({ type, title_id }) => (type === 'tv' ? title_id : [])))]
  const episodes = await loadEpisodes(db, seriesIds)
  return (item) => {
    const foundTitle = findTitle(titlesByExternalId, item)
    if (typeof foundTitle === 'string') return createUnmatchedResult(foundTitle)
    const match = { state: 'matched' as const, reason: null, title_id: foundTitle.title_id }
    if (item.kind === 'movie') return { ...match, title_season: 0, title_episodes: '[]' }
    const episodeWithImdbId =
      item.episode_imdb_id && episodes.byImdbId.get(`${foundTitle.title_id} ${item.episode_imdb_id}`)
    if (episodeWithImdbId)
      return {
        ...match,
        title_season: episodeWithImdbId.season,
        title_episodes: JSON.stringify([episodeWithImdbId.episode]),
      }
    const episodeNumbers = JSON.parse(String(item.episodes ?? '[]')) as number[]
    if (!item.has_season || episodeNumbers.length === 0) return createUnmatchedResult('no_number')
    const season = Number(item.season_number)
    const knownEpisodeNumbers = episodeNumbers.filter((episodeNumber) =>
      episodes.keys.has(`${foundTitle.title_id} ${season} ${episodeNumber}`),
    )
    if (knownEpisodeNumbers.length === 0) return createUnmatchedResult('no_episode')
    return { ...match, title_season: season, title_episodes: JSON.stringify(knownEpisodeNumbers) }
  }
}

/**
 * Returns the title with the IMDb id of the item, otherwise with its TMDB id, otherwise with its TheTVDB id. Returns
 * the reason if there is none: `no_ids` for an item without ids, `unknown_id` when no title has one of the ids, and
 * `id_conflict` when another id of the item contradicts the title.
 */
function findTitle(
  titlesByExternalId: Map<string, MatchableTitle>,
  item: MatchableItem,
): MatchableTitle | UnmatchedItemReason {
  const idColumns = ['imdb_id', 'tmdb_id', 'tvdb_id'] as const
  const presentIdColumns = idColumns.filter(
    (idColumn) => item[idColumn] !== null && item[idColumn] !== undefined,
  )
  if (presentIdColumns.length === 0) return 'no_ids'
  const foundTitles = presentIdColumns.flatMap(
    (idColumn) => titlesByExternalId.get(`${item.kind} ${idColumn} ${item[idColumn]}`) ?? [],
  )
  const [title] = foundTitles
  if (!title) return 'unknown_id'
  const hasOtherId = presentIdColumns.some(
    (idColumn) => title[idColumn] !== null && title[idColumn] !== item[idColumn],
  )
  return hasOtherId || foundTitles.some((otherTitle) => otherTitle.title_id !== title.title_id)
    ? 'id_conflict'
    : title
}

async function loadEpisodes(db: Db, seriesIds: number[]) {
  const episodeKeys = new Set<string>()
  const episodesByImdbId = new Map<string, { season: number; episode: number }>()
  for (const row of await selectEpisodeNumbers(db, seriesIds)) {
    episodeKeys.add(`${row.title_id} ${row.season_number} ${row.episode_number}`)
    if (row.imdb_id)
      episodesByImdbId.set(`${row.title_id} ${row.imdb_id}`, {
        season: row.season_number,
        episode: row.episode_number,
      })
  }
  return { keys: episodeKeys, byImdbId: episodesByImdbId }
}
