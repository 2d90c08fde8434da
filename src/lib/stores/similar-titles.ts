import { callApi } from '../client/call.ts'
import type { MediaDetails } from '../contract/media.ts'
import * as recommend from '../contract/recommendations.ts'
import { LIMITS } from '../rules/limits.ts'
import { $profile } from './profile.ts'

/** Returns titles that are similar to a title whose playback has ended. */
export async function loadSimilarTitles(media: MediaDetails): Promise<recommend.Recommendation[]> {
  const isKidsProfile = $profile.get()?.kids === true
  const query = { limit: LIMITS.similarTitles, ...(isKidsProfile && { kids: true }) }
  const { results } = await callApi(recommend.listSimilarTitles, { params: { id: media.id }, query })
  return results
}
