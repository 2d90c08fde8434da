/** The keyboard and the remote: rules/player-keys.ts says what a key means, this does it. */

import { actionOf, type KeyPlace, type PlayerAction } from '../../lib/rules/player-keys.ts'
import { $nextEpisode, $player, $previousEpisode } from '../../lib/stores/player.ts'
import { isRemote } from '../remote.ts'
import { noteInput } from './attention.ts'
import { $byKeys, $panel, openPanel, wake } from './controls.ts'
import {
  $duration,
  $paused,
  $time,
  changeVolume,
  frame,
  pause,
  play,
  seekTo,
  skip,
  stepRate,
  theatre,
  toggle,
  toggleMute,
} from './deck.ts'
import { leave } from './leave.ts'
import { playEpisode } from './next.ts'
import { toggleFullscreen } from './screens.ts'
import { toggleCaptions } from './tracks.ts'

function placeOf(target: EventTarget | null): KeyPlace {
  const paused = $paused.get()
  if (!(target instanceof Element)) return { focus: 'picture', paused }
  if (target.matches('[data-timeline]')) return { focus: 'timeline', paused }
  if (target.matches('input[type=range]')) return { focus: 'range', paused }
  if (target.matches('input,select,textarea,[contenteditable]')) return { focus: 'typing', paused }
  return { focus: target.matches('a,button,[role=radio]') ? 'button' : 'picture', paused }
}

/** Returns how to stop. */
export function listenToKeys(embed: boolean): () => void {
  const listen = (event: KeyboardEvent) => {
    noteInput()
    if (document.querySelector('dialog[open]')) return
    const moves = event.key.startsWith('Arrow') || event.key === 'Enter' || event.key === 'Tab'
    $byKeys.set(moves)
    wake()
    if ($player.get().status !== 'ready') return
    const action = actionOf(event, placeOf(event.target))
    if (!action || (embed && NOT_EMBEDDED.has(action.do))) return
    event.preventDefault()
    act(action)
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}

const NOT_EMBEDDED = new Set(['episodes', 'keys', 'info', 'leave', 'focus', 'escape'])

const SIMPLE: Partial<Record<PlayerAction['do'], () => unknown>> = {
  toggle,
  ok,
  play,
  pause,
  /* Some remotes send Escape for Back. */
  escape: () => stepBack() || (isRemote() && leave()),
  mute: toggleMute,
  captions: toggleCaptions,
  'skip-intro': skipIntro,
  fullscreen: () => void toggleFullscreen(),
  leave: () => stepBack() || leave(),
  next: () => playEpisode($nextEpisode.get()),
  previous: () => playEpisode($previousEpisode.get()),
  info: () => openPanel('info'),
  keys: () => openPanel('keys'),
  episodes: () => {
    const player = $player.get()
    if (player.status === 'ready' && player.episode) openPanel('episodes')
  },
}

function act(action: PlayerAction): void {
  if (action.do === 'skip') skip(action.seconds)
  else if (action.do === 'jump') seekTo(action.share * $duration.get())
  else if (action.do === 'volume') changeVolume(action.change)
  else if (action.do === 'rate') stepRate(action.step)
  else if (action.do === 'frame') frame(action.step)
  else if (action.do === 'focus') focusRow(action.row)
  else SIMPLE[action.do]?.()
}

export function skipIntro(): void {
  const player = $player.get()
  const intro = player.status === 'ready' ? player.stream.intro : undefined
  const now = $time.get()
  if (intro && now >= intro.start && now < intro.end) seekTo(intro.end)
}

const shown = (selector: string) =>
  [...(theatre()?.querySelectorAll<HTMLElement>(selector) ?? [])].find((one) => one.checkVisibility())

/** OK on a remote: pausing leads among the buttons, playing leads back to the picture, where arrows seek. */
function ok(): void {
  const pausing = !$paused.get()
  toggle()
  if (pausing) requestAnimationFrame(() => shown('[data-play]')?.focus({ preventScroll: true }))
  else letGo()
}

/** Back to the picture: the arrows are the player's again. */
export function letGo(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && theatre()?.contains(activeElement)) activeElement.blur()
}

/** From a slider, whose own arrows go along it. */
function focusRow(row: 'above' | 'below'): void {
  shown(row === 'below' ? '[data-play]' : '[data-top] a, [data-top] button')?.focus({ preventScroll: true })
}

/** Closes what is open, lets go of the buttons, leaves full screen: one of them. False when there was nothing. */
function stepBack(): boolean {
  if ($panel.get()) {
    openPanel(null)
    return true
  }
  if (theatre()?.querySelector('[data-controls] :focus')) {
    letGo()
    return true
  }
  if (!document.fullscreenElement) return false
  void document.exitFullscreen().catch(() => {})
  return true
}
