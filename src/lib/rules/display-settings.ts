/** Rules of the display settings, which an inline script applies before the first paint. */

/** Returns the theme for a stored choice. Every value other than `light` and `dark` follows the system. */
export function resolveTheme(themeChoice: string | null, prefersLight: boolean): 'light' | 'dark' {
  return themeChoice === 'light' || (themeChoice !== 'dark' && prefersLight) ? 'light' : 'dark'
}

interface DeviceCapabilities {
  /** Number of logical processors. */
  hardwareConcurrency: number
  /** Memory in GiB; undefined when the browser does not report it. */
  deviceMemory?: number | undefined
  savesData: boolean
  /** True when frames took too long earlier in the session (frame-rate.ts). */
  hadSlowFrames: boolean
}

/** Returns whether a device gets lite mode by default. */
export function needsLiteMode(device: DeviceCapabilities): boolean {
  const { hardwareConcurrency, deviceMemory, savesData, hadSlowFrames } = device
  const hasLittleMemory = deviceMemory !== undefined && deviceMemory <= 2
  const hasEnoughMemory = deviceMemory !== undefined && deviceMemory >= 4
  return savesData || hadSlowFrames || hasLittleMemory || (hardwareConcurrency <= 2 && !hasEnoughMemory)
}
