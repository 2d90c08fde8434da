import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as calls from '../contract/notices.ts'
import { $profile } from './profile.ts'
import { createReadStore, refetch } from './query.ts'

const $params = computed($profile, (profile) => profile && { params: { id: profile.profile_id } })
const $episodes = createReadStore(calls.listEpisodeNotices, $params)
const $movies = createReadStore(calls.listMovieNotices, $params)

/** Notices of episodes and movies, newest first. */
export const $notices = computed([$episodes, $movies], (episodes, movies) =>
  [...(episodes.data?.results ?? []), ...(movies.data?.results ?? [])].sort((a, b) =>
    b.created_at.localeCompare(a.created_at),
  ),
)
export const $unseenNoticeCount = computed(
  [$episodes, $movies],
  (episodes, movies) => (episodes.data?.unseen ?? 0) + (movies.data?.unseen ?? 0),
)

export async function markAllNoticesSeen(): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  await callApi(calls.putNoticesSeen, { params: { id: profile.profile_id }, body: {} })
  refetch(calls.listEpisodeNotices, calls.listMovieNotices)
}
