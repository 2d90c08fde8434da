/**
 * Keyboard and remote control input. rules/player-keys.ts maps a key to an action. This module performs the
 * action.
 */

import { findChapterStartSeconds } from '../../lib/rules/chapters.ts'
import {
  getPlayerAction,
  isRepeatableAction,
  type KeyContext,
  type PlayerAction,
} from '../../lib/rules/player-keys.ts'
import { areSingleKeyShortcutsOn } from '../../lib/single-key-shortcuts.ts'
import { $player } from '../../lib/stores/player.ts'
import { $nextEpisode, $previousEpisode } from '../../lib/stores/player-episodes.ts'
import { isInRemoteControlMode } from '../navigation-state.ts'
import {
  $closeNextEpisodeCard,
  $isNavigatingByKeyboard,
  $openPanel,
  showControls,
  togglePanel,
} from './controls.ts'
import { $isCovered, $isTimeOver } from './covering-screen.ts'
import { toggleFullscreen } from './display-modes.ts'
import { playEpisode } from './episode-navigation.ts'
import { exitPlayer } from './exit-player.ts'
import { showKeyboardSeekPreview } from './seek-preview-state.ts'
import { $isStillWatchingPromptOpen, recordUserInput, resumeAfterPrompt } from './still-watching.ts'
import { $activeCaption, $isCaptionDelayShown, changeCaptionDelay, toggleCaptions } from './tracks.ts'
import {
  $durationSeconds,
  $isPaused,
  $positionSeconds,
  changeVolume,
  getPlayerRoot,
  pausePlayback,
  seekTo,
  skipSeconds,
  startPlayback,
  stepFrame,
  stepPlaybackRate,
  toggleMute,
  togglePlayback,
} from './video-element.ts'

const getKeyContext = ({ target, key }: KeyboardEvent): KeyContext => ({
  focus: getFocusKind(target, key),
  isPaused: $isPaused.get(),
  isInRemoteControlMode: isInRemoteControlMode(),
  areSingleKeysOn: areSingleKeyShortcutsOn(),
})

function getFocusKind(target: EventTarget | null, key: string): KeyContext['focus'] {
  if (!(target instanceof Element)) return 'picture'
  // The button to skip the intro gets the focus without a key press, so left and right must still seek.
  if (target.matches('[data-skip-intro]') && (key === 'ArrowLeft' || key === 'ArrowRight')) return 'picture'
  if (target.matches('[data-timeline]')) return 'timeline'
  if (target.matches('input[type=range]')) return 'range'
  if (target.matches('input,select,textarea,[contenteditable]')) return 'typing'
  if (!target.matches('a,button,[role=radio]')) return 'picture'
  return target.closest('[data-popover]') ? 'option' : 'button'
}

/** Listens to key presses and returns a function that removes the listener. */
export function listenToKeyboard(isEmbedded: boolean): () => void {
  const handleKeyDown = (event: KeyboardEvent) => {
    const isPromptOpen = $isStillWatchingPromptOpen.get()
    recordUserInput()
    if (isPromptOpen && PLAY_KEY_PATTERN.test(event.key)) return resumeAfterPrompt()
    if (document.querySelector('dialog[open]')) return
    const isNavigationKey = event.key.startsWith('Arrow') || event.key === 'Enter' || event.key === 'Tab'
    $isNavigatingByKeyboard.set(isNavigationKey)
    showControls()
    updateVolumeSliderTabIndex()
    if ($player.get().status !== 'ready') return
    if (focusCardByArrow(event)) return event.preventDefault()
    const keyContext = getKeyContext(event)
    const action = getPlayerAction(event, keyContext)
    // A held OK key would press the focused button again and again.
    const isHeldPress = keyContext.focus !== 'typing' && (event.key === 'Enter' || event.key === ' ')
    if (event.repeat && (action ? !isRepeatableAction(action) : isHeldPress)) return event.preventDefault()
    if (!action || (isEmbedded && ACTIONS_DISABLED_IN_EMBED.has(action.kind))) return
    if ($isTimeOver.get() && !TIME_OVER_ACTION_PATTERN.test(action.kind)) return
    // Does not prevent the default when Escape had nothing to close or leave. The Escape may come from back-key.ts,
    // which then goes back in the history.
    if (performAction(action) !== false) event.preventDefault()
  }
  document.addEventListener('keydown', handleKeyDown)
  return () => document.removeEventListener('keydown', handleKeyDown)
}

/** The playback keys of remotes. They confirm the "still watching" prompt, whose dialog receives all other keys. */
const PLAY_KEY_PATTERN = /^MediaPlay(?:Pause)?$/
const ACTIONS_DISABLED_IN_EMBED = new Set(['episodes', 'keys', 'info', 'leave', 'focus', 'escape'])

/**
 * The actions that work while the viewing time is over. `focus` moves the focus to the links and buttons of the
 * covering screen.
 */
const TIME_OVER_ACTION_PATTERN = /^(escape|leave|focus)$/

const HANDLERS_BY_ACTION: Partial<Record<PlayerAction['kind'], () => unknown>> = {
  toggle: togglePlayback,
  ok: togglePlaybackFromRemote,
  play: startPlayback,
  pause: pausePlayback,
  /* Some remotes send Escape for their Back button, so Escape leaves the player in remote control mode. */
  escape: () => closeTopmostLayer() || (isInRemoteControlMode() && exitPlayer()),
  mute: toggleMute,
  captions: toggleCaptions,
  'skip-intro': skipIntro,
  fullscreen: () => void toggleFullscreen(),
  leave: () => closeTopmostLayer() || exitPlayer(),
  next: () => playEpisode($nextEpisode.get()),
  previous: () => playEpisode($previousEpisode.get()),
  info: () => togglePanel('info'),
  keys: () => togglePanel('keys'),
  episodes: () => {
    const player = $player.get()
    if (player.status === 'ready' && player.episode) togglePanel('episodes')
  },
}

/** Performs the action. Returns false if the action is `escape` and there was nothing to close or leave. */
function performAction(action: PlayerAction): unknown {
  if (action.kind === 'skip' || action.kind === 'jump' || action.kind === 'chapter') seekByKey(action)
  else if (action.kind === 'volume') changeVolume(action.change)
  else if (action.kind === 'rate') stepPlaybackRate(action.step)
  else if (action.kind === 'frame') stepFrame(action.step)
  else if (action.kind === 'caption-delay') changeAndShowCaptionDelay(action.seconds)
  else if (action.kind === 'focus') focusControl(action.target)
  else return HANDLERS_BY_ACTION[action.kind]?.()
  return undefined
}

function seekByKey(action: Extract<PlayerAction, { kind: 'skip' | 'jump' | 'chapter' }>): void {
  if (action.kind === 'skip') skipSeconds(action.seconds)
  else if (action.kind === 'jump') seekTo(action.fraction * $durationSeconds.get())
  else {
    const player = $player.get()
    const chapters = player.status === 'ready' ? player.stream.chapters : undefined
    const startSeconds = findChapterStartSeconds(chapters ?? [], $positionSeconds.get(), action.step)
    if (startSeconds !== null) seekTo(startSeconds)
  }
  showKeyboardSeekPreview()
}

function changeAndShowCaptionDelay(delayChangeSeconds: number): void {
  if (!$activeCaption.get()) return
  changeCaptionDelay(delayChangeSeconds)
  $isCaptionDelayShown.set(true)
}

export function skipIntro(): void {
  const player = $player.get()
  const intro = player.status === 'ready' ? player.stream.intro : undefined
  const positionSeconds = $positionSeconds.get()
  if (intro && positionSeconds >= intro.start && positionSeconds < intro.end) seekTo(intro.end)
}

const findVisibleElement = (selector: string) =>
  [...(getPlayerRoot()?.querySelectorAll<HTMLElement>(selector) ?? [])].find((element) =>
    element.checkVisibility({ visibilityProperty: true }),
  )

/** True while the play button has the focus because the OK key has paused the video. */
let isPlayButtonFocusedByOk = false

/**
 * Handles the OK key of a remote control. A pause focuses the play button. When playback starts, the play button
 * loses the focus, so that the arrow keys seek again.
 */
function togglePlaybackFromRemote(): void {
  const isPausing = !$isPaused.get()
  togglePlayback()
  if (isPausing) requestAnimationFrame(focusPlayButton)
  else blurControls()
}

function focusPlayButton(): void {
  const playButton = findVisibleElement('[data-play]')
  if (!playButton) return
  playButton.focus({ preventScroll: true })
  isPlayButtonFocusedByOk = true
  const handleBlur = () => {
    isPlayButtonFocusedByOk = false
  }
  playButton.addEventListener('blur', handleBlur, { once: true })
}

/**
 * Click handler of the play button. If a remote control or the OK key has moved the focus to the button, the start of
 * playback removes the focus. The controls would otherwise stay over the video, and left and right would not seek.
 */
export function togglePlaybackByButton(): void {
  const isStarting = $isPaused.get()
  togglePlayback()
  if (isStarting && (isInRemoteControlMode() || isPlayButtonFocusedByOk)) blurControls()
}

/**
 * In remote control mode, moves the focus from the video to the next episode card, if the card is shown without the
 * focus. The arrow keys would otherwise seek behind the card. Returns true if the focus has moved.
 */
function focusCardByArrow({ key, target }: KeyboardEvent): boolean {
  if (!key.startsWith('Arrow') || target !== document.body || !isInRemoteControlMode()) return false
  const button = findVisibleElement('[data-next-episode] button')
  button?.focus({ preventScroll: true })
  return button !== undefined
}

/** Removes the focus from the controls, so that the arrow keys seek and change the volume again. */
export function blurControls(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && getPlayerRoot()?.contains(activeElement)) activeElement.blur()
}

const FOCUS_TARGET_SELECTORS = {
  above: '[data-top] a, [data-top] button',
  below: '[data-play]',
  timeline: '[data-timeline]',
  captions: '[data-captions-button]',
}

/**
 * Moves the focus to a control. From a slider, the focus moves to the row above or below, because left and right change
 * the value. From the video, the focus moves into the controls, which become visible first. While a screen such as the
 * end screen covers the controls, the focus moves to the first action of this screen.
 */
function focusControl(focusTargetName: keyof typeof FOCUS_TARGET_SELECTORS): void {
  const focusElement = () => {
    const control =
      findVisibleElement(FOCUS_TARGET_SELECTORS[focusTargetName]) ??
      findVisibleElement('[data-controls] :is(a,button)')
    control?.focus({ preventScroll: true })
  }
  if (focusTargetName === 'timeline' || focusTargetName === 'captions') requestAnimationFrame(focusElement)
  else focusElement()
}

/**
 * Makes a remote control skip the volume slider. Left and right would change the value of the slider, so a remote
 * could not move the focus past it. Remotes have volume keys.
 */
function updateVolumeSliderTabIndex(): void {
  const slider = getPlayerRoot()?.querySelector<HTMLInputElement>('input[type=range]')
  if (slider) slider.tabIndex = isInRemoteControlMode() ? -1 : 0
}

/**
 * Closes the open panel. Without an open panel, closes the next episode card if the focus is on the card or on no
 * control. Otherwise blurs the focused control or, without one, leaves fullscreen. Returns false if none of these
 * applies. Actions of a covering screen, and of the card after the end of the video, keep the focus, because the screen
 * and the card stay open.
 */
function closeTopmostLayer(): boolean {
  if ($openPanel.get()) {
    togglePanel(null)
    return true
  }
  const focusedControl = getPlayerRoot()?.querySelector('[data-controls] :focus')
  const isCardFocused = focusedControl?.closest('[data-next-episode]') != null
  const closeCard = $closeNextEpisodeCard.get()
  if (closeCard && (isCardFocused || !focusedControl)) {
    closeCard()
    return true
  }
  if (!$isCovered.get() && focusedControl && !isCardFocused) {
    blurControls()
    return true
  }
  if (!document.fullscreenElement) return false
  void document.exitFullscreen().catch(() => {})
  return true
}
