import { computed } from 'nanostores'
import { $waiting } from './waiting.ts'
import { $listFilters } from './watchlist.ts'

/** Entries that were added while the network was off, through the list's filters: the list that was kept lacks them. */
export const $addedAway = computed([$waiting, $listFilters], (waiting, { type, state: wanted }) =>
  waiting.flatMap((one) => {
    if (one.kind !== 'list' || !one.body.in_watchlist || !one.card) return []
    const state = one.body.state ?? 'planned'
    if ((type !== 'all' && type !== one.title.type) || (wanted !== 'all' && wanted !== state)) return []
    const { title, card } = one
    const entry = { type: title.type, media_id: title.id, in_watchlist: true, state }
    return [{ ...entry, favorite: false, added_at: null, media: card }]
  }),
)
