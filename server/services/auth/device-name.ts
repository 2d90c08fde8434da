import { UNKNOWN_DEVICE_NAME } from '../../../src/lib/rules/limits.ts'
import { validateVisibleText } from '../../../src/lib/rules/profile-name.ts'

const BROWSER_PATTERNS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const OPERATING_SYSTEM_PATTERNS: [RegExp, string][] = [
  [/Web0S|webOS/i, 'LG TV'],
  [/Tizen/, 'Samsung TV'],
  [/AFT|Fire TV/, 'Fire TV'],
  [/Android TV|BRAVIA/, 'Android TV'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/CrOS/, 'Chromebook'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/Linux/, 'Linux'],
]
const findFirstMatch = (patternsWithNames: [RegExp, string][], userAgent: string) =>
  patternsWithNames.find(([pattern]) => pattern.test(userAgent))?.[1]

/**
 * Returns the browser name of a User-Agent header; null when the browser is unknown. The header is untrusted,
 * so only names from `BROWSER_PATTERNS` are returned.
 */
export function parseBrowserName(userAgent: string): string | null {
  return findFirstMatch(BROWSER_PATTERNS, userAgent) ?? null
}

/** Returns a device name such as "Chrome · Windows", which needs no translation. */
export function parseDeviceName(userAgent: string): string {
  const browser = parseBrowserName(userAgent)
  const operatingSystem = findFirstMatch(OPERATING_SYSTEM_PATTERNS, userAgent)
  return browser && operatingSystem
    ? `${browser} · ${operatingSystem}`
    : (operatingSystem ?? browser ?? UNKNOWN_DEVICE_NAME)
}

/**
 * Returns the name that a client gave to its device. If this name has no visible characters, returns the name
 * of the browser and the operating system.
 */
export function chooseDeviceName(requestedDeviceName: string | undefined, userAgent: string): string {
  const visibleName = validateVisibleText(requestedDeviceName ?? '')
  return 'text' in visibleName ? visibleName.text : parseDeviceName(userAgent)
}
