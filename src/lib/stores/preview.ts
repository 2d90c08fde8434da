/** What a card's preview shows beyond what the card knows. Reads are those of the title's page, which comes faster for it. */
import { atom, computed, type ReadableAtom } from 'nanostores'
import { askAhead } from '../client/call.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { MediaCard } from '../contract/media.ts'
import * as tracking from '../contract/tracking.ts'
import { nextPress } from '../rules/next-press.ts'
import { $continueWatching } from './media.ts'
import { $profile } from './profile.ts'
import { read } from './query.ts'

const LOOKED_AT_MS = 120
let looking: ReturnType<typeof setTimeout> | undefined

/** Somebody rests on a card: what its page shows is asked for. */
export function lookAhead({ type, slug }: Pick<MediaCard, 'type' | 'slug'>): void {
  clearTimeout(looking)
  const endpoint = type === 'tv' ? catalogue.seriesBySlug : catalogue.movieBySlug
  looking = setTimeout(() => askAhead(endpoint, { params: { slug } }), LOOKED_AT_MS)
}

/** The title whose preview is open. */
export const $previewed = atom<MediaCard | null>(null)

/** The read of a title's page; null asks nothing. */
export function detailsOf($media: ReadableAtom<MediaCard | null>) {
  const bySlug = (type: MediaCard['type']) =>
    computed([$media, $profile], (media, profile) =>
      profile && media?.type === type ? { params: { slug: media.slug } } : null,
    )
  const $movie = read(catalogue.movieBySlug, bySlug('movie'))
  const $show = read(catalogue.seriesBySlug, bySlug('tv'))
  return computed([$media, $movie, $show], (media, movie, show) =>
    media?.type === 'tv' ? show.data : movie.data,
  )
}
export const $previewDetails = detailsOf($previewed)

const $history = read(
  tracking.getHistory,
  computed([$previewed, $profile], (media, profile) =>
    media && profile ? { params: { id: profile.profile_id, type: media.type, mediaId: media.id } } : null,
  ),
)

/** What Play does. Until it is known whether the title was begun, as for a title that was not. */
export const $previewPress = computed([$previewed, $history, $continueWatching], (media, history, going) => {
  const card = going.data?.results.find((one) => one.media.id === media?.id)
  return nextPress(history.data?.latest ?? card?.progress ?? null, card?.next_episode ?? null)
})
