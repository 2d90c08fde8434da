/** Loads the data for the first screen of the home page in one response (decision record 44). */
import type { HomeStart, HomeStartRequest } from '../../../src/lib/contract/home-start.ts'
import { KIDS_GENRE_IDS } from '../../../src/lib/rules/genres.ts'
import { type HomeRowPreference, orderHomeRows } from '../../../src/lib/rules/home-rows.ts'
import { LIMITS } from '../../../src/lib/rules/limits.ts'
import type { Viewer } from '../auth/caller.ts'
import type { Deps } from '../deps.ts'
import { listContinueWatching } from '../progress/continue-watching.ts'
import { listFeaturedTitles } from './featured-titles.ts'

/** Default page size of Continue Watching. */
const CONTINUE_WATCHING_LIMIT = 20

/**
 * Loads the featured movies, Continue Watching and the order of the rows. Returns undefined without an acting profile.
 */
export async function loadHomeStart(
  deps: Deps,
  caller: Viewer,
  { kids }: HomeStartRequest,
): Promise<HomeStart | undefined> {
  const { acting: actingProfile } = caller
  if (!actingProfile) return undefined
  const context = { deps, caller: { ...caller, profile: { ...actingProfile, enterable: true } } }
  const kidsFilters = kids ? { kids: true as const, 'include-genres': [...KIDS_GENRE_IDS] } : {}
  const [featuredTitles, continueWatching] = await Promise.all([
    listFeaturedTitles(deps, caller, 'movie', { limit: LIMITS.featured, ...kidsFilters }),
    listContinueWatching(context, { page: 1, limit: CONTINUE_WATCHING_LIMIT }),
  ])
  const rowPreferences = JSON.parse(actingProfile.home_rows) as HomeRowPreference[]
  return {
    profile_id: actingProfile.profile_id,
    rows: orderHomeRows(rowPreferences, actingProfile.simple_home === 1)
      .filter(({ hidden }) => !hidden)
      .map(({ row }) => row),
    featured: featuredTitles,
    continue_watching: continueWatching,
  }
}
