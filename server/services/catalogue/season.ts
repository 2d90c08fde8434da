/** A season as the API returns it. */
import type { Season } from '../../../src/lib/contract/media.ts'
import type { TitleRow } from '../../queries/title.ts'
import type { SeasonRangeRow } from '../../queries/title-details.ts'
import type { Deps } from '../deps.ts'
import { buildArtPath, getTitleArtVersion } from './artwork.ts'

export function toSeason(deps: Deps, season: SeasonRangeRow, row: TitleRow, lang: string): Season {
  const artworkKey = String(row.title_id)
  return {
    id: String(season.season_id),
    season_number: season.season_number,
    episode_count: season.episode_count,
    first_episode: season.first_episode,
    last_episode: season.last_episode,
    title: season.name,
    air_date: season.air_date,
    poster_path: buildArtPath(
      deps,
      { kind: 'poster', key: artworkKey, lang },
      season.poster_path,
      getTitleArtVersion(row),
    ),
  }
}
