/** What a card's preview shows beyond what the card knows. Reads are those of the title's page, which comes faster for it. */
import { atom, computed, type ReadableAtom } from 'nanostores'
import { askAhead } from '../client/call.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { MediaCard } from '../contract/media.ts'
import * as progressCalls from '../contract/progress.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import { nextPress } from '../rules/next-press.ts'
import { $continueWatching } from './media.ts'
import { $profile } from './profile.ts'
import { read } from './query.ts'
import { $listed } from './watchlist.ts'

const LOOKED_AT_MS = 120
let looking: ReturnType<typeof setTimeout> | undefined

/** Titles whose page is here since their preview was open, while reads are kept (query.ts). */
const here = new Map<string, number>()
const KEPT_MS = 240_000
const keyOf = ({ type, slug }: Pick<MediaCard, 'type' | 'slug'>) =>
  `${$profile.get()?.profile_id} ${type} ${slug}`

/** Somebody rests on a card: what its page shows is asked for. */
export function lookAhead(media: Pick<MediaCard, 'type' | 'slug'>): void {
  clearTimeout(looking)
  if ((here.get(keyOf(media)) ?? 0) > Date.now()) return
  const { type, slug } = media
  const endpoint = type === 'tv' ? catalogue.seriesBySlug : catalogue.movieBySlug
  looking = setTimeout(() => askAhead(endpoint, { params: { slug } }), LOOKED_AT_MS)
}

/** A card is being pressed: what the buttons of its title's page will say is asked for. */
export function pressAhead({ type, id }: Pick<MediaCard, 'type' | 'id'>): void {
  const profile = $profile.get()
  if (!profile) return
  const params = { id: profile.profile_id, type, mediaId: id }
  askAhead(progressCalls.getHistory, { params })
  if (!$listed.get()[`${type}/${id}`]) askAhead(watchlistCalls.getWatchlistEntry, { params })
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
$previewDetails.listen((details) => {
  if (details) here.set(keyOf(details), Date.now() + KEPT_MS)
})

const $history = read(
  progressCalls.getHistory,
  computed([$previewed, $profile], (media, profile) =>
    media && profile ? { params: { id: profile.profile_id, type: media.type, mediaId: media.id } } : null,
  ),
)

/** What Play does. Until it is known whether the title was begun, as for a title that was not. */
export const $previewPress = computed([$previewed, $history, $continueWatching], (media, history, going) => {
  const card = going.data?.results.find((one) => one.media.id === media?.id)
  return nextPress(history.data?.latest ?? card?.progress ?? null, card?.next_episode ?? null)
})
