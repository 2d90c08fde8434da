/** "Still watching?": tracks the last user input and the number of episodes that have started by themselves since. */
import { atom } from 'nanostores'
import { isStillWatchingDue } from '../../lib/rules/player-next.ts'
import { pause } from './deck.ts'

/** True while the "still watching" dialog is open; playback is paused. */
export const $asking = atom(false)

let lastInputMs = Date.now()
let autoplayedEpisodes = 0

export function noteInput(): void {
  lastInputMs = Date.now()
  autoplayedEpisodes = 0
}
export function noteEpisode(): void {
  autoplayedEpisodes += 1
}

/** Pauses playback and opens the dialog when it is due. Returns true while the dialog is open. */
export function askIfAlone(): boolean {
  if (
    !$asking.get() &&
    isStillWatchingDue({ episodes: autoplayedEpisodes, idleMs: Date.now() - lastInputMs })
  ) {
    pause()
    $asking.set(true)
  }
  return $asking.get()
}

export function answerHere(): void {
  noteInput()
  $asking.set(false)
}
