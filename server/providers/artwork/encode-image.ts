/** Resizes an image and encodes it for browsers (docs/decisions/0027-artwork-proxy.md). */
import type { Sharp } from 'sharp'

export const IMAGE_FORMATS = ['avif', 'webp'] as const
export type ImageFormat = (typeof IMAGE_FORMATS)[number]

const MAX_INPUT_PIXELS = 40_000_000
/**
 * Maximum length of a side, and maximum ratio of the sides. The memory for decoding and encoding depends on both: of an
 * image with 19,000,000 x 2 pixels, libvips allocates 600 MB, although it has as many pixels as a photo.
 */
const MAX_SIDE_PIXELS = 10_000
const MAX_SIDE_RATIO = 8
const TIMEOUT_SECONDS = 10
/**
 * True for the first bytes of the raster formats of TMDB's images. Other formats are rejected before any decoder reads
 * them: libvips parses a whole SVG document only to find its size, and has decoders for rarely used formats.
 */
const hasAcceptedSignature = (bytes: Buffer): boolean => {
  const hasText = (text: string, offset: number) =>
    bytes.subarray(offset, offset + text.length).equals(Buffer.from(text, 'latin1'))
  return (
    hasText('\xff\xd8\xff', 0) ||
    hasText('\x89PNG\r\n\x1a\n', 0) ||
    (hasText('RIFF', 0) && hasText('WEBP', 8))
  )
}

/**
 * Options for fast encoding. A page can show fifty images that are not cached yet, so speed matters more than
 * a file that is a few percent smaller.
 */
const ENCODERS_BY_FORMAT: Record<ImageFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 52, effort: 0 }),
  webp: (image) => image.webp({ quality: 78, effort: 3 }),
}

/**
 * Returns the encoded image, which is never wider than the original. Throws if the bytes are not an image of an
 * accepted format, if the image is too large, long or narrow, or if encoding takes too long.
 */
export async function encodeImage(bytes: Buffer, widthPixels: number, format: ImageFormat): Promise<Buffer> {
  if (!hasAcceptedSignature(bytes)) throw new Error('image format is not accepted')
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const image = sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, animated: false })
  const { width, height } = await image.metadata()
  const longSide = Math.max(width, height)
  if (longSide > MAX_SIDE_PIXELS || longSide > MAX_SIDE_RATIO * Math.min(width, height))
    throw new Error('image has unusual dimensions')
  const resizedImage = image
    .rotate()
    .resize({ width: widthPixels, withoutEnlargement: true })
    .timeout({ seconds: TIMEOUT_SECONDS })
  return ENCODERS_BY_FORMAT[format](resizedImage).toBuffer()
}
