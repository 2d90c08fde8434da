import { UNKNOWN_DEVICE } from '../../src/lib/rules/limits.ts'

const BROWSERS: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
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
const first = (table: [RegExp, string][], text: string) => table.find(([pattern]) => pattern.test(text))?.[1]

/** The browser by its User-Agent, or null. The header is hostile input: only our own words come out. */
export function browserName(userAgent: string): string | null {
  return first(BROWSERS, userAgent) ?? null
}

/** A name for people in every language, such as "Chrome · Windows". */
export function deviceName(userAgent: string): string {
  const browser = browserName(userAgent)
  const system = first(SYSTEMS, userAgent)
  return browser && system ? `${browser} · ${system}` : (system ?? browser ?? UNKNOWN_DEVICE)
}
