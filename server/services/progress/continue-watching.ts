/** Continue Watching: one card per title in progress. A series without unwatched episodes is omitted until a new episode airs. */

import type { MediaCard } from '../../../src/lib/contract/media.ts'
import type { ContinueCard } from '../../../src/lib/contract/progress.ts'
import { computeSeriesCard } from '../../../src/lib/rules/next-up.ts'
import { DAY_MS, toIsoDate, toIsoTime } from '../../core/dates.ts'
import type { PageRequest } from '../../queries/page.ts'
import { type ProgressRow, selectProgressOfTitles, selectRecentlyPlayed } from '../../queries/progress.ts'
import { selectTitlesByIds, type TitleRow } from '../../queries/title.ts'
import { type EpisodeRow, selectEpisodesOfTitles } from '../../queries/title-details.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { buildArtPath } from '../catalogue/artwork.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import type { ProfileContext } from '../context.ts'
import { toPage } from '../page.ts'
import { toProgress } from './progress.ts'

/** A movie without progress for this time is omitted; for series see docs/next-up.md. */
const MAX_IDLE_MS = 90 * DAY_MS
/** Maximum number of recently played titles that are considered; completed ones have no card. */
const MAX_CONSIDERED_TITLES = 200

export async function listContinueWatching({ deps, caller }: ProfileContext, { page, limit }: PageRequest) {
  const profileId = caller.profile.profile_id
  const { primary, reader } = deps.database
  const nowMs = deps.now()
  const recentTitles = await selectRecentlyPlayed(primary, caller.audience, {
    profileId,
    sinceMs: nowMs - MAX_IDLE_MS,
    airedFrom: toIsoDate(nowMs - MAX_IDLE_MS),
    today: toIsoDate(nowMs),
    limit: MAX_CONSIDERED_TITLES,
  })
  const ids = recentTitles.map((played) => played.title_id)
  const rows = new Map(
    (await selectTitlesByIds(reader, caller.audience, ids)).map((row) => [row.title_id, row]),
  )
  const progress = Map.groupBy(await selectProgressOfTitles(primary, profileId, ids), (row) => row.title_id)
  const series = ids.filter((id) => rows.get(id)?.type === 'tv')
  const episodes = Map.groupBy(await selectEpisodesOfTitles(reader, series), (row) => row.title_id)
  const candidates = recentTitles.flatMap(({ title_id: id, last: lastPlayedMs }) => {
    const title = rows.get(id)
    const progressRows = progress.get(id) ?? []
    const candidate = title && findCandidate(title, { progressRows, episodes: episodes.get(id) ?? [], nowMs })
    return candidate ? [{ ...candidate, lastActivityMs: Math.max(lastPlayedMs, candidate.airedAtMs) }] : []
  })
  candidates.sort((a, b) => b.lastActivityMs - a.lastActivityMs || a.title.title_id - b.title.title_id)
  const pageCandidates = candidates.slice((page - 1) * limit, page * limit)
  const cards = await loadCardsById(
    deps,
    pageCandidates.map((candidate) => candidate.title),
    getTitleLanguage(caller),
  )
  const results = pageCandidates.flatMap((candidate) => {
    const media = cards.get(candidate.title.title_id)
    return media ? [toContinueCard({ deps, caller }, candidate, media)] : []
  })
  return toPage({ page, limit }, candidates.length, results)
}

interface ContinueCandidate {
  title: TitleRow
  progress: ProgressRow | null
  episode: EpisodeRow | null
  /** Air date of the new episode because of which the series is shown again; otherwise 0. */
  airedAtMs: number
}

function findCandidate(
  title: TitleRow,
  { progressRows, episodes, nowMs }: { progressRows: ProgressRow[]; episodes: EpisodeRow[]; nowMs: number },
): ContinueCandidate | null {
  if (title.type === 'movie') {
    const [movieProgress] = progressRows
    if (!movieProgress || movieProgress.finished || movieProgress.updated_at < nowMs - MAX_IDLE_MS)
      return null
    return { title, progress: movieProgress, episode: null, airedAtMs: 0 }
  }
  const episodeProgress = progressRows.map((row) => ({ ...row, finished: row.finished === 1 }))
  // The shared rule expects minutes; the catalogue stores seconds.
  const episodeFacts = episodes.map((row) => ({
    ...row,
    runtime: row.runtime === null ? null : row.runtime / 60,
    row,
  }))
  const series = { episodes: episodeFacts, today: toIsoDate(nowMs), credits_at: title.credits_at }
  const card = computeSeriesCard(series, episodeProgress, nowMs)
  if (card.kind === 'none' || !card.facts) return null
  const { row } = card.facts
  const storedProgress = progressRows.find(
    (progressRow) =>
      progressRow.season_number === row.season_number && progressRow.episode_number === row.episode_number,
  )
  const airedAtMs = card.reason === 'new_episode' && row.air_date ? Date.parse(row.air_date) : 0
  return {
    title,
    progress: card.kind === 'resume' ? (storedProgress ?? null) : null,
    episode: row,
    airedAtMs,
  }
}

function toContinueCard(
  { deps, caller }: ProfileContext,
  { title, progress, episode, lastActivityMs }: ContinueCandidate & { lastActivityMs: number },
  media: MediaCard,
): ContinueCard {
  const lang = getTitleLanguage(caller)
  return {
    media,
    progress: progress && toProgress(title, progress),
    next_episode: episode && {
      season_number: episode.season_number,
      episode_number: episode.episode_number,
      title: episode.name,
      still_path: buildArtPath(
        deps,
        {
          kind: 'still',
          key: `${title.title_id}-${episode.season_number}-${episode.episode_number}`,
          lang,
        },
        episode.still_path,
        title.title_id,
      ),
      runtime: episode.runtime,
    },
    updated_at: toIsoTime(lastActivityMs),
  }
}
