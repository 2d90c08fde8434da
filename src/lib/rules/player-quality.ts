/** Which of the sources plays: the viewer's wish, what the browser can, what the screen and the line are good for. */
import type { MEDIA_QUALITIES } from './limits.ts'

export type QualityWish = (typeof MEDIA_QUALITIES)[number] | (string & {})
export interface Source {
  url: string
  mime_type: string
  quality: string
}
export interface Surroundings {
  canPlay: (mimeType: string) => boolean
  /** Physical pixels of the screen's shorter side. */
  screen: number
  saveData: boolean
  /** The browser's own word for the line (Network Information API): `4g`, `3g`, `2g`, `slow-2g`. */
  line?: string | undefined
}

const linesOf = (quality: string) => Number.parseInt(quality, 10) || 0
/** What can be chosen: each quality once, the finest first; sources that adapt name none. */
export function qualitiesOf(sources: readonly Source[]): string[] {
  return [...new Set(sources.map(({ quality }) => quality).filter(linesOf))].sort(
    (a, b) => linesOf(b) - linesOf(a),
  )
}

/**
 * The sources in the order in which to try them: the wished one, then finer to coarser below it, then above. What the
 * browser says it cannot play comes last: some say so of containers that they play.
 */
export function sourceOrder<S extends Source>(
  sources: readonly S[],
  wish: QualityWish,
  around: Surroundings,
): S[] {
  const most = wish === 'auto' ? bearable(around) : linesOf(wish)
  const rank = ({ quality, mime_type }: Source) => {
    const lines = linesOf(quality)
    /* Adaptive ones name no lines: they fit any wish. */
    const near = lines === 0 ? 0 : lines <= most ? most - lines + 1 : 10_000 + lines
    return around.canPlay(mime_type) ? near : 100_000 + near
  }
  return [...sources].sort((a, b) => rank(a) - rank(b))
}

function bearable({ screen, saveData, line = '4g' }: Surroundings): number {
  if (line.endsWith('2g')) return 360
  if (saveData || line === '3g') return 480
  /* A picture a little finer than the screen is still seen; one far finer only costs. */
  return Math.max(720, screen * 1.25)
}

/** The next coarser source for a line that stalled twice; null at the end. */
export function coarser<S extends Source>(sources: readonly S[], now: S): S | null {
  const below = sources.filter(
    ({ quality }) => linesOf(quality) < linesOf(now.quality) && linesOf(quality) > 0,
  )
  return below.reduce<S | null>(
    (best, one) => (best && linesOf(best.quality) >= linesOf(one.quality) ? best : one),
    null,
  )
}

/** The source that shows single pictures for the timeline: the coarsest. */
export function coarsest<S extends Source>(sources: readonly S[]): S | null {
  return sources.reduce<S | null>(
    (best, one) => (best && linesOf(best.quality) <= linesOf(one.quality) ? best : one),
    null,
  )
}

/** Whether a second, silent video for pictures over the timeline costs little enough here. */
export function previewIsCheap(device: {
  cores: number
  memory: number | undefined
  lite: boolean
  saveData: boolean
  finePointer: boolean
  mimeType: string
}): boolean {
  const strong = device.cores >= 4 && (device.memory ?? 4) >= 4
  return strong && device.finePointer && !device.lite && !device.saveData && !isHls(device.mimeType)
}

export const isHls = (mimeType: string) => /mpegurl/i.test(mimeType)
