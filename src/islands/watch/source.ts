/** Gets the bytes: picks the source, comes back from broken lines at the same place, says what cannot be played. */
import { atom, computed } from 'nanostores'
import { ApiError } from '../../lib/client/errors.ts'
import type { Stream } from '../../lib/contract/playback.ts'
import { placeIn } from '../../lib/rules/player-next.ts'
import { coarser, isHls, type QualityWish, qualitiesOf, sourceOrder } from '../../lib/rules/player-quality.ts'
import { $player, type Ready, renewStream } from '../../lib/stores/player.ts'
import { $user } from '../../lib/stores/session.ts'
import { $started, $waiting, adopt, currentPlace, picture, play, reset, seekTo } from './deck.ts'
import type { HlsLine } from './hls.ts'

type Source = Stream['sources'][number]

export const $fault = atom<'network' | 'format' | null>(null)
export const $source = atom<Source | null>(null)
/** Chosen in this player; until then the account's preference. */
const $chosen = atom<QualityWish | null>(null)
export const $wish = computed(
  [$chosen, $user],
  (chosen, user): QualityWish => chosen ?? user?.preferences.media_quality ?? 'auto',
)
/** Lines of pixels that an adaptive source offers, the finest first. */
export const $levels = atom<number[]>([])
export const $qualities = computed([$player, $levels], (player, levels) =>
  player.status !== 'ready'
    ? []
    : levels.length > 1
      ? levels.map((lines) => `${lines}p`)
      : qualitiesOf(player.stream.sources),
)

const RETRY_MS = 5_000
/** Waiting this long without a byte is a broken line, whatever the browser thinks of it. */
const STALL_MS = 15_000
const OFFLINE_STALL_MS = 1_200
const STALLS = 2

let line: HlsLine | null = null
/** Addresses that failed in this title, and whether its lookup was renewed since the last picture. */
let failed = new Set<string>()
let renewed = false
let stalls = 0
let wantsPlay = true
let retry: ReturnType<typeof setTimeout> | undefined
let stall: ReturnType<typeof setTimeout> | undefined

/** Starts what `$player` found, from its place. */
export function startStream(start: Ready['start']): void {
  const { at } = start
  failed = new Set()
  renewed = false
  stalls = 0
  clearTimeout(retry)
  $fault.set(null)
  $levels.set([])
  reset(at)
  const first = best()
  const video = picture()
  const correct = () => {
    if (video && at > 0) seekTo(placeIn(video.duration, start))
  }
  if (at > 0) video?.addEventListener('loadedmetadata', correct, { once: true })
  /* The page's first script may have begun with it (layouts/early-picture.js). */
  if (first && video && (video.dataset['plays'] ?? video.getAttribute('src')) === first.url && !video.error) {
    $source.set(first)
    wantsPlay = true
    adopt()
  } else void show(first, at, true)
}

/** Takes its hands off the element. */
export function stopStream(): void {
  clearTimeout(retry)
  clearTimeout(stall)
  line?.end()
  line = null
  $fault.set(null)
  $source.set(null)
}

/** Another quality at the same place; plays on if it played. */
export function setQuality(wish: QualityWish): void {
  $chosen.set(wish)
  stalls = 0
  if (line) {
    line.setLines(Number.parseInt(wish, 10) || null)
    return
  }
  const next = best()
  if (next && next.url !== $source.get()?.url) void show(next, currentPlace(), picture()?.paused === false)
}

function candidates(): Source[] {
  const player = $player.get()
  if (player.status !== 'ready') return []
  const connection = (navigator as { connection?: { saveData?: boolean; effectiveType?: string } }).connection
  return sourceOrder(player.stream.sources, $wish.get(), {
    canPlay,
    screen: Math.min(screen.width, screen.height) * devicePixelRatio,
    saveData: connection?.saveData === true,
    line: connection?.effectiveType,
  })
}
const best = () => candidates().find(({ quality, mime_type }) => !failed.has(quality + mime_type)) ?? null
const canPlay = (type: string) =>
  type === '' || picture()?.canPlayType(type) !== '' || (isHls(type) && 'MediaSource' in window)

async function show(source: Source | null, at: number, playing: boolean): Promise<void> {
  const video = picture()
  if (!video) return
  line?.end()
  line = null
  delete video.dataset['plays']
  $source.set(source)
  if (!source) return $fault.set('format')
  wantsPlay = playing
  if (isHls(source.mime_type) && video.canPlayType(source.mime_type) === '') {
    const { openHls } = await import('./hls.ts')
    if ($source.get() !== source) return
    line = openHls(video, source.url, at, { onLevels: (levels) => $levels.set(levels), onBroken: hlsBroke })
  } else {
    video.src = source.url
    /* Before anything is loaded this names where to begin (HTML, "default playback start position"). */
    if (at > 0) video.currentTime = at
  }
  if (playing) play()
}

function hlsBroke(kind: 'network' | 'format'): void {
  if (kind === 'network') lost()
  else void giveUpOn($source.get())
}

/** Told of every error of the element. */
export async function onError(): Promise<void> {
  const error = picture()?.error
  if (!error || $fault.get() || line) return
  if (error.code === MediaError.MEDIA_ERR_NETWORK || !navigator.onLine) return lost()
  /* The same code stands for a format and for an address that has run out: a fresh one tells them apart. */
  if (renewed) return giveUpOn($source.get())
  await comeBack(currentPlace(), wantsPlay)
}

async function giveUpOn(source: Source | null): Promise<void> {
  if (source) failed.add(source.quality + source.mime_type)
  await show(best(), currentPlace(), wantsPlay)
}

/** The line broke: the place is kept, and playing goes on by itself once there is one again. */
function lost(): void {
  if ($fault.get() === 'network') return
  $fault.set('network')
  retry = setTimeout(() => void reconnect(), RETRY_MS)
}

export async function reconnect(): Promise<void> {
  if ($fault.get() !== 'network') return
  clearTimeout(retry)
  await comeBack(currentPlace(), wantsPlay)
}

async function comeBack(at: number, playing: boolean): Promise<void> {
  const player = $player.get()
  if (player.status !== 'ready') return
  try {
    await renewStream()
  } catch (error) {
    const { status } = error instanceof ApiError ? error : { status: 0 }
    if (status === 404) $player.set({ status: 'nothing', media: player.media })
    else if (error instanceof ApiError && status >= 400 && status < 500 && status !== 429)
      $player.set({ status: 'failed', error })
    else {
      if ($fault.get() === null) $fault.set('network')
      retry = setTimeout(() => void reconnect(), RETRY_MS)
    }
    return
  }
  const now = $player.get()
  if (now.status !== 'ready' || now.key !== player.key) return
  renewed = true
  $fault.set(null)
  await show(best(), at, playing)
}

/** Told when the picture moves again. */
function onMoving(): void {
  clearTimeout(stall)
  renewed = false
  wantsPlay = true
}

function onWaiting(): void {
  clearTimeout(stall)
  const began = performance.now()
  const look = () => {
    if (!$waiting.get() || $fault.get()) return
    if (!navigator.onLine || performance.now() - began > STALL_MS) return lost()
    stall = setTimeout(look, OFFLINE_STALL_MS)
  }
  stall = setTimeout(look, OFFLINE_STALL_MS)
  const video = picture()
  if ($started.get() && video && !video.seeking && !line && ++stalls >= STALLS) goCoarser()
}

/** A line too slow for "auto". */
function goCoarser(): void {
  const player = $player.get()
  const now = $source.get()
  if ($wish.get() !== 'auto' || player.status !== 'ready' || !now) return
  const next = coarser(
    player.stream.sources.filter(({ mime_type }) => canPlay(mime_type)),
    now,
  )
  if (!next) return
  stalls = 0
  void show(next, currentPlace(), picture()?.paused === false)
}

export function watchLine(video: HTMLVideoElement): void {
  video.addEventListener('error', () => void onError())
  video.addEventListener('waiting', onWaiting)
  video.addEventListener('playing', onMoving)
  video.addEventListener('pause', () => {
    if (!$fault.get() && video.readyState > 0) wantsPlay = false
  })
}

export const audioLine = () => line
