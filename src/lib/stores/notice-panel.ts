/** The list of notices and the actions of its buttons. The header loads this module when the list is opened. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as calls from '../contract/notices.ts'
import { $episodeNotices, $movieNotices } from './notices.ts'
import { $profile } from './profile.ts'
import { refetch } from './query.ts'
import { showToast } from './toast.ts'

/** Notices of episodes and movies, newest first. A list that is not loaded yet contributes no notices. */
export const $notices = computed([$episodeNotices, $movieNotices], (episodes, movies) =>
  [...(episodes.data?.results ?? []), ...(movies.data?.results ?? [])].sort(
    (a, b) => Date.parse(b.created_at) - Date.parse(a.created_at),
  ),
)
/**
 * Combines the reads of both lists of notices. `data` is true once both lists are loaded, so that the panel does not
 * say "no notices" while one of the lists is missing.
 */
export const $noticesLoadState = Object.assign(
  computed([$episodeNotices, $movieNotices], (episodes, movies) => ({
    data: episodes.data && movies.data ? true : undefined,
    error: (episodes.data ? undefined : episodes.error) ?? (movies.data ? undefined : movies.error),
    loading: episodes.loading || movies.loading,
  })),
  {
    revalidate: () => {
      for (const $read of [$episodeNotices, $movieNotices]) if (!$read.get().data) $read.revalidate()
    },
  },
)

/** Marks all notices as seen, and shows a message on failure. */
export async function markAllNoticesSeen(): Promise<void> {
  try {
    await saveNoticesSeen({})
  } catch {
    showToast('errors:generic', { kind: 'bad' })
  }
}

/** Marks opened notices as seen. On failure they stay unseen, without a message, because their page opens anyway. */
export const markNoticesSeen = (notices: readonly calls.Notice[]): Promise<void> =>
  saveNoticesSeen({ notification_ids: notices.map(({ notification_id }) => notification_id) }).catch(() => {})

async function saveNoticesSeen(body: { notification_ids?: string[] }): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  // `keepalive` completes the request even if the browser leaves the page to open the notice.
  await callApi(calls.putNoticesSeen, { params: { id: profile.profile_id }, body, keepalive: true })
  refetch(calls.listEpisodeNotices, calls.listMovieNotices)
}
