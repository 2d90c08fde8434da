/**
 * Receives account events about changes that were made on other devices, and reloads the changed data. Browsers limit
 * the connections per server. So only one tab connects and forwards the events to the other tabs. The tab that holds a
 * Web Lock connects. When this tab closes, another tab gets the lock. Over plain HTTP, browsers have no Web Locks:
 * there, every visible tab connects.
 */
import { refreshSession } from '../client/auth.ts'
import { type AccountEvent, listenToAccountEvents } from '../client/events.ts'
import { listNewestLibraryTitles } from '../contract/availability.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import * as family from '../contract/family.ts'
import * as listCalls from '../contract/lists.ts'
import * as noticeRules from '../contract/notice-rules.ts'
import * as notices from '../contract/notices.ts'
import * as progressCalls from '../contract/progress.ts'
import type { AccountEventKind } from '../contract/system.ts'
import * as viewingTime from '../contract/viewing-time.ts'
import * as watchRequests from '../contract/watch-requests.ts'
import type { RemoteCommand } from '../rules/remote-commands.ts'
import { ACCOUNT_EVENTS_CHANNEL } from '../storage-keys.ts'
import { FEEDBACK_DEPENDENT_READS, loadMissingFeedback, reloadFeedback } from './feedback.ts'
import { markJobsChanged } from './jobs-version.ts'
import { markListsChanged } from './named-lists-version.ts'
import { $profileId, loadProfiles } from './profile.ts'
import {
  $refetchAllCount,
  markViewingsChanged,
  markWatchlistChanged,
  RECOMMENDATION_READS,
  refetch,
  refetchAll,
} from './query.ts'
import { loadMissingRatings, reloadRatings } from './ratings.ts'
import { $user } from './session.ts'
import { loadMissingWatchlistEntries, reloadWatchlistEntries } from './title-reloads.ts'
import { keepTodayUpdated } from './today.ts'

/**
 * Time in milliseconds for which events are collected, so that several events about one change reload data only once.
 */
const EVENT_BATCH_DELAY_MS = 150

let isStarted = false

/**
 * Listens for events whenever a user is signed in, and reloads data when the date changes. Further calls do nothing.
 */
export function startAccountEvents(): void {
  if (isStarted) return
  isStarted = true
  keepTodayUpdated(reloadForNewDate)
  const channel = new BroadcastChannel(ACCOUNT_EVENTS_CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<AccountEvent>) => handleAccountEvent(data)
  handleAccountEvent({ kind: 'opened' })
  let abortController: AbortController | null = null
  $user.subscribe((user) => {
    if (!user) {
      abortController?.abort()
      abortController = null
    }
    if (!user || abortController) return
    abortController = new AbortController()
    const { signal } = abortController
    if (!navigator.locks) {
      listenWhileVisible(signal)
      return
    }
    const publishEvent = (event: AccountEvent) => {
      channel.postMessage(event)
      handleAccountEvent(event)
    }
    void navigator.locks
      .request(ACCOUNT_EVENTS_CHANNEL, { signal }, () =>
        listenToAccountEvents(publishEvent, {
          signal,
          onOpen: () => handleAccountEvent({ kind: 'opened' }),
          onGap: () => publishEvent({ kind: 'gap' }),
          onRejected: refreshSession,
        }),
      )
      .catch(() => {})
  })
}

/**
 * Connects while this tab is visible, until `signal` aborts. Hidden tabs disconnect, because browsers allow only six
 * connections to a server without TLS.
 */
function listenWhileVisible(signal: AbortSignal): void {
  const reportGap = () => handleAccountEvent({ kind: 'gap' })
  let onOpen = () => handleAccountEvent({ kind: 'opened' })
  let connection: AbortController | null = null
  const updateConnection = () => {
    if (signal.aborted || document.visibilityState === 'hidden') {
      connection?.abort()
      connection = null
      return
    }
    if (connection) return
    connection = new AbortController()
    void listenToAccountEvents(handleAccountEvent, {
      signal: connection.signal,
      onOpen,
      onGap: reportGap,
      onRejected: refreshSession,
    })
    // While the tab is hidden, it misses events. Every later connection is therefore reported as a gap in the events,
    // so that all data is reloaded.
    onOpen = reportGap
  }
  document.addEventListener('visibilitychange', updateConnection, { signal })
  signal.addEventListener('abort', updateConnection)
  updateConnection()
}

/** Event from the other device of a remote-control pairing. */
export interface RemoteControlEvent extends AccountEvent {
  pairing_id?: string
  state?: 'paired' | 'ended'
  reason?: 'locked_profile'
  device_name?: string
  command?: RemoteCommand
  text?: string
}
const remoteControlListeners = new Set<(event: RemoteControlEvent) => void>()

/** Calls `listener` with the events of remote-control pairings. Returns the function that unsubscribes. */
export function listenToRemoteControlEvents(listener: (event: RemoteControlEvent) => void): () => void {
  remoteControlListeners.add(listener)
  return () => remoteControlListeners.delete(listener)
}

// `refetchAll` does not refetch watchlist entries, ratings and feedback, because the cache of query.ts does not contain
// them. This listener requests the entries, ratings and feedback that could not be loaded before.
$refetchAllCount.listen((count) => {
  if (count === 0) return
  void loadMissingWatchlistEntries()
  void loadMissingRatings()
  void loadMissingFeedback()
})

/**
 * Reloads the displayed data when the date changes, because the server sends no event for titles that are released on
 * the new date.
 */
function reloadForNewDate(): void {
  refetchAll()
  void reloadWatchlistEntries()
}

const receivedEventKinds = new Set<string>()
let batchTimer: ReturnType<typeof setTimeout> | undefined

function handleAccountEvent(event: AccountEvent): void {
  const { kind, profile_id } = event
  if (kind === 'remote') {
    for (const listener of remoteControlListeners) listener(event)
    return
  }
  if (profile_id !== undefined && profile_id !== $profileId.get()) return
  if (kind === 'revoked') {
    void refreshSession()
    return
  }
  receivedEventKinds.add(kind)
  // A further event does not restart the timer. Otherwise frequent events, such as those of running jobs, could delay
  // the reload without limit.
  if (!batchTimer) batchTimer = setTimeout(reloadChangedData, EVENT_BATCH_DELAY_MS)
}

/**
 * Data to reload after an event of each kind: `reads` are refetched if they are displayed, and `reload` reloads other
 * stores.
 */
const RELOADS_BY_EVENT_KIND: Record<
  AccountEventKind | 'catalogue' | 'job' | 'opened',
  { reads?: Endpoint[]; reload?: () => void }
> = {
  list: {
    reads: RECOMMENDATION_READS,
    reload: () => {
      markWatchlistChanged()
      void reloadWatchlistEntries()
    },
  },
  progress: {
    reads: [progressCalls.listContinueWatching, progressCalls.getTitleProgress],
    reload: markViewingsChanged,
  },
  feedback: {
    reads: FEEDBACK_DEPENDENT_READS,
    reload: () => {
      markWatchlistChanged()
      void reloadFeedback()
    },
  },
  ratings: {
    reads: RECOMMENDATION_READS,
    reload: () => {
      markWatchlistChanged()
      markViewingsChanged()
      void reloadRatings()
    },
  },
  lists: { reads: [listCalls.listNamedLists, listCalls.listHomeLists], reload: markListsChanged },
  notices: {
    reads: [
      notices.listEpisodeNotices,
      notices.listMovieNotices,
      noticeRules.listMutedTitles,
      noticeRules.listNoticeRules,
    ],
  },
  requests: { reload: refetchAll },
  // This tab causes `opened` itself when it starts to listen, because it has missed earlier events about watch
  // requests and viewing time.
  opened: {
    reads: [watchRequests.listWatchRequests, watchRequests.listAskableTitles, viewingTime.getViewingTime],
  },
  viewing_time: {
    reads: [viewingTime.getViewingTime, viewingTime.getViewingLimits, viewingTime.getFamilySettings],
  },
  job: { reload: markJobsChanged },
  profiles: {
    reads: [
      family.getProfileLimits,
      family.listTitleRules,
      viewingTime.getFamilySettings,
      viewingTime.getViewingLimits,
      watchRequests.getChildOptions,
    ],
    reload: () => void loadProfiles().catch(() => {}),
  },
  catalogue: {
    reads: [
      catalogue.listFeaturedMovies,
      catalogue.listFeaturedSeries,
      listNewestLibraryTitles,
      catalogue.getMovieBySlug,
      catalogue.getSeriesBySlug,
      catalogue.listEpisodes,
      progressCalls.listContinueWatching,
      progressCalls.getTitleProgress,
      ...RECOMMENDATION_READS,
    ],
  },
}

function reloadChangedData(): void {
  batchTimer = undefined
  const dueReloads = Object.entries(RELOADS_BY_EVENT_KIND).filter(
    ([kind]) => receivedEventKinds.has(kind) || receivedEventKinds.has('gap'),
  )
  receivedEventKinds.clear()
  refetch(...dueReloads.flatMap(([, { reads = [] }]) => reads))
  for (const [, { reload }] of dueReloads) reload?.()
}
