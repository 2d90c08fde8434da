import { canPlaySecondVideo } from '../../lib/rules/player-quality.ts'

/**
 * True if the device can probably play an additional muted video. Depends on the hardware and the settings that the
 * browser reports.
 */
export function canPlayExtraVideo(mimeType: string): boolean {
  const { hardwareConcurrency, deviceMemory, connection } = navigator
  return canPlaySecondVideo({
    coreCount: hardwareConcurrency ?? 1,
    memoryGib: deviceMemory,
    isLiteMode: 'lite' in document.documentElement.dataset,
    saveData: connection?.saveData === true,
    hasFinePointer: matchMedia('(pointer: fine)').matches,
    mimeType,
  })
}
