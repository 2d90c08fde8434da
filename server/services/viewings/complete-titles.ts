/**
 * Keeps the watch state and the progress of a title consistent. When the user sets the watch state to completed, the
 * unseen movie or episodes are marked as seen. When the user finishes a movie or an episode in the player, the watch
 * state is updated.
 */
import type { Db } from '../../db/database.ts'
import type { TitleRow } from '../../queries/title.ts'
import { selectEpisodesOfTitles } from '../../queries/title-details.ts'
import { loadChangeSet, writeChangeSet } from '../history-import/change-set-storage.ts'
import { createEventLoopYield } from '../history-import/yield-to-event-loop.ts'
import { listMoviesOrEpisodes, markTitle } from './mark-title.ts'
import { type TrackedTitle, updateWatchState } from './series-completion.ts'

interface CompletionRequest {
  profileId: string
  titles: readonly TitleRow[]
  nowMs: number
  /** Current date in the time zone of the viewer, `YYYY-MM-DD`. */
  today: string
}

/**
 * Marks the unseen movies and episodes of the titles as seen now. The caller must hold the lock of the
 * progress in its transaction.
 */
export const markTitlesSeen = (trx: Db, request: CompletionRequest) =>
  changeTrackedTitles(trx, request, (trackedTitle) => {
    const { title, nowMs } = trackedTitle
    const viewingScope = {
      type: title.type as 'movie' | 'tv',
      media_id: String(title.title_id),
      scope: 'title',
    } as const
    const viewingTime = { ms: nowMs, isDateOnly: false }
    markTitle(trackedTitle, listMoviesOrEpisodes(trackedTitle, viewingScope), {
      date: 'now',
      time: viewingTime,
      again: false,
    })
  })

/**
 * Updates the watch state of a title (`updateWatchState`), which becomes completed if everything is seen. Returns true
 * if a row has changed.
 */
export const updateTitleWatchState = (
  trx: Db,
  { title, ...request }: Omit<CompletionRequest, 'titles'> & { title: TitleRow },
) => changeTrackedTitles(trx, { ...request, titles: [title] }, updateWatchState)

async function changeTrackedTitles(
  trx: Db,
  { profileId, titles, nowMs, today }: CompletionRequest,
  changeTitle: (trackedTitle: TrackedTitle) => void,
): Promise<boolean> {
  const changeSet = await loadChangeSet(
    trx,
    profileId,
    titles.map((title) => title.title_id),
  )
  const seriesIds = titles.filter((title) => title.type === 'tv').map((title) => title.title_id)
  const episodesByTitleId = Map.groupBy(
    await selectEpisodesOfTitles(trx, seriesIds),
    (episode) => episode.title_id,
  )
  for (const title of titles)
    changeTitle({ title, episodes: episodesByTitleId.get(title.title_id) ?? [], changeSet, nowMs, today })
  const changes = changeSet.listChanges()
  await writeChangeSet(trx, profileId, { changes, yieldToEventLoop: createEventLoopYield() })
  return changes.length > 0
}
