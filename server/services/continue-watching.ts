/** Continue Watching: one card per title in progress; caught-up series leave and return when an episode airs. */

import type { MediaCard } from '../../src/lib/contract/media.ts'
import type { ContinueCard } from '../../src/lib/contract/tracking.ts'
import { continueSeries } from '../../src/lib/rules/next-up.ts'
import { type TitleRow, titlesByIds } from '../queries/catalogue.ts'
import { type EpisodeRow, episodesOfTitles } from '../queries/details.ts'
import { type ProgressRow, progressOfTitles, recentlyPlayed } from '../queries/progress.ts'
import { drawnPath } from './artwork.ts'
import { cardsById, titleLanguage } from './cards.ts'
import { progressRecord } from './history.ts'
import type { By } from './tracking.ts'

/** A title that nobody touched for so long fades from the row. */
const IDLE_MS = 90 * 86_400_000
/** Played titles looked at; caught-up ones among them give no card. */
const LOOKED_AT = 200

export async function continueWatching(
  { deps, caller }: By,
  { page, limit }: { page: number; limit: number },
) {
  const profileId = caller.profile.profile_id
  const { primary, reader } = deps.database
  const recent = await recentlyPlayed(primary, caller.audience, {
    profileId,
    since: deps.now() - IDLE_MS,
    limit: LOOKED_AT,
  })
  const ids = recent.map((one) => one.title_id)
  const rows = new Map((await titlesByIds(reader, caller.audience, ids)).map((row) => [row.title_id, row]))
  const progress = Map.groupBy(await progressOfTitles(primary, profileId, ids), (row) => row.title_id)
  const series = ids.filter((id) => rows.get(id)?.type === 'tv')
  const episodes = Map.groupBy(await episodesOfTitles(reader, series), (row) => row.title_id)
  const today = new Date(deps.now()).toISOString().slice(0, 10)
  const places = recent.flatMap(({ title_id: id, last }) => {
    const title = rows.get(id)
    const place = title && placeIn(title, progress.get(id) ?? [], episodes.get(id) ?? [], today)
    return place ? [{ ...place, last }] : []
  })
  const shown = places.slice((page - 1) * limit, page * limit)
  const cards = await cardsById(
    deps,
    shown.map((one) => one.title),
    titleLanguage(caller),
  )
  return {
    page,
    limit,
    total_results: places.length,
    total_pages: Math.ceil(places.length / limit),
    results: shown.flatMap((place) => {
      const media = cards.get(place.title.title_id)
      return media ? [cardOf({ deps, caller }, place, media)] : []
    }),
  }
}

interface Place {
  title: TitleRow
  progress: ProgressRow | null
  episode: EpisodeRow | null
}

function placeIn(
  title: TitleRow,
  progress: ProgressRow[],
  episodes: EpisodeRow[],
  today: string,
): Place | null {
  if (title.type === 'movie') {
    const [only] = progress
    return only && !only.finished ? { title, progress: only, episode: null } : null
  }
  const watched = progress.map((row) => ({ ...row, finished: row.finished === 1 }))
  const next = continueSeries(watched, episodes, today)
  if (!next) return null
  const { season_number, episode_number } = next.episode
  const here = progress.find(
    (row) => row.season_number === season_number && row.episode_number === episode_number,
  )
  return { title, progress: next.kind === 'resume' ? (here ?? null) : null, episode: next.episode }
}

function cardOf(
  { deps, caller }: By,
  { title, progress, episode, last }: Place & { last: number },
  media: MediaCard,
): ContinueCard {
  const lang = titleLanguage(caller)
  return {
    media,
    progress: progress && progressRecord(title, progress),
    next_episode: episode && {
      season_number: episode.season_number,
      episode_number: episode.episode_number,
      title: episode.name,
      still_path:
        episode.still_path ??
        drawnPath(
          deps,
          {
            kind: 'still',
            key: `${title.title_id}-${episode.season_number}-${episode.episode_number}`,
            lang,
          },
          title.title_id,
        ),
      runtime: episode.runtime,
    },
    updated_at: new Date(last).toISOString(),
  }
}
