/** Notices of recent episodes and high-quality movies, derived when they are asked for. */
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
import { tellAccount } from './live.ts'
import { type By, type Place, titleAt } from './tracking.ts'

const RECENT_MS = 30 * 86_400_000
const SHOWN = 50
const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const windowOf = (profileId: string, now: number) => ({
  profileId,
  since: day(now - RECENT_MS),
  today: day(now),
  now,
})

export async function list(
  { deps, caller }: By,
  kind: NoticeKind,
): Promise<{ results: Notice[]; unseen: number }> {
  const { primary, reader } = deps.database
  const profileId = caller.profile.profile_id
  const now = deps.now()
  const note = kind === 'episode' ? noteEpisodes : noteMovies
  await note(primary, windowOf(profileId, now))
  const rows = await notices(primary, caller.audience, profileId, kind, SHOWN)
  const titles = await titlesByIds(reader, caller.audience, [...new Set(rows.map((row) => row.title_id))])
  const cards = await cardsById(deps, titles, titleLanguage(caller))
  const results = rows.flatMap((row) => {
    const media = cards.get(row.title_id)
    if (!media) return []
    const place =
      kind === 'episode' ? { season: row.season_number, episode: row.episode_number } : { quality: '2160p' }
    const created_at = new Date(row.created_at).toISOString()
    return [
      {
        notification_id: String(row.notice_id),
        kind,
        media,
        ...place,
        created_at,
        seen: row.seen_at !== null,
      },
    ]
  })
  return { results, unseen: await countUnseen(primary, caller.audience, profileId, kind) }
}

export async function see(by: By, ids: string[] | undefined): Promise<{ unseen: number }> {
  const { deps, caller } = by
  const { primary } = deps.database
  const profileId = caller.profile.profile_id
  await markSeen(primary, profileId, ids?.map(idOf), deps.now())
  tellAccount(by, 'notices')
  return { unseen: await countUnseen(primary, caller.audience, profileId) }
}

export async function muted({ deps, caller }: By) {
  const ids = await mutedTitles(deps.database.primary, caller.profile.profile_id)
  const rows = await titlesInOrder(deps.database.reader, caller.audience, ids)
  return { results: await cardsOf(deps, rows, titleLanguage(caller)) }
}

/** No more notices of a title, or again: then of what comes from now on, so that nothing old comes in a heap. */
export async function mute(by: By, place: Place, wanted: boolean): Promise<{ muted: boolean }> {
  const { deps, caller } = by
  const { title_id: titleId } = await titleAt(by, place)
  const now = deps.now()
  const profileId = caller.profile.profile_id
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!wanted) {
      await noteEpisodes(trx, windowOf(profileId, now))
      await noteMovies(trx, windowOf(profileId, now))
    }
    await putMute(trx, { profileId, titleId, muted: wanted, now })
  })
  tellAccount(by, 'notices')
  return { muted: wanted }
}
