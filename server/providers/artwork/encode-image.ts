/** Resizes an image and encodes it for browsers (docs/decisions/0027-artwork-proxy.md). */
import type { Sharp } from 'sharp'

export const IMAGE_FORMATS = ['avif', 'webp'] as const
export type ImageFormat = (typeof IMAGE_FORMATS)[number]

const MAX_INPUT_PIXELS = 40_000_000
const TIMEOUT_SECONDS = 10
/** The only formats that are decoded: the ones of TMDB, without SVG and without rarely used decoders. */
const INPUT_FORMATS = new Set(['jpeg', 'png', 'webp'])

/** Encoding speed matters more than the last percents of size: a page shows up to fifty images that were never loaded before. */
const ENCODERS: Record<ImageFormat, (image: Sharp) => Sharp> = {
  avif: (image) => image.avif({ quality: 52, effort: 0 }),
  webp: (image) => image.webp({ quality: 78, effort: 3 }),
}

/** Throws if the bytes are no image of an accepted format, or the image is too large or takes too long. */
export async function encodeImage(bytes: Buffer, widthPixels: number, format: ImageFormat): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const image = sharp(bytes, { limitInputPixels: MAX_INPUT_PIXELS, animated: false })
  const { format: inputFormat } = await image.metadata()
  if (!INPUT_FORMATS.has(inputFormat ?? '')) throw new Error('image format is not accepted')
  const resized = image
    .rotate()
    .resize({ width: widthPixels, withoutEnlargement: true })
    .timeout({ seconds: TIMEOUT_SECONDS })
  return ENCODERS[format](resized).toBuffer()
}
