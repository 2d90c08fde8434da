/** Qualities as the stream contract names them. */
const NAMED: [RegExp, string][] = [
  [/(?<![a-z\d])(?:2160[pi]?|4k|uhd|3840x\d{4})(?![a-z\d])/i, '2160p'],
  [/(?<![a-z\d])(?:1440p|2k)(?![a-z\d])/i, '1440p'],
  [/(?<![a-z\d])(?:1080[pi]|fhd|1920x\d{3,4})(?![a-z\d])/i, '1080p'],
  [/(?<![a-z\d])(?:720[pi]|1280x\d{3})(?![a-z\d])/i, '720p'],
  [/(?<![a-z\d])(?:576[pi])(?![a-z\d])/i, '576p'],
  [/(?<![a-z\d])(?:480[pi]|dvdrip|dvd-rip)(?![a-z\d])/i, '480p'],
  [/(?<![a-z\d])(?:360p)(?![a-z\d])/i, '360p'],
]

/** What a file or folder name says; null when it says nothing. */
export function qualityInName(name: string): string | null {
  return NAMED.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** Of a picture's size in pixels. Wide pictures are cut in height, so the width counts too (1920x800 is 1080p). */
export function qualityOfPicture({ width, height }: { width: number; height: number }): string {
  const lines = Math.max(Math.min(width, height), Math.round((Math.max(width, height) * 9) / 16))
  for (const [least, quality] of STEPS) if (lines >= least) return quality
  return '240p'
}
const STEPS: [number, string][] = [
  [1_700, '2160p'],
  [1_260, '1440p'],
  [860, '1080p'],
  [630, '720p'],
  [540, '576p'],
  [420, '480p'],
  [300, '360p'],
]

/** Lines of a quality: `1080p` is 1080; 0 for one that names none. */
export function linesOf(quality: string): number {
  return Number(/^(\d{3,4})[pi]$/.exec(quality)?.[1] ?? 0)
}
