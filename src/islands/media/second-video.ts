import { previewIsCheap } from '../../lib/rules/player-quality.ts'

/** Whether this device shows a silent video beside what it does: decided from what it tells of itself. */
export function isVideoCheap(mimeType: string): boolean {
  const { hardwareConcurrency, deviceMemory, connection } = navigator as Navigator & {
    deviceMemory?: number
    connection?: { saveData?: boolean }
  }
  return previewIsCheap({
    cores: hardwareConcurrency ?? 1,
    memory: deviceMemory,
    lite: 'lite' in document.documentElement.dataset,
    saveData: connection?.saveData === true,
    finePointer: matchMedia('(pointer: fine)').matches,
    mimeType,
  })
}
