/** The volume of the player, stored on the device. */
import { readStoredJson, writeStorage } from './storage.ts'
import { VOLUME_KEY } from './storage-keys.ts'

export interface VolumeState {
  /** Volume from 0 to 1. */
  volume: number
  muted: boolean
}

/** Returns full volume when nothing valid is stored. */
export function loadStoredVolume(): VolumeState {
  const { volume, muted } = (readStoredJson(VOLUME_KEY) ?? {}) as Record<string, unknown>
  const isValidVolume = typeof volume === 'number' && volume >= 0 && volume <= 1
  return isValidVolume ? { volume, muted: muted === true } : { volume: 1, muted: false }
}

export const storeVolume = (volumeState: VolumeState): void =>
  writeStorage('localStorage', VOLUME_KEY, JSON.stringify(volumeState))
