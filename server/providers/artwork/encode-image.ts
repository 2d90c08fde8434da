/** Resizes an image and encodes it for browsers (docs/decisions/0027-artwork-proxy.md). */
import type { Sharp } from 'sharp'

export const IMAGE_FORMATS = ['avif', 'webp'] as const
export type ImageFormat = (typeof IMAGE_FORMATS)[number]

const MAX_INPUT_PIXELS = 40_000_000
const TIMEOUT_SECONDS = 10
/** Only the raster formats of TMDB's images are decoded. SVG and formats with rarely used decoders are rejected. */
const INPUT_FORMATS = new Set(['jpeg', 'png', 'webp'])

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
 * accepted format, if the image is too large, or if encoding takes too long.
 */
export async function encodeImage(bytes: Buffer, widthPixels: number, format: ImageFormat): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const image = sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, animated: false })
  const { format: inputFormat } = await image.metadata()
  if (!INPUT_FORMATS.has(inputFormat ?? '')) throw new Error('image format is not accepted')
  const resizedImage = image
    .rotate()
    .resize({ width: widthPixels, withoutEnlargement: true })
    .timeout({ seconds: TIMEOUT_SECONDS })
  return ENCODERS_BY_FORMAT[format](resizedImage).toBuffer()
}
