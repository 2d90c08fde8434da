/** Groups the notices of episodes that were released together, such as all episodes of a season. */

interface GroupableNotice {
  notification_id: string
  kind: string
  media: { type: string; id: string }
  season?: number | undefined
  episode?: number | undefined
  created_at: string
  seen: boolean
}

/**
 * Returns the notices in groups. Notices of consecutive episodes of a season form one group if they were created at the
 * same time and are all seen or all unseen. The notices of a group are in the order of the episode numbers. Every other
 * notice is a group of its own. The groups are in the order of their first notices. Exception: groups that only gaps in
 * the episode numbers separate follow each other, and the group with the highest numbers is first.
 */
export function groupNotices<Notice extends GroupableNotice>(notices: readonly Notice[]): Notice[][] {
  const buildGroupKey = ({ notification_id, kind, media, season, created_at, seen }: Notice) =>
    kind === 'episode' ? [media.type, media.id, season, created_at, seen].join(' ') : notification_id
  return [...Map.groupBy(notices, buildGroupKey).values()].flatMap(splitIntoRuns)
}

/** Splits notices of one season into groups of consecutive episodes. The group with the highest numbers is first. */
function splitIntoRuns<Notice extends GroupableNotice>(notices: readonly Notice[]): Notice[][] {
  const runs: Notice[][] = []
  for (const notice of notices.toSorted((a, b) => (a.episode ?? 0) - (b.episode ?? 0))) {
    const lastRun = runs.at(-1)
    if (lastRun && lastRun.at(-1)?.episode === (notice.episode ?? 0) - 1) lastRun.push(notice)
    else runs.push([notice])
  }
  return runs.reverse()
}
