/** Options of the conversions that are requested from media servers. */
import { getFileExtension, VIDEO_TYPES } from '../library/media-types.ts'

export const TRANSCODED_SEGMENT_SECONDS = 4

const BITS_PER_SECOND: [height: number, bits: number][] = [
  [2160, 40_000_000],
  [1440, 16_000_000],
  [1080, 8_000_000],
  [720, 4_000_000],
  [0, 2_000_000],
]
/**
 * Returns the bit rate of converted video for a picture height. The rates suit servers in the home network.
 */
export const getBitsPerSecond = (height: number) =>
  (BITS_PER_SECOND.find(([minHeight]) => height >= minHeight) ?? [0, 2_000_000])[1]

/** File extensions of containers whose name in ffmpeg differs from the extension. */
const EXTENSIONS: Record<string, string> = { matroska: 'mkv', mpegts: 'ts', mov: 'mp4' }

/** Returns the file extension of a container, or the extension of the path if the container is not known. */
export function chooseExtension(container: string, path: string): string {
  const pathExtension = getFileExtension(path)
  const names = container.toLowerCase().split(',')
  if (names.length > 1 && VIDEO_TYPES[pathExtension]) return pathExtension
  const [name = ''] = names
  const extension = EXTENSIONS[name] ?? name
  if (VIDEO_TYPES[extension]) return extension
  return VIDEO_TYPES[pathExtension] ? pathExtension : 'mkv'
}
