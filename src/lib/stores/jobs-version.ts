/**
 * The number of known changes of jobs. It is not in a module of the dashboard, because account-events.ts increments it,
 * and other pages load account-events.ts too.
 */
import { perProfile } from './per-profile.ts'

/** When the number increases, the dashboard refetches its jobs. */
export const $jobsVersion = perProfile<number>(() => 0)
export const markJobsChanged = () => $jobsVersion.set($jobsVersion.get() + 1)
