/**
 * Displays changes from other devices within a second. Browsers limit connections per server, so only one tab connects and
 * forwards the events to the others. A Web Lock decides which tab connects; when that tab closes, another one takes over.
 */
import { refreshSession } from '../client/auth.ts'
import { type AccountEvent, listenToAccountEvents } from '../client/events.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import * as listCalls from '../contract/lists.ts'
import * as notices from '../contract/notices.ts'
import * as progressCalls from '../contract/progress.ts'
import * as recommend from '../contract/recommendations.ts'
import type { AccountEventKind } from '../contract/system.ts'
import * as viewingTime from '../contract/viewing-time.ts'
import { ACCOUNT_EVENTS_CHANNEL } from '../storage-keys.ts'
import { reloadFeedback } from './feedback.ts'
import { markListsChanged } from './named-lists-version.ts'
import { $profileId, loadProfiles } from './profile.ts'
import { markViewingsChanged, markWatchlistChanged, refetch, refetchAll } from './query.ts'
import { reloadRatings } from './ratings.ts'
import { $session } from './session.ts'
import { reloadWatchlistEntries } from './watchlist.ts'

/** Collects the events of one change, so that data is reloaded once. */
const BATCH_DELAY_MS = 150

let isStarted = false

/** Starts listening on the first call. Listens while somebody is signed in. */
export function startAccountEvents(): void {
  if (isStarted || !globalThis.navigator?.locks) return
  isStarted = true
  const channel = new BroadcastChannel(ACCOUNT_EVENTS_CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<AccountEvent>) => handleEvent(data)
  let abortController: AbortController | null = null
  $session.subscribe(({ status }) => {
    if (status === 'anonymous') {
      abortController?.abort()
      abortController = null
    }
    if (status !== 'signed-in' || abortController) return
    abortController = new AbortController()
    const { signal } = abortController
    const publish = (event: AccountEvent) => {
      channel.postMessage(event)
      handleEvent(event)
    }
    void navigator.locks
      .request(ACCOUNT_EVENTS_CHANNEL, { signal }, () =>
        listenToAccountEvents(publish, { signal, onGap: () => publish({ kind: 'gap' }) }),
      )
      .catch(() => {})
  })
}

const changedKinds = new Set<string>()
let batchTimer: ReturnType<typeof setTimeout> | undefined

function handleEvent({ kind, profile_id }: AccountEvent): void {
  if (profile_id !== undefined && profile_id !== $profileId.get()) return
  if (kind === 'revoked') {
    void refreshSession()
    return
  }
  changedKinds.add(kind)
  clearTimeout(batchTimer)
  batchTimer = setTimeout(reloadChanged, BATCH_DELAY_MS)
}

const RECOMMENDATIONS = [
  recommend.listTopPicks,
  recommend.listTopGenreRows,
  recommend.listBecauseRows,
  recommend.listSimilarTitles,
]
/** What is reloaded after a change: displayed reads, and other stores with `reload`. */
const RELOADS: Record<AccountEventKind | 'catalogue', { reads?: Endpoint[]; reload?: () => void }> = {
  list: {
    reads: RECOMMENDATIONS,
    reload: () => {
      markWatchlistChanged()
      void reloadWatchlistEntries()
    },
  },
  progress: {
    reads: [progressCalls.listContinueWatching, progressCalls.getTitleProgress],
    reload: markViewingsChanged,
  },
  feedback: { reads: RECOMMENDATIONS, reload: () => void reloadFeedback() },
  ratings: {
    reads: RECOMMENDATIONS,
    reload: () => {
      markWatchlistChanged()
      markViewingsChanged()
      void reloadRatings()
    },
  },
  lists: { reads: [listCalls.listNamedLists, listCalls.listHomeLists], reload: markListsChanged },
  notices: { reads: [notices.listEpisodeNotices, notices.listMovieNotices, notices.listMutedTitles] },
  requests: { reload: refetchAll },
  viewing_time: { reads: [viewingTime.getViewingTime, viewingTime.getViewingLimits] },
  profiles: { reload: () => void loadProfiles().catch(() => {}) },
  catalogue: {
    reads: [
      catalogue.listFeaturedMovies,
      catalogue.listFeaturedSeries,
      progressCalls.listContinueWatching,
      ...RECOMMENDATIONS,
    ],
  },
}

function reloadChanged(): void {
  const changedReloads = Object.entries(RELOADS).filter(
    ([kind]) => changedKinds.has(kind) || changedKinds.has('gap'),
  )
  changedKinds.clear()
  refetch(...changedReloads.flatMap(([, { reads = [] }]) => reads))
  for (const [, { reload }] of changedReloads) reload?.()
}
