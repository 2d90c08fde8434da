/** Groups the jobs of credits, so that a filmography has one section for each kind of work. */

export const CREW_JOB_GROUPS = [
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
export type CrewJobGroup = (typeof CREW_JOB_GROUPS)[number]

const GROUPS_BY_CREW_JOB: Readonly<Record<string, CrewJobGroup>> = {
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

/** Returns the group of a job; undefined for a job that belongs to no group. */
export const getCrewJobGroup = (job: string): CrewJobGroup | undefined =>
  Object.hasOwn(GROUPS_BY_CREW_JOB, job) ? GROUPS_BY_CREW_JOB[job] : undefined

/**
 * Returns the groups, sorted by the number of titles of the most frequent job of each group, highest first. Groups with
 * equal numbers are in the order of CREW_JOB_GROUPS.
 */
export function rankCrewJobGroups(jobs: readonly { job: string; titles: number }[]): CrewJobGroup[] {
  const maxTitleCountsByGroup = new Map<CrewJobGroup, number>()
  for (const { job, titles } of jobs) {
    const jobGroup = getCrewJobGroup(job)
    if (jobGroup)
      maxTitleCountsByGroup.set(jobGroup, Math.max(maxTitleCountsByGroup.get(jobGroup) ?? 0, titles))
  }
  return [...maxTitleCountsByGroup.keys()].sort(
    (a, b) =>
      (maxTitleCountsByGroup.get(b) ?? 0) - (maxTitleCountsByGroup.get(a) ?? 0) ||
      CREW_JOB_GROUPS.indexOf(a) - CREW_JOB_GROUPS.indexOf(b),
  )
}
