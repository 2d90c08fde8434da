/**
 * Data of the preview that opens over a card. The preview and the page of a title request the same data. After a
 * preview, the page of the title therefore opens faster.
 */
import { computed, type ReadableAtom } from 'nanostores'
import { prefetchRead } from '../client/prefetch-read.ts'
import { setProfileTimeout } from '../client/profile-session.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { MediaCard } from '../contract/media.ts'
import * as progressCalls from '../contract/progress.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import { getPlayAction } from '../rules/play-action.ts'
import { $displayedContinueWatching } from './continue-watching.ts'
import { $pendingWrites } from './pending-writes.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { createReadStore } from './query.ts'
import { hideDeletedProgress } from './title-progress.ts'
import { $watchlistEntries } from './watchlist.ts'

/** Delay in milliseconds after which a pointer counts as resting on a card. */
const HOVER_DELAY_MS = 120
let hoverTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Times (milliseconds since 1970) until which the cached details of a title may be used, by type and slug of the title
 * (`buildPreviewKey`).
 */
const $detailsExpiryMsByKey = perProfile(() => new Map<string, number>())
const DETAILS_LIFETIME_MS = 240_000
const buildPreviewKey = ({ type, slug }: Pick<MediaCard, 'type' | 'slug'>) => `${type} ${slug}`

/** Prefetches the details of a title when the pointer rests on its card. */
export function prefetchDetails(media: Pick<MediaCard, 'type' | 'slug'>): void {
  clearTimeout(hoverTimer)
  if (($detailsExpiryMsByKey.get().get(buildPreviewKey(media)) ?? 0) > Date.now()) return
  const { type, slug } = media
  const endpoint = type === 'tv' ? catalogue.getSeriesBySlug : catalogue.getMovieBySlug
  hoverTimer = setProfileTimeout(() => prefetchRead(endpoint, { params: { slug } }), HOVER_DELAY_MS)
}

/** Prefetches the state of the action buttons of a title while its card is being pressed. */
export function prefetchActionState({ type, id }: Pick<MediaCard, 'type' | 'id'>): void {
  const profile = $profile.get()
  if (!profile) return
  const params = { id: profile.profile_id, type, mediaId: id }
  prefetchRead(progressCalls.getTitleProgress, { params })
  if (!$watchlistEntries.get()[`${type}/${id}`]) prefetchRead(watchlistCalls.getWatchlistEntry, { params })
}

/** The title whose preview is open; null when no preview is open. */
export const $previewedTitle = perProfile<MediaCard | null>(() => null)

/** Creates a store with the details of the title in `$media`. The store requests nothing while `$media` is null. */
export function createDetailsStore($media: ReadableAtom<MediaCard | null>) {
  const createSlugInput = (type: MediaCard['type']) =>
    computed([$media, $profile], (media, profile) =>
      profile && media?.type === type ? { params: { slug: media.slug } } : null,
    )
  const $movie = createReadStore(catalogue.getMovieBySlug, createSlugInput('movie'))
  const $series = createReadStore(catalogue.getSeriesBySlug, createSlugInput('tv'))
  return computed([$media, $movie, $series], (media, movie, series) =>
    media?.type === 'tv' ? series.data : movie.data,
  )
}
export const $previewDetails = createDetailsStore($previewedTitle)
$previewDetails.listen((details) => {
  if (details) $detailsExpiryMsByKey.get().set(buildPreviewKey(details), Date.now() + DETAILS_LIFETIME_MS)
})

const $previewProgress = createReadStore(
  progressCalls.getTitleProgress,
  computed([$previewedTitle, $profile], (media, profile) =>
    media && profile ? { params: { id: profile.profile_id, type: media.type, mediaId: media.id } } : null,
  ),
)

/** Progress in the previewed title. Progress that a pending write deletes is not displayed. */
export const $displayedPreviewProgress = computed(
  [$previewProgress, $previewedTitle, $pendingWrites],
  hideDeletedProgress,
)

/**
 * Action of the Play button in the preview. Until the progress is loaded, the card of the title in Continue Watching
 * determines the action; without a card, the button plays from the beginning.
 */
export const $previewPlayAction = computed(
  [$previewedTitle, $displayedPreviewProgress, $displayedContinueWatching],
  (media, progress, continueWatching) => {
    const continueCard = continueWatching.data?.results.find((candidate) => candidate.media.id === media?.id)
    return getPlayAction(
      progress.data?.latest ?? continueCard?.progress ?? null,
      // The progress also names the next episode of a series without a card in Continue Watching, such as a dismissed
      // series.
      progress.data?.next_episode ?? continueCard?.next_episode ?? null,
      progress.data?.episodes,
    )
  },
)
