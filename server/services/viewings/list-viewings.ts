/** Lists the history of a profile, which consists of its viewings with their times. */
import { toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { createFieldProblem } from '../../core/problem.ts'
import { selectRatings } from '../../queries/rating.ts'
import { selectTitlesByIds } from '../../queries/title.ts'
import { selectOldestViewingMs, selectViewings, type ViewingCursor } from '../../queries/viewing.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCardsById } from '../catalogue/cards.ts'
import { parseId } from '../catalogue/titles.ts'
import type { ProfileContext } from '../context.ts'

interface ViewingsQuery {
  type?: 'movie' | 'tv' | undefined
  media_id?: string | undefined
  from?: string | undefined
  until?: string | undefined
  from_day?: string | undefined
  until_day?: string | undefined
  cursor?: string | undefined
  limit: number
}

const parseTimeMs = (timeText: string | undefined) =>
  timeText === undefined ? undefined : Date.parse(timeText)

/** Returns a page of viewings. `next` is the cursor of the next page, or null on the last page. */
export async function listViewings({ deps, caller }: ProfileContext, query: ViewingsQuery) {
  const { primary, reader } = deps.database
  const profileId = caller.profile.profile_id
  const rows = await selectViewings(primary, caller.audience, {
    profileId,
    type: query.type,
    titleId: query.media_id === undefined ? undefined : parseId(query.media_id),
    fromMs: parseTimeMs(query.from ?? query.from_day),
    untilMs: parseTimeMs(query.until ?? query.until_day),
    fromDayMs: parseTimeMs(query.from_day ?? query.from),
    untilDayMs: parseTimeMs(query.until_day ?? query.until),
    after: query.cursor === undefined ? undefined : parseCursor(query.cursor),
    limit: query.limit + 1,
  })
  const pageRows = rows.slice(0, query.limit)
  const titles = await selectTitlesByIds(reader, caller.audience, [
    ...new Set(pageRows.map((row) => row.title_id)),
  ])
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  const ratingsByTitleId = await selectRatings(
    primary,
    profileId,
    titles.map((title) => title.title_id),
  )
  const oldestViewingMs = await selectOldestViewingMs(primary, caller.audience, profileId)
  // A note is private. Another profile of the account, such as the profile of a parent, sees the history
  // without notes.
  const canReadNotes = caller.acting?.profile_id === profileId
  const lastRow = rows.length > query.limit ? pageRows.at(-1) : undefined
  return {
    results: pageRows.flatMap((row) => {
      const card = cardsById.get(row.title_id)
      if (!card) return []
      return [
        {
          media: card,
          season: card.type === 'tv' ? toNullIfNegative(row.season_number) : null,
          episode: card.type === 'tv' ? toNullIfNegative(row.episode_number) : null,
          episode_title: card.type === 'tv' ? row.episode_title : null,
          name: row.name,
          watched_at: row.watched_at > 0 ? toIsoTime(row.watched_at) : null,
          date_only: row.by_day === 1,
          marked: row.marked === 1,
          note: canReadNotes ? row.note : null,
          rating: ratingsByTitleId.get(row.title_id) ?? null,
        },
      ]
    }),
    next: lastRow
      ? formatCursor([
          lastRow.watched_at,
          lastRow.title_id,
          lastRow.season_number,
          lastRow.episode_number,
          lastRow.name,
        ])
      : null,
    oldest: toIsoTimeOrNull(oldestViewingMs),
  }
}

/** A negative season or episode number means that the number is unknown. */
const toNullIfNegative = (number: number) => (number < 0 ? null : number)

const formatCursor = (cursor: ViewingCursor) => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** True for a number that PostgreSQL can compare with a column of the type `integer`, which has 32 bits. */
const isColumnInteger = (value: unknown) => typeof value === 'number' && value === (value | 0)

/** Parses a cursor of `formatCursor`. Throws 422 when the text is not a valid cursor. */
function parseCursor(cursorText: string): ViewingCursor {
  try {
    const [watchedAtMs, titleId, season, episode, name] = JSON.parse(
      Buffer.from(cursorText, 'base64url').toString(),
    ) as unknown[]
    const isValid =
      Number.isSafeInteger(watchedAtMs) &&
      Number.isSafeInteger(titleId) &&
      isColumnInteger(season) &&
      isColumnInteger(episode)
    if (!isValid || typeof name !== 'string' || name.includes('\0')) throw new Error('invalid')
    return [watchedAtMs, titleId, season, episode, name] as ViewingCursor
  } catch {
    throw createFieldProblem('cursor', 'invalid')
  }
}
