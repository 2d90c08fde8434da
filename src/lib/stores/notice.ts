import { computed } from 'nanostores'
import { call } from '../client/call.ts'
import * as calls from '../contract/notices.ts'
import { $profile } from './profile.ts'
import { read, refetch } from './query.ts'

const $params = computed($profile, (profile) => profile && { params: { id: profile.profile_id } })
const $episodes = read(calls.episodeNotices, $params)
const $movies = read(calls.movieNotices, $params)

/** Notices of episodes and movies, newest first. */
export const $notices = computed([$episodes, $movies], (episodes, movies) =>
  [...(episodes.data?.results ?? []), ...(movies.data?.results ?? [])].sort((a, b) =>
    b.created_at.localeCompare(a.created_at),
  ),
)
export const $unseen = computed(
  [$episodes, $movies],
  (episodes, movies) => (episodes.data?.unseen ?? 0) + (movies.data?.unseen ?? 0),
)

export async function markAllSeen(): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  await call(calls.seeNotices, { params: { id: profile.profile_id }, body: {} })
  refetch(calls.episodeNotices, calls.movieNotices)
}
