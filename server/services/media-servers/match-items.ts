/**
 * Finds the titles and episodes of the items of media servers. It uses the external ids that the servers
 * store for the items.
 */
import type { ItemReason } from '../../../src/lib/contract/admin-media-servers.ts'
import type { Db } from '../../db/database.ts'
import {
  type MatchableTitle,
  selectEpisodeNumbers,
  selectTitlesByExternalIds,
} from '../../queries/library-match.ts'
import type { MediaServerItemInsert } from '../../queries/media-server-item.ts'

type MatchedItem = Pick<
  MediaServerItemInsert,
  'kind' | 'season_number' | 'episodes' | 'imdb_id' | 'tmdb_id' | 'tvdb_id' | 'episode_imdb_id'
> & { has_season: boolean }
interface ItemMatch {
  state: 'matched' | 'unmatched'
  reason: ItemReason | null
  title_id: number | null
  title_season: number
  /** JSON array of episode numbers in the catalogue. */
  title_episodes: string
}

const createUnmatched = (reason: ItemReason): ItemMatch => ({
  state: 'unmatched',
  reason,
  title_id: null,
  title_season: 0,
  title_episodes: '[]',
})

/** Returns a function that matches one of these items. The catalogue is read only once for all items. */
export async function createItemMatcher(
  db: Db,
  items: readonly MatchedItem[],
): Promise<(item: MatchedItem) => ItemMatch> {
  const collectIds = <T>(getId: (item: MatchedItem) => T | null | undefined) => [
    ...new Set(items.flatMap((item) => getId(item) ?? [])),
  ]
  const titles = await selectTitlesByExternalIds(db, {
    imdbIds: collectIds((item) => item.imdb_id),
    tmdbIds: collectIds((item) => item.tmdb_id),
    tvdbIds: collectIds((item) => item.tvdb_id),
  })
  const titlesById = new Map<string, MatchableTitle>()
  for (const title of titles)
    for (const key of ['imdb_id', 'tmdb_id', 'tvdb_id'] as const)
      if (title[key] !== null) titlesById.set(`${title.type} ${key} ${title[key]}`, title)
  const seriesIds = [...new Set(titles.flatMap(({ type, title_id }) => (type === 'tv' ? title_id : [])))]
  const episodes = await loadEpisodes(db, seriesIds)
  return (item) => {
    const foundTitle = findTitle(titlesById, item)
    if (typeof foundTitle === 'string') return createUnmatched(foundTitle)
    const match = { state: 'matched' as const, reason: null, title_id: foundTitle.title_id }
    if (item.kind === 'movie') return { ...match, title_season: 0, title_episodes: '[]' }
    const ownEpisode =
      item.episode_imdb_id && episodes.byImdbId.get(`${foundTitle.title_id} ${item.episode_imdb_id}`)
    if (ownEpisode)
      return {
        ...match,
        title_season: ownEpisode.season,
        title_episodes: JSON.stringify([ownEpisode.episode]),
      }
    const numbers = JSON.parse(String(item.episodes ?? '[]')) as number[]
    if (!item.has_season || numbers.length === 0) return createUnmatched('no_number')
    const season = Number(item.season_number)
    const knownKeys = numbers.filter((number) =>
      episodes.keys.has(`${foundTitle.title_id} ${season} ${number}`),
    )
    if (knownKeys.length === 0) return createUnmatched('no_episode')
    return { ...match, title_season: season, title_episodes: JSON.stringify(knownKeys) }
  }
}

/**
 * Returns the title of the IMDb id, else of the TMDB id, else of the TVDB id. Returns `id_conflict` when
 * another id of the item contradicts this title.
 */
function findTitle(titlesById: Map<string, MatchableTitle>, item: MatchedItem): MatchableTitle | ItemReason {
  const keys = ['imdb_id', 'tmdb_id', 'tvdb_id'] as const
  const knownKeys = keys.filter((key) => item[key] !== null && item[key] !== undefined)
  if (knownKeys.length === 0) return 'no_ids'
  const foundTitles = knownKeys.flatMap((key) => titlesById.get(`${item.kind} ${key} ${item[key]}`) ?? [])
  const [title] = foundTitles
  if (!title) return 'unknown_id'
  const hasOtherId = knownKeys.some((key) => title[key] !== null && title[key] !== item[key])
  return hasOtherId || foundTitles.some((otherTitle) => otherTitle.title_id !== title.title_id)
    ? 'id_conflict'
    : title
}

async function loadEpisodes(db: Db, seriesIds: number[]) {
  const keys = new Set<string>()
  const byImdbId = new Map<string, { season: number; episode: number }>()
  for (const row of await selectEpisodeNumbers(db, seriesIds)) {
    keys.add(`${row.title_id} ${row.season_number} ${row.episode_number}`)
    if (row.imdb_id)
      byImdbId.set(`${row.title_id} ${row.imdb_id}`, {
        season: row.season_number,
        episode: row.episode_number,
      })
  }
  return { keys, byImdbId }
}
