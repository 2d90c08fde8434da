import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type InteractionEvent = 'impression' | 'open' | 'play' | 'dismiss' | 'undismiss'

interface Interaction {
  profileId: string
  titleId: number
  event: InteractionEvent
  /** Time of the interaction in milliseconds since 1970. */
  atMs: number
  nowMs: number
}

/** Counts an interaction of a profile with a title card, or sets or clears the dismissal of the card. */
export async function upsertInteraction(
  db: Db,
  { profileId, titleId, event, atMs, nowMs }: Interaction,
): Promise<void> {
  const getIncrement = (name: InteractionEvent) => (event === name ? 1 : 0)
  const initialRow = {
    profile_id: profileId,
    title_id: titleId,
    impressions: getIncrement('impression'),
    opens: getIncrement('open'),
    plays: getIncrement('play'),
    dismissed_at: event === 'dismiss' ? atMs : null,
    updated_at: nowMs,
  }
  const dismissedAtMs = event === 'dismiss' ? atMs : event === 'undismiss' ? null : undefined
  await db
    .insertInto('interaction')
    .values(initialRow)
    .onConflict((conflict) =>
      conflict.columns(['profile_id', 'title_id']).doUpdateSet({
        impressions: sql<number>`interaction.impressions + ${initialRow.impressions}`,
        opens: sql<number>`interaction.opens + ${initialRow.opens}`,
        plays: sql<number>`interaction.plays + ${initialRow.plays}`,
        updated_at: nowMs,
        ...(dismissedAtMs !== undefined && { dismissed_at: dismissedAtMs }),
      }),
    )
    .execute()
}
