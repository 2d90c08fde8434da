/**
 * Chooses the source that the player plays. The choice depends on the preferred quality, the formats that the browser
 * can play, the screen and the connection.
 */
import type { MEDIA_QUALITIES } from './limits.ts'

export type QualityPreference = (typeof MEDIA_QUALITIES)[number] | (string & {})
export interface VideoSource {
  url: string
  mime_type: string
  quality: string
  /** How the server delivers the file: `direct`, or the kind of conversion. */
  delivery?: string | undefined
  /** `playable` if the file needs no conversion, otherwise the reason for the conversion. */
  reason?: string | undefined
}
export interface PlaybackEnvironment {
  canPlay: (mimeType: string) => boolean
  /** Physical pixels of the screen's shorter side. */
  shortScreenSidePx: number
  saveData: boolean
  /** Effective connection type of the Network Information API: `4g`, `3g`, `2g`, `slow-2g`. */
  connectionType?: string | undefined
}

/** Maximum height in pixels of the video with a `3g` connection or data saving, if the preferred quality is `auto`. */
const SLOW_CONNECTION_HEIGHT_PX = 480

/** Returns the height of a quality in pixels: 1080 for `1080p`; 0 for adaptive sources (`auto`). */
export function parseQualityHeight(quality: string): number {
  return Number.parseInt(quality, 10) || 0
}
/** Returns the qualities that the viewer can choose, highest first, without duplicates and adaptive sources. */
export function listQualities(sources: readonly VideoSource[]): string[] {
  return [...new Set(sources.map(({ quality }) => quality).filter(parseQualityHeight))].sort(
    (a, b) => parseQualityHeight(b) - parseQualityHeight(a),
  )
}

/**
 * Returns the sources in the order in which they should be tried: first the preferred quality, then lower qualities in
 * descending order, then higher qualities. Sources that the browser reports as unplayable come last. They are not left
 * out, because some browsers play such sources anyway.
 */
export function orderSources<S extends VideoSource>(
  sources: readonly S[],
  preference: QualityPreference,
  environment: PlaybackEnvironment,
): S[] {
  const maxHeight = preference === 'auto' ? getMaxUsefulHeight(environment) : parseQualityHeight(preference)
  // Conversions to a lower quality are expensive for the server. With `auto` and a fast connection, they come after all
  // other playable sources.
  const isConnectionFast = preference === 'auto' && maxHeight > SLOW_CONNECTION_HEIGHT_PX
  const computeRank = ({ quality, mime_type, reason }: VideoSource) => {
    const height = parseQualityHeight(quality)
    // Adaptive sources have no fixed height and match every preference.
    const heightDistance = height === 0 ? 0 : height <= maxHeight ? maxHeight - height + 1 : 10_000 + height
    const conversionCost = isConnectionFast && reason === 'quality' ? 50_000 : 0
    // The content type does not contain the codecs. With the reason `playable`, the server has already checked that the
    // browser can decode them.
    const isPlayable = reason === 'playable' || environment.canPlay(mime_type)
    return conversionCost + (isPlayable ? heightDistance : 100_000 + heightDistance)
  }
  return [...sources].sort((a, b) => computeRank(a) - computeRank(b))
}

/** Returns the source that fits the preferred quality best; undefined when the browser can play no source. */
export function choosePlayableSource<S extends VideoSource>(
  sources: readonly S[],
  preference: QualityPreference,
  environment: PlaybackEnvironment,
): S | undefined {
  const [bestSource] = orderSources(sources, preference, environment)
  const isPlayable =
    bestSource && (bestSource.reason === 'playable' || environment.canPlay(bestSource.mime_type))
  return isPlayable ? bestSource : undefined
}

function getMaxUsefulHeight({
  shortScreenSidePx,
  saveData,
  connectionType = '4g',
}: PlaybackEnvironment): number {
  if (connectionType.endsWith('2g')) return 360
  if (saveData || connectionType === '3g') return SLOW_CONNECTION_HEIGHT_PX
  // A video slightly larger than the screen looks sharper than a smaller one. A much larger video only costs bandwidth.
  return Math.max(720, shortScreenSidePx * 1.25)
}

/**
 * Returns the source with the next lower quality, for use after playback has stalled; null when there is no lower
 * quality.
 */
export function findLowerSource<S extends VideoSource>(sources: readonly S[], currentSource: S): S | null {
  const lowerSources = sources.filter(
    ({ quality }) =>
      parseQualityHeight(quality) < parseQualityHeight(currentSource.quality) &&
      parseQualityHeight(quality) > 0,
  )
  return lowerSources.reduce<S | null>(
    (bestSource, source) =>
      bestSource && parseQualityHeight(bestSource.quality) >= parseQualityHeight(source.quality)
        ? bestSource
        : source,
    null,
  )
}

/**
 * Returns the unconverted source with the lowest quality; null when there is none. A preview never starts a conversion.
 */
export function findLowestSource<S extends VideoSource>(sources: readonly S[]): S | null {
  const unconvertedSources = sources.filter(({ delivery }) => delivery === undefined || delivery === 'direct')
  return unconvertedSources.reduce<S | null>(
    (lowestSource, source) =>
      lowestSource && parseQualityHeight(lowestSource.quality) <= parseQualityHeight(source.quality)
        ? lowestSource
        : source,
    null,
  )
}

/**
 * Returns whether the device can play a second, muted video, which shows the preview of a card or of the seek bar. The
 * second video needs a fast device with a mouse, and a source other than HLS. Neither lite mode nor data saving may be
 * on.
 */
export function canPlaySecondVideo(device: {
  coreCount: number
  memoryGib: number | undefined
  isLiteMode: boolean
  saveData: boolean
  hasFinePointer: boolean
  mimeType: string
}): boolean {
  const isPowerfulDevice = device.coreCount >= 4 && (device.memoryGib ?? 4) >= 4
  return (
    isPowerfulDevice &&
    device.hasFinePointer &&
    !device.isLiteMode &&
    !device.saveData &&
    !isHls(device.mimeType)
  )
}

export const isHls = (mimeType: string) => /mpegurl/i.test(mimeType)
