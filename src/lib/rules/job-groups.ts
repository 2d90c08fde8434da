/** Groups the jobs of credits, so that a filmography has one section for each kind of work. */

export const JOB_GROUPS = [
  'directing',
  'creating',
  'writing',
  'acting',
  'producing',
  'music',
  'camera',
  'editing',
  'design',
] as const
export type JobGroup = (typeof JOB_GROUPS)[number]

const GROUPS_BY_JOB: Readonly<Record<string, JobGroup>> = {
  Actor: 'acting',
  Director: 'directing',
  Creator: 'creating',
  Developer: 'creating',
  Writer: 'writing',
  Screenplay: 'writing',
  Story: 'writing',
  Novel: 'writing',
  Author: 'writing',
  Producer: 'producing',
  'Executive Producer': 'producing',
  Composer: 'music',
  'Original Music Composer': 'music',
  Cinematographer: 'camera',
  'Director of Photography': 'camera',
  Editor: 'editing',
  'Production Designer': 'design',
  'Production Design': 'design',
}

/** Returns the group of a job; undefined for a job that no importer provides. */
export const getJobGroup = (job: string): JobGroup | undefined =>
  Object.hasOwn(GROUPS_BY_JOB, job) ? GROUPS_BY_JOB[job] : undefined

/**
 * Returns the groups, sorted by the number of titles of the most frequent job of each group, highest first. Groups with
 * equal numbers are in the order of JOB_GROUPS.
 */
export function rankJobGroups(jobs: readonly { job: string; titles: number }[]): JobGroup[] {
  const maxTitleCountsByGroup = new Map<JobGroup, number>()
  for (const { job, titles } of jobs) {
    const jobGroup = getJobGroup(job)
    if (jobGroup)
      maxTitleCountsByGroup.set(jobGroup, Math.max(maxTitleCountsByGroup.get(jobGroup) ?? 0, titles))
  }
  return [...maxTitleCountsByGroup.keys()].sort(
    (a, b) =>
      (maxTitleCountsByGroup.get(b) ?? 0) - (maxTitleCountsByGroup.get(a) ?? 0) ||
      JOB_GROUPS.indexOf(a) - JOB_GROUPS.indexOf(b),
  )
}
