/** Whether anybody is there: when a key, a touch or a click came last, and how many episodes began by themselves since. */
import { atom } from 'nanostores'
import { isStillWatchingDue } from '../../lib/rules/player-next.ts'
import { pause } from './deck.ts'

/** The player asks whether somebody still watches; paused, at its place. */
export const $asking = atom(false)

let last = Date.now()
let episodes = 0

export function noteInput(): void {
  last = Date.now()
  episodes = 0
}
export function noteEpisode(): void {
  episodes += 1
}

/** Pauses and asks when it is time to. True when it asks. */
export function askIfAlone(): boolean {
  if (!$asking.get() && isStillWatchingDue({ episodes, idleMs: Date.now() - last })) {
    pause()
    $asking.set(true)
  }
  return $asking.get()
}

export function answerHere(): void {
  noteInput()
  $asking.set(false)
}
