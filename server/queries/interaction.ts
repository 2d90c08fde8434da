import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

export type InteractionEvent = 'impression' | 'open' | 'play' | 'dismiss' | 'undismiss'

interface Interaction {
  profileId: string
  titleId: number
  event: InteractionEvent
  now: number
}

export async function addInteraction(db: Db, { profileId, titleId, event, now }: Interaction): Promise<void> {
  const one = (name: InteractionEvent) => (event === name ? 1 : 0)
  const first = {
    profile_id: profileId,
    title_id: titleId,
    impressions: one('impression'),
    opens: one('open'),
    plays: one('play'),
    dismissed_at: event === 'dismiss' ? now : null,
    updated_at: now,
  }
  const dismissal = event === 'dismiss' ? now : event === 'undismiss' ? null : undefined
  await db
    .insertInto('interaction')
    .values(first)
    .onConflict((conflict) =>
      conflict.columns(['profile_id', 'title_id']).doUpdateSet({
        impressions: sql<number>`interaction.impressions + ${first.impressions}`,
        opens: sql<number>`interaction.opens + ${first.opens}`,
        plays: sql<number>`interaction.plays + ${first.plays}`,
        updated_at: now,
        ...(dismissal !== undefined && { dismissed_at: dismissal }),
      }),
    )
    .execute()
}
