/** Continue Watching: one card per title in progress; caught-up series leave and return when an episode airs. */

import type { MediaCard } from '../../src/lib/contract/media.ts'
import type { ContinueCard } from '../../src/lib/contract/progress.ts'
import { continueCard } from '../../src/lib/rules/next-up.ts'
import { type TitleRow, titlesByIds } from '../queries/catalogue.ts'
import { type EpisodeRow, episodesOfTitles } from '../queries/details.ts'
import { type ProgressRow, progressOfTitles, recentlyPlayed } from '../queries/progress.ts'
import { drawnPath } from './artwork.ts'
import { cardsById, titleLanguage } from './cards.ts'
import { progressRecord } from './history.ts'
import type { By } from './tracking.ts'

/** A film that nobody touched for so long fades from the row; a series by the rules of docs/next-up.md. */
const IDLE_MS = 90 * 86_400_000
/** Played titles looked at; caught-up ones among them give no card. */
const LOOKED_AT = 200

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export async function continueWatching(
  { deps, caller }: By,
  { page, limit }: { page: number; limit: number },
) {
  const profileId = caller.profile.profile_id
  const { primary, reader } = deps.database
  const now = deps.now()
  const recent = await recentlyPlayed(primary, caller.audience, {
    profileId,
    since: now - IDLE_MS,
    airedFrom: dayOf(now - IDLE_MS),
    today: dayOf(now),
    limit: LOOKED_AT,
  })
  const ids = recent.map((one) => one.title_id)
  const rows = new Map((await titlesByIds(reader, caller.audience, ids)).map((row) => [row.title_id, row]))
  const progress = Map.groupBy(await progressOfTitles(primary, profileId, ids), (row) => row.title_id)
  const series = ids.filter((id) => rows.get(id)?.type === 'tv')
  const episodes = Map.groupBy(await episodesOfTitles(reader, series), (row) => row.title_id)
  const places = recent.flatMap(({ title_id: id, last }) => {
    const title = rows.get(id)
    const seen = progress.get(id) ?? []
    const place = title && placeIn(title, { seen, episodes: episodes.get(id) ?? [], now })
    return place ? [{ ...place, last: Math.max(last, place.aired) }] : []
  })
  places.sort((a, b) => b.last - a.last || a.title.title_id - b.title.title_id)
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
  /** When the new episode came that brought a series back, in ms; 0 otherwise. */
  aired: number
}

function placeIn(
  title: TitleRow,
  { seen, episodes, now }: { seen: ProgressRow[]; episodes: EpisodeRow[]; now: number },
): Place | null {
  if (title.type === 'movie') {
    const [only] = seen
    if (!only || only.finished || only.updated_at < now - IDLE_MS) return null
    return { title, progress: only, episode: null, aired: 0 }
  }
  const watched = seen.map((row) => ({ ...row, finished: row.finished === 1 }))
  // The rule counts minutes; the catalogue keeps seconds.
  const facts = episodes.map((row) => ({
    ...row,
    runtime: row.runtime === null ? null : row.runtime / 60,
    row,
  }))
  const show = { episodes: facts, today: dayOf(now), credits_at: title.credits_at }
  const card = continueCard(show, watched, now)
  if (card.kind === 'none' || !card.facts) return null
  const { row } = card.facts
  const here = seen.find(
    (one) => one.season_number === row.season_number && one.episode_number === row.episode_number,
  )
  const aired = card.reason === 'new_episode' && row.air_date ? Date.parse(row.air_date) : 0
  return { title, progress: card.kind === 'resume' ? (here ?? null) : null, episode: row, aired }
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
