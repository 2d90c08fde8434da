/** Notices of recent episodes and high-quality movies. They are derived from the catalogue when a client requests them. */
import type { Notice } from '../../src/lib/contract/notices.ts'
import { titlesInOrder } from '../queries/browse.ts'
import { titlesByIds } from '../queries/catalogue.ts'
import {
  countUnseen,
  markSeen,
  mutedTitles,
  type NoticeKind,
  noteEpisodes,
  noteMovies,
  notices,
  putMute,
} from '../queries/notice.ts'
import { cardsById, cardsOf, titleLanguage } from './cards.ts'
import { idOf } from './catalogue.ts'
import { type ProfileContext, requireTitle, type TitleRef } from './context.ts'
import { tellAccount } from './live.ts'

const NOTICE_PERIOD_MS = 30 * 86_400_000
const MAX_NOTICES = 50
const toIsoDate = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const noticeWindow = (profileId: string, now: number) => ({
  profileId,
  since: toIsoDate(now - NOTICE_PERIOD_MS),
  today: toIsoDate(now),
  now,
})

export async function list(
  { deps, caller }: ProfileContext,
  kind: NoticeKind,
): Promise<{ results: Notice[]; unseen: number }> {
  const { primary, reader } = deps.database
  const profileId = caller.profile.profile_id
  const now = deps.now()
  const deriveNotices = kind === 'episode' ? noteEpisodes : noteMovies
  await deriveNotices(primary, noticeWindow(profileId, now))
  const rows = await notices(primary, caller.audience, profileId, kind, MAX_NOTICES)
  const titles = await titlesByIds(reader, caller.audience, [...new Set(rows.map((row) => row.title_id))])
  const cards = await cardsById(deps, titles, titleLanguage(caller))
  const results = rows.flatMap((row) => {
    const media = cards.get(row.title_id)
    if (!media) return []
    const release =
      kind === 'episode' ? { season: row.season_number, episode: row.episode_number } : { quality: '2160p' }
    const created_at = new Date(row.created_at).toISOString()
    return [
      {
        notification_id: String(row.notice_id),
        kind,
        media,
        ...release,
        created_at,
        seen: row.seen_at !== null,
      },
    ]
  })
  return { results, unseen: await countUnseen(primary, caller.audience, profileId, kind) }
}

export async function see(context: ProfileContext, ids: string[] | undefined): Promise<{ unseen: number }> {
  const { deps, caller } = context
  const { primary } = deps.database
  const profileId = caller.profile.profile_id
  await markSeen(primary, profileId, ids?.map(idOf), deps.now())
  tellAccount(context, 'notices')
  return { unseen: await countUnseen(primary, caller.audience, profileId) }
}

export async function muted({ deps, caller }: ProfileContext) {
  const ids = await mutedTitles(deps.database.primary, caller.profile.profile_id)
  const rows = await titlesInOrder(deps.database.reader, caller.audience, ids)
  return { results: await cardsOf(deps, rows, titleLanguage(caller)) }
}

/** Mutes or unmutes the notices of a title. After unmuting, only later releases cause a notice. */
export async function mute(
  context: ProfileContext,
  titleRef: TitleRef,
  isMuted: boolean,
): Promise<{ muted: boolean }> {
  const { deps, caller } = context
  const { title_id: titleId } = await requireTitle(context, titleRef)
  const now = deps.now()
  const profileId = caller.profile.profile_id
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!isMuted) {
      // Consume what was released while the title was muted, so that it causes no notices later.
      await noteEpisodes(trx, noticeWindow(profileId, now))
      await noteMovies(trx, noticeWindow(profileId, now))
    }
    await putMute(trx, { profileId, titleId, muted: isMuted, now })
  })
  tellAccount(context, 'notices')
  return { muted: isMuted }
}
