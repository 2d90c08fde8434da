import { canAffordSeekPreview } from '../../lib/rules/player-quality.ts'

/**
 * True if the device can play an additional muted video. The hardware and settings that it reports decide.
 */
export function canPlayExtraVideo(mimeType: string): boolean {
  const { hardwareConcurrency, deviceMemory, connection } = navigator
  return canAffordSeekPreview({
    cores: hardwareConcurrency ?? 1,
    memory: deviceMemory,
    lite: 'lite' in document.documentElement.dataset,
    saveData: connection?.saveData === true,
    finePointer: matchMedia('(pointer: fine)').matches,
    mimeType,
  })
}
