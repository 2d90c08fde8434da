/** Statistics of the viewings of the acting profile. The URL contains the year. */
import { computed } from 'nanostores'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/statistics.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { $viewingsVersion, createReadStore, refetch } from './query.ts'

export type Statistics = ReplyOf<typeof calls.getStatistics>

/** The displayed year; null for all time. */
export const $statisticsYear = perProfile<{ year: number | null }>(() => ({ year: null }))

export const $statistics = createReadStore(
  calls.getStatistics,
  computed([$profile, $statisticsYear], (profile, { year }) => {
    if (!profile) return null
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    return {
      params: { id: profile.profile_id },
      query: { ...(year !== null && { year }), ...(timeZone && { time_zone: timeZone }) },
    }
  }),
)
$viewingsVersion.listen(() => refetch(calls.getStatistics))

/** Parses the year from the query of the page; null for all time and for invalid values. */
export function parseStatisticsYear(search: string): number | null {
  const year = new URLSearchParams(search).get('year') ?? ''
  return /^(19|20)\d{2}$/.test(year) ? Number(year) : null
}
