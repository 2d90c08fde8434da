/**
 * "Still watching?" prompt. It tracks the time of the last user input, and the number of episodes that have
 * started automatically since that input.
 */
import { atom } from 'nanostores'
import { isStillWatchingPromptDue } from '../../lib/rules/player-prompts.ts'
import { $nextEpisode } from '../../lib/stores/player-episodes.ts'
import { playEpisode } from './episode-navigation.ts'
import { pausePlayback, startPlayback } from './video-element.ts'

/** True while the "still watching" dialog is open; playback is paused. */
export const $isStillWatchingPromptOpen = atom(false)

let lastInputAtMs = Date.now()
let autoplayedEpisodeCount = 0
/** True if the open prompt delays the start of the next episode. */
let isNextEpisodeDue = false

export function recordUserInput(): void {
  lastInputAtMs = Date.now()
  autoplayedEpisodeCount = 0
}
export function countAutoplayedEpisode(): void {
  autoplayedEpisodeCount += 1
}

/**
 * If the prompt is due, pauses playback and opens the dialog. With `isBeforeNextEpisode`, the next episode starts when
 * the viewer confirms. Returns true if the dialog is open.
 */
export function promptIfInactive({ isBeforeNextEpisode = false } = {}): boolean {
  if (
    !$isStillWatchingPromptOpen.get() &&
    isStillWatchingPromptDue({ autoplayedEpisodeCount, idleMs: Date.now() - lastInputAtMs })
  ) {
    pausePlayback()
    isNextEpisodeDue = isBeforeNextEpisode
    $isStillWatchingPromptOpen.set(true)
  }
  return $isStillWatchingPromptOpen.get()
}

export function confirmStillWatching(): void {
  recordUserInput()
  isNextEpisodeDue = false
  $isStillWatchingPromptOpen.set(false)
}

/** Closes the prompt. Plays the next episode if the prompt has delayed it, else continues playback. */
export function resumeAfterPrompt(): void {
  const nextEpisode = isNextEpisodeDue ? $nextEpisode.get() : null
  confirmStillWatching()
  if (nextEpisode) playEpisode(nextEpisode)
  else startPlayback()
}
