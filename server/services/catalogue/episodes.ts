/** The seasons and episodes of a series, limited to what the caller's audience may see. */
import type { Episode } from '../../../src/lib/contract/media.ts'
import { hasAired } from '../../../src/lib/rules/episode-order.ts'
import { Problem } from '../../core/problem.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import {
  selectEpisodeDates,
  selectEpisodes,
  selectSeasons,
  selectVisibleSeason,
} from '../../queries/title-details.ts'
import { getOverviewLanguage, getTitleLanguage, getViewerDate, type Viewer } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { loadEpisodeAvailability } from '../library/availability.ts'
import { buildArtPath, getTitleArtVersion } from './artwork.ts'
import { toSeason } from './season.ts'
import { findVisibleTitle } from './titles.ts'

export async function listSeasons(deps: Deps, caller: Viewer, id: number) {
  const titleRow = await findVisibleTitle(deps, caller, 'tv', { id })
  const seasonRows = await selectSeasons(deps.database.reader, titleRow.title_id)
  return { results: seasonRows.map((season) => toSeason(deps, season, titleRow, getTitleLanguage(caller))) }
}

export async function listEpisodes(
  deps: Deps,
  caller: Viewer,
  seasonId: number,
): Promise<{ results: Episode[] }> {
  const season = await selectVisibleSeason(deps.database.reader, caller.audience, seasonId)
  if (!season) throw new Problem('not_found')
  const today = getViewerDate(caller, deps.now())
  const lang = getTitleLanguage(caller)
  const rows = await selectEpisodes(deps.database.reader, seasonId, getOverviewLanguage(caller))
  const [title] = await selectTitlesByIds(deps.database.reader, caller.audience, [season.title_id])
  if (!title) throw new Problem('not_found')
  const findEpisodeAvailability = await loadEpisodeAvailability(deps, title)
  // Whether an episode without a date has aired depends on the episodes of all seasons.
  const episodesToCompare = rows.every(({ air_date }) => air_date)
    ? rows
    : await selectEpisodeDates(deps.database.reader, season.title_id)
  return {
    results: rows.map((row) => ({
      id: String(row.episode_id),
      season_number: row.season_number,
      episode_number: row.episode_number,
      title: row.name,
      overview: row.overview,
      ...(row.overview !== null && { overview_lang: row.overview_lang }),
      air_date: row.air_date,
      runtime: row.runtime,
      still_path: buildArtPath(
        deps,
        { kind: 'still', key: `${row.title_id}-${row.season_number}-${row.episode_number}`, lang },
        row.still_path,
        getTitleArtVersion(title),
      ),
      released: hasAired(row, episodesToCompare, today),
      ...findEpisodeAvailability(row),
    })),
  }
}
