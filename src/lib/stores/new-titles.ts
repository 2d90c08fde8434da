/** Titles that were released in the last seven days: first the followed titles of the profile, then popular movies. */
import { computed } from 'nanostores'
import { listReleases } from '../contract/calendar.ts'
import { listMovies } from '../contract/catalogue.ts'
import type { MediaCard } from '../contract/media.ts'
import { addDays } from '../rules/calendar-days.ts'
import { KIDS_GENRE_IDS } from '../rules/genres.ts'
import { $profile } from './profile.ts'
import { $watchlistVersion, createReadStore, refetch } from './query.ts'
import { $today } from './today.ts'

const DAYS_PER_WEEK = 7
const MAX_NEW_MOVIES = 20

const $recentReleases = createReadStore(
  listReleases,
  computed([$profile, $today], (profile, today) => {
    const query = { from: addDays(today, 1 - DAYS_PER_WEEK), until: addDays(today, 1) }
    return profile && { params: { id: profile.profile_id }, query }
  }),
)
const $recentMovies = createReadStore(
  listMovies,
  computed(
    [$profile, $today],
    (profile, today) =>
      profile && {
        query: {
          'start-release-date': addDays(today, 1 - DAYS_PER_WEEK),
          released: true,
          sort: 'popularity.desc',
          limit: MAX_NEW_MOVIES,
          paginate: false,
          'hide-disliked': true,
          ...(profile.kids && { kids: true, 'include-genres': [...KIDS_GENRE_IDS] }),
        } as const,
      },
  ),
)

// The lists depend on the followed titles and the dislikes of the profile. `$watchlistVersion` increases after
// changes of the watchlist and after dislikes.
$watchlistVersion.listen(() => refetch(listReleases, listMovies))

/** The new titles. The list is empty while the data is loading, and when no title was released. */
export const $newTitles = computed([$recentReleases, $recentMovies], (releases, movies): MediaCard[] => {
  const newTitles = [...(releases.data?.titles ?? []), ...(movies.data?.results ?? [])]
  return [...new Map(newTitles.map((title) => [`${title.type}/${title.id}`, title])).values()]
})
