/**
 * "Still watching?" prompt. It tracks the time of the last user input, and the number of episodes that have
 * started automatically since that input.
 */
import { atom } from 'nanostores'
import { isStillWatchingPromptDue } from '../../lib/rules/player-prompts.ts'
import { pausePlayback } from './video-element.ts'

/** True while the "still watching" dialog is open; playback is paused. */
export const $isStillWatchingPromptOpen = atom(false)

let lastInputAtMs = Date.now()
let autoplayedEpisodeCount = 0

export function recordUserInput(): void {
  lastInputAtMs = Date.now()
  autoplayedEpisodeCount = 0
}
export function countAutoplayedEpisode(): void {
  autoplayedEpisodeCount += 1
}

/** Pauses playback and opens the dialog if it is due. Returns true if the dialog is open. */
export function promptIfInactive(): boolean {
  if (
    !$isStillWatchingPromptOpen.get() &&
    isStillWatchingPromptDue({ autoplayedEpisodeCount, idleMs: Date.now() - lastInputAtMs })
  ) {
    pausePlayback()
    $isStillWatchingPromptOpen.set(true)
  }
  return $isStillWatchingPromptOpen.get()
}

export function confirmStillWatching(): void {
  recordUserInput()
  $isStillWatchingPromptOpen.set(false)
}
