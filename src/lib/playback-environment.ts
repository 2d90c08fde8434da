/** Properties of the screen and the connection that decide which source plays (rules/player-quality.ts). */
import type { PlaybackEnvironment } from './rules/player-quality.ts'

export function readPlaybackEnvironment(): Omit<PlaybackEnvironment, 'canPlay'> {
  const { saveData, effectiveType } = navigator.connection ?? {}
  return {
    screen: Math.max(1, Math.round(Math.min(screen.width, screen.height) * devicePixelRatio)),
    saveData: saveData === true,
    line: effectiveType,
  }
}
