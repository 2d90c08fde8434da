import { computed } from 'nanostores'
import * as calls from '../contract/notices.ts'
import { $profile } from './profile.ts'
import { createReadStore } from './query.ts'

const $profileParams = computed($profile, (profile) => profile && { params: { id: profile.profile_id } })
export const $episodeNotices = createReadStore(calls.listEpisodeNotices, $profileParams)
export const $movieNotices = createReadStore(calls.listMovieNotices, $profileParams)

export const $unseenNoticeCount = computed(
  [$episodeNotices, $movieNotices],
  (episodes, movies) => (episodes.data?.unseen ?? 0) + (movies.data?.unseen ?? 0),
)
