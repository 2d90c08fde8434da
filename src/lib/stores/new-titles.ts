/** Titles that were released in the last seven days: first the followed titles of the profile, then popular movies. */
import { computed } from 'nanostores'
import { listReleases } from '../contract/calendar.ts'
import { listMovies } from '../contract/catalogue.ts'
import type { MediaCard } from '../contract/media.ts'
import { addDays, formatLocalDay } from '../rules/calendar-days.ts'
import { KIDS_GENRES } from '../rules/genres.ts'
import { $profile } from './profile.ts'
import { createReadStore } from './query.ts'

const WEEK_DAYS = 7
const MAX_MOVIES = 20

const $releases = createReadStore(
  listReleases,
  computed($profile, (profile) => {
    const today = formatLocalDay()
    const query = { from: addDays(today, 1 - WEEK_DAYS), until: addDays(today, 1) }
    return profile && { params: { id: profile.profile_id }, query }
  }),
)
const $movies = createReadStore(
  listMovies,
  computed(
    $profile,
    (profile) =>
      profile && {
        query: {
          'start-release-date': addDays(formatLocalDay(), 1 - WEEK_DAYS),
          sort: 'popularity.desc',
          limit: MAX_MOVIES,
          paginate: false,
          ...(profile.kids && { kids: true, 'include-genres': [...KIDS_GENRES] }),
        } as const,
      },
  ),
)

/** Empty while loading, and when nothing was released. */
export const $newTitles = computed([$releases, $movies], (releases, movies): MediaCard[] => {
  const today = formatLocalDay()
  const releasedMovies = (movies.data?.results ?? []).filter(
    ({ release_date: date }) => date !== null && date <= today,
  )
  const titles = [...(releases.data?.titles ?? []), ...releasedMovies]
  return [...new Map(titles.map((title) => [`${title.type}/${title.id}`, title])).values()]
})
