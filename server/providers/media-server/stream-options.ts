/** Options of the conversions that are requested from media servers. */
import { getFileExtension, VIDEO_TYPES } from '../library/media-types.ts'

export const TRANSCODED_SEGMENT_SECONDS = 4

const BIT_RATES_BY_MIN_HEIGHT: [minHeight: number, bitsPerSecond: number][] = [
  [2160, 40_000_000],
  [1440, 16_000_000],
  [1080, 8_000_000],
  [720, 4_000_000],
  [0, 2_000_000],
]
/**
 * Returns the bit rate of converted video for a picture height. The rates are high, because these servers are usually
 * in the home network.
 */
export const getBitsPerSecond = (height: number) =>
  (BIT_RATES_BY_MIN_HEIGHT.find(([minHeight]) => height >= minHeight) ?? [0, 2_000_000])[1]

/** File extensions of containers whose name in ffmpeg differs from the extension. */
const EXTENSIONS_BY_CONTAINER: Record<string, string> = { matroska: 'mkv', mpegts: 'ts', mov: 'mp4' }

/**
 * Returns the file extension of a container. If `container` is not known or lists several names, as in ffmpeg, the
 * extension of the path takes precedence. Returns `mkv` if neither is the extension of a video.
 */
export function chooseExtension(container: string, path: string): string {
  const pathExtension = getFileExtension(path)
  const containerNames = container.toLowerCase().split(',')
  if (containerNames.length > 1 && VIDEO_TYPES[pathExtension]) return pathExtension
  const [containerName = ''] = containerNames
  const extension = EXTENSIONS_BY_CONTAINER[containerName] ?? containerName
  if (VIDEO_TYPES[extension]) return extension
  return VIDEO_TYPES[pathExtension] ? pathExtension : 'mkv'
}
