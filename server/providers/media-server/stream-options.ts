/** Options of conversions that media servers are asked for. */
import { getFileExtension, VIDEO_TYPES } from '../library/media-types.ts'

export const TRANSCODED_SEGMENT_SECONDS = 4

const BITS_PER_SECOND: [height: number, bits: number][] = [
  [2160, 40_000_000],
  [1440, 16_000_000],
  [1080, 8_000_000],
  [720, 4_000_000],
  [0, 2_000_000],
]
/** Returns the video rate for a picture height, as home servers use it. */
export const getBitsPerSecond = (height: number) =>
  (BITS_PER_SECOND.find(([minHeight]) => height >= minHeight) ?? [0, 2_000_000])[1]

/** Containers that ffmpeg names by several formats, as in `mov,mp4,m4a,3gp,3g2,mj2`. */
const EXTENSIONS: Record<string, string> = { matroska: 'mkv', mpegts: 'ts', mov: 'mp4' }

/** Returns the file name extension of a container; that of the path if the container is not known. */
export function chooseExtension(container: string, path: string): string {
  const pathExtension = getFileExtension(path)
  const names = container.toLowerCase().split(',')
  if (names.length > 1 && VIDEO_TYPES[pathExtension]) return pathExtension
  const [name = ''] = names
  const extension = EXTENSIONS[name] ?? name
  if (VIDEO_TYPES[extension]) return extension
  return VIDEO_TYPES[pathExtension] ? pathExtension : 'mkv'
}
