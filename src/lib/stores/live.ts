/**
 * What changes elsewhere shows here within a second. One tab of a browser listens (connections are few) and tells the
 * others; which one is a lock's matter, so another takes over when it closes.
 */
import { refreshSession } from '../client/auth.ts'
import { type LiveEvent, listen } from '../client/events.ts'
import * as catalogue from '../contract/catalogue.ts'
import * as notices from '../contract/notices.ts'
import * as progressCalls from '../contract/progress.ts'
import * as recommend from '../contract/recommend.ts'
import { reloadFeedback } from './feedback.ts'
import { $profileId, loadProfiles } from './profile.ts'
import { noteListChange, refetch } from './query.ts'
import { $session } from './session.ts'
import { reloadEntries } from './watchlist.ts'

const CHANNEL = 'marquee-live'
/** Several events of one deed are answered once. */
const GATHER_MS = 150

let started = false

/** Begins with the first call; goes on as long as somebody is signed in. */
export function startLive(): void {
  if (started || !globalThis.navigator?.locks) return
  started = true
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => hear(data)
  let leaving: AbortController | null = null
  $session.subscribe(({ status }) => {
    if (status === 'anonymous') {
      leaving?.abort()
      leaving = null
    }
    if (status !== 'signed-in' || leaving) return
    leaving = new AbortController()
    const { signal } = leaving
    const tell = (event: LiveEvent) => {
      channel.postMessage(event)
      hear(event)
    }
    void navigator.locks
      .request(CHANNEL, { signal }, () => listen(tell, { signal, onGap: () => tell({ kind: 'gap' }) }))
      .catch(() => {})
  })
}

const waiting = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

function hear({ kind, profile_id }: LiveEvent): void {
  if (profile_id !== undefined && profile_id !== $profileId.get()) return
  if (kind === 'revoked') {
    void refreshSession()
    return
  }
  waiting.add(kind)
  clearTimeout(timer)
  timer = setTimeout(answer, GATHER_MS)
}

function answer(): void {
  const kinds = new Set(waiting)
  waiting.clear()
  const about = (kind: string) => kinds.has(kind) || kinds.has('gap')
  if (about('list')) {
    noteListChange()
    void reloadEntries()
  }
  if (about('progress')) refetch(progressCalls.continueWatching, progressCalls.getHistory)
  if (about('feedback')) void reloadFeedback()
  if (about('list') || about('feedback'))
    refetch(recommend.topPicks, recommend.topGenres, recommend.because, recommend.similar)
  if (about('notices')) refetch(notices.episodeNotices, notices.movieNotices, notices.listMuted)
  if (about('profiles')) void loadProfiles().catch(() => {})
  if (about('catalogue')) {
    refetch(catalogue.featuredMovies, catalogue.featuredSeries, progressCalls.continueWatching)
    refetch(recommend.topPicks, recommend.topGenres, recommend.because, recommend.similar)
  }
}
