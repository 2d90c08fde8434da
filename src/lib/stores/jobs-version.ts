/**
 * The number of known changes of jobs. This store is not in a module of the dashboard, because account-events.ts
 * increments the number, and the other pages load account-events.ts too.
 */
import { perProfile } from './per-profile.ts'

/** When the number increases, the dashboard refetches its jobs. */
export const $jobsVersion = perProfile<number>(() => 0)
export const markJobsChanged = () => $jobsVersion.set($jobsVersion.get() + 1)
