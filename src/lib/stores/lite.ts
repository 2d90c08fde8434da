/** Lite mode: chosen for this device, else the boot script decides by what the device is. */
import { atom } from 'nanostores'

/** `1` on, `0` off, as it is stored; automatic is stored as nothing. */
export type Lite = 'auto' | '1' | '0'
const KEY = 'marquee-lite'
const isChoice = (value: string | null | undefined): value is '1' | '0' => value === '1' || value === '0'
const stored = globalThis.localStorage?.getItem(KEY)

export const $lite = atom<Lite>(isChoice(stored) ? stored : 'auto')

/** Holds at once; back to automatic, the device is judged again when the next page opens. */
export function setLite(lite: Lite): void {
  $lite.set(lite)
  const look = document.documentElement.dataset
  if (lite === 'auto') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, lite)
  if (lite === '1') look['lite'] = ''
  else delete look['lite']
}
