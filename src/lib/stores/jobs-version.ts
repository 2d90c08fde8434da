/** The number of known changes of jobs. It is apart from the dashboard, because account-events.ts increments it. */
import { perProfile } from './per-profile.ts'

/** When it increases, the dashboard refetches its jobs. */
export const $jobsVersion = perProfile<number>(() => 0)
export const markJobsChanged = () => $jobsVersion.set($jobsVersion.get() + 1)
