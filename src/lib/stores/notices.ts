import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as calls from '../contract/notices.ts'
import { $profile } from './profile.ts'
import { createReadStore, refetch } from './query.ts'

const $profileParams = computed($profile, (profile) => profile && { params: { id: profile.profile_id } })
const $episodeNotices = createReadStore(calls.listEpisodeNotices, $profileParams)
const $movieNotices = createReadStore(calls.listMovieNotices, $profileParams)

/** Notices of episodes and movies, newest first. */
export const $notices = computed([$episodeNotices, $movieNotices], (episodes, movies) =>
  [...(episodes.data?.results ?? []), ...(movies.data?.results ?? [])].sort((a, b) =>
    b.created_at.localeCompare(a.created_at),
  ),
)
export const $unseenNoticeCount = computed(
  [$episodeNotices, $movieNotices],
  (episodes, movies) => (episodes.data?.unseen ?? 0) + (movies.data?.unseen ?? 0),
)

export async function markAllNoticesSeen(): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  await callApi(calls.putNoticesSeen, { params: { id: profile.profile_id }, body: {} })
  refetch(calls.listEpisodeNotices, calls.listMovieNotices)
}
