/** Notices of recent episodes and high-quality movies. They are derived from the catalogue when a client requests them. */

import type { Notice } from '../../../src/lib/contract/notices.ts'
import { runOptionalWrite } from '../../core/database-unavailable.ts'
import { DAY_MS, toIsoDate, toIsoTime } from '../../core/dates.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import {
  countUnseenNotices,
  insertEpisodeNotices,
  insertMovieNotices,
  markNoticesSeen,
  type NoticeKind,
  selectMutedTitleIds,
  selectNotices,
  setTitleMuted,
} from '../../queries/notice.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCards, loadCardsById } from '../catalogue/cards.ts'
import { parseId } from '../catalogue/titles.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'

const NOTICE_PERIOD_MS = 30 * DAY_MS
const MAX_NOTICES = 50

const getNoticePeriod = (profileId: string, nowMs: number) => ({
  profileId,
  since: toIsoDate(nowMs - NOTICE_PERIOD_MS),
  today: toIsoDate(nowMs),
  nowMs,
})

export async function listNotices(
  { deps, caller }: ProfileContext,
  kind: NoticeKind,
): Promise<{ results: Notice[]; unseen: number }> {
  const { primary, reader } = deps.database
  const profileId = caller.profile.profile_id
  const nowMs = deps.now()
  const deriveNotices = kind === 'episode' ? insertEpisodeNotices : insertMovieNotices
  // While the database cannot be written, the notices that it contains are listed.
  await runOptionalWrite(() => deriveNotices(primary, getNoticePeriod(profileId, nowMs)))
  const rows = await selectNotices(primary, caller.audience, profileId, kind, MAX_NOTICES)
  const titles = await selectTitlesByIds(reader, caller.audience, [
    ...new Set(rows.map((row) => row.title_id)),
  ])
  const cards = await loadCardsById(deps, titles, getTitleLanguage(caller))
  const results = rows.flatMap((row) => {
    const media = cards.get(row.title_id)
    if (!media) return []
    const release =
      row.kind === 'episode'
        ? { season: row.season_number, episode: row.episode_number }
        : row.kind === 'high_quality'
          ? { quality: '2160p' }
          : {}
    const created_at = toIsoTime(row.created_at)
    return [
      {
        notification_id: String(row.notice_id),
        kind: row.kind as Notice['kind'],
        media,
        ...release,
        created_at,
        seen: row.seen_at !== null || row.finished === 1,
      },
    ]
  })
  return { results, unseen: await countUnseenNotices(primary, caller.audience, profileId, kind) }
}

export async function acknowledgeNotices(
  context: ProfileContext,
  ids: string[] | undefined,
): Promise<{ unseen: number }> {
  const { deps, caller } = context
  const { primary } = deps.database
  const profileId = caller.profile.profile_id
  await markNoticesSeen(primary, profileId, ids?.map(parseId), deps.now())
  publishAccountEvent(context, 'notices')
  return { unseen: await countUnseenNotices(primary, caller.audience, profileId) }
}

export async function listMutedTitles({ deps, caller }: ProfileContext) {
  const ids = await selectMutedTitleIds(deps.database.primary, caller.profile.profile_id)
  const rows = await selectTitlesInOrder(deps.database.reader, caller.audience, ids)
  return { results: await loadCards(deps, rows, getTitleLanguage(caller)) }
}

/** Mutes or unmutes the notices of a title. After unmuting, only later releases cause a notice. */
export async function changeTitleMute(
  context: ProfileContext,
  titleRef: TitleRef,
  isMuted: boolean,
): Promise<{ muted: boolean }> {
  const { deps, caller } = context
  const { title_id: titleId } = await requireTitle(context, titleRef)
  const nowMs = deps.now()
  const profileId = caller.profile.profile_id
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!isMuted) {
      // Process the releases from the time when the title was muted, so that they cause no notices later.
      await insertEpisodeNotices(trx, getNoticePeriod(profileId, nowMs))
      await insertMovieNotices(trx, getNoticePeriod(profileId, nowMs))
    }
    await setTitleMuted(trx, { profileId, titleId, muted: isMuted, nowMs })
  })
  publishAccountEvent(context, 'notices')
  return { muted: isMuted }
}
