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

const GROUP_BY_JOB: Readonly<Record<string, JobGroup>> = {
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
  Object.hasOwn(GROUP_BY_JOB, job) ? GROUP_BY_JOB[job] : undefined

/**
 * Returns the groups, sorted by the number of titles of the most frequent job of each group, highest first. Groups with
 * equal numbers are in the order of JOB_GROUPS.
 */
export function rankJobGroups(jobs: readonly { job: string; titles: number }[]): JobGroup[] {
  const titleCountsByGroup = new Map<JobGroup, number>()
  for (const { job, titles } of jobs) {
    const jobGroup = getJobGroup(job)
    if (jobGroup) titleCountsByGroup.set(jobGroup, Math.max(titleCountsByGroup.get(jobGroup) ?? 0, titles))
  }
  return [...titleCountsByGroup.keys()].sort(
    (a, b) =>
      (titleCountsByGroup.get(b) ?? 0) - (titleCountsByGroup.get(a) ?? 0) ||
      JOB_GROUPS.indexOf(a) - JOB_GROUPS.indexOf(b),
  )
}
