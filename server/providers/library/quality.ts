/**
 * Video qualities that a file name can state, with their names in the API and in replies of stream resolvers
 * (docs/media.md).
 */
const QUALITY_PATTERNS: [RegExp, string][] = [
  [/(?<![a-z\d])(?:2160[pi]?|4k|uhd|3840x\d{4})(?![a-z\d])/i, '2160p'],
  [/(?<![a-z\d])(?:1440p|2k)(?![a-z\d])/i, '1440p'],
  [/(?<![a-z\d])(?:1080[pi]|fhd|1920x\d{3,4})(?![a-z\d])/i, '1080p'],
  [/(?<![a-z\d])(?:720[pi]|1280x\d{3})(?![a-z\d])/i, '720p'],
  [/(?<![a-z\d])(?:576[pi])(?![a-z\d])/i, '576p'],
  [/(?<![a-z\d])(?:480[pi]|dvdrip|dvd-rip)(?![a-z\d])/i, '480p'],
  [/(?<![a-z\d])(?:360p)(?![a-z\d])/i, '360p'],
]

/** Returns the quality in a file or folder name; null when there is none. */
export function parseQuality(name: string): string | null {
  return QUALITY_PATTERNS.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/**
 * Returns the quality that corresponds to a picture size in pixels. Wide pictures have a reduced height, so the width
 * can determine the quality too (1920x800 is 1080p).
 */
export function getQualityOfSize({ width, height }: { width: number; height: number }): string {
  const lineCount = Math.max(Math.min(width, height), Math.round((Math.max(width, height) * 9) / 16))
  for (const [minLineCount, quality] of QUALITIES_BY_MIN_LINE_COUNT)
    if (lineCount >= minLineCount) return quality
  return '240p'
}
const QUALITIES_BY_MIN_LINE_COUNT: [number, string][] = [
  [1_700, '2160p'],
  [1_260, '1440p'],
  [860, '1080p'],
  [630, '720p'],
  [540, '576p'],
  [420, '480p'],
  [300, '360p'],
]
