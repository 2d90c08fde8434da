/** The remaining viewing time of the acting profile today. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as calls from '../contract/viewing-time.ts'
import { $profileId } from './profile.ts'
import { createReadStore } from './query.ts'
import type { TitleRef } from './watchlist.ts'

export const $viewingTime = createReadStore(
  calls.getViewingTime,
  computed($profileId, (profileId) => (profileId ? { params: { id: profileId } } : null)),
)

/** Starts the grace: extra time in which the profile may finish a video, once a day. Throws `ApiError`. */
export async function startGrace(
  { type, id }: TitleRef,
  episode: { season: number; episode: number } | null,
): Promise<void> {
  const profileId = $profileId.get()
  if (!profileId) return
  $viewingTime.mutate(
    await callApi(calls.finishEpisode, {
      params: { id: profileId },
      body: { type, media_id: id, ...episode },
    }),
  )
}
