/** Keyboard and remote control input. rules/player-keys.ts maps a key to an action; this module performs it. */

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

function focusContextOf(target: EventTarget | null): KeyPlace {
  const paused = $paused.get()
  if (!(target instanceof Element)) return { focus: 'picture', paused }
  if (target.matches('[data-timeline]')) return { focus: 'timeline', paused }
  if (target.matches('input[type=range]')) return { focus: 'range', paused }
  if (target.matches('input,select,textarea,[contenteditable]')) return { focus: 'typing', paused }
  return { focus: target.matches('a,button,[role=radio]') ? 'button' : 'picture', paused }
}

/** Returns a function that removes the listener. */
export function listenToKeys(embed: boolean): () => void {
  const handleKeyDown = (event: KeyboardEvent) => {
    noteInput()
    if (document.querySelector('dialog[open]')) return
    const isNavigationKey = event.key.startsWith('Arrow') || event.key === 'Enter' || event.key === 'Tab'
    $byKeys.set(isNavigationKey)
    wake()
    if ($player.get().status !== 'ready') return
    const action = actionOf(event, focusContextOf(event.target))
    if (!action || (embed && NOT_IN_EMBED.has(action.do))) return
    event.preventDefault()
    performAction(action)
  }
  document.addEventListener('keydown', handleKeyDown)
  return () => document.removeEventListener('keydown', handleKeyDown)
}

const NOT_IN_EMBED = new Set(['episodes', 'keys', 'info', 'leave', 'focus', 'escape'])

const SIMPLE_ACTIONS: Partial<Record<PlayerAction['do'], () => unknown>> = {
  toggle,
  ok: toggleFromRemote,
  play,
  pause,
  /* Some remotes send Escape for their Back button. */
  escape: () => closeTopmost() || (isRemote() && leave()),
  mute: toggleMute,
  captions: toggleCaptions,
  'skip-intro': skipIntro,
  fullscreen: () => void toggleFullscreen(),
  leave: () => closeTopmost() || leave(),
  next: () => playEpisode($nextEpisode.get()),
  previous: () => playEpisode($previousEpisode.get()),
  info: () => openPanel('info'),
  keys: () => openPanel('keys'),
  episodes: () => {
    const player = $player.get()
    if (player.status === 'ready' && player.episode) openPanel('episodes')
  },
}

function performAction(action: PlayerAction): void {
  if (action.do === 'skip') skip(action.seconds)
  else if (action.do === 'jump') seekTo(action.share * $duration.get())
  else if (action.do === 'volume') changeVolume(action.change)
  else if (action.do === 'rate') stepRate(action.step)
  else if (action.do === 'frame') frame(action.step)
  else if (action.do === 'focus') focusRow(action.row)
  else SIMPLE_ACTIONS[action.do]?.()
}

export function skipIntro(): void {
  const player = $player.get()
  const intro = player.status === 'ready' ? player.stream.intro : undefined
  const positionSeconds = $time.get()
  if (intro && positionSeconds >= intro.start && positionSeconds < intro.end) seekTo(intro.end)
}

const findVisible = (selector: string) =>
  [...(theatre()?.querySelectorAll<HTMLElement>(selector) ?? [])].find((element) => element.checkVisibility())

/** The OK button of a remote: pausing focuses the play button, playing blurs it, so that the arrow keys seek again. */
function toggleFromRemote(): void {
  const isPausing = !$paused.get()
  toggle()
  if (isPausing) requestAnimationFrame(() => findVisible('[data-play]')?.focus({ preventScroll: true }))
  else letGo()
}

/** Removes the focus from the controls, so that the arrow keys belong to the player again. */
export function letGo(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && theatre()?.contains(activeElement)) activeElement.blur()
}

/** Moves the focus up or down from a slider, since left and right change its value. */
function focusRow(row: 'above' | 'below'): void {
  findVisible(row === 'below' ? '[data-play]' : '[data-top] a, [data-top] button')?.focus({
    preventScroll: true,
  })
}

/**
 * Closes the panel, else blurs the focused control, else leaves fullscreen. Returns false when there was nothing to
 * do.
 */
function closeTopmost(): boolean {
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
