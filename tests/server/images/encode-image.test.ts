/** Images that need much memory or time are rejected before they are decoded. */
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { encodeImage } from '../../../server/providers/artwork/encode-image.ts'

/** Creates a greyscale PNG image. All its pixels are black, so that even a large image is a small file. */
function createBlackPng(width: number, height: number): Buffer {
  const createChunk = (type: string, content: Buffer) => {
    const typeAndContent = Buffer.concat([Buffer.from(type, 'latin1'), content])
    const chunk = Buffer.alloc(typeAndContent.length + 8)
    chunk.writeUInt32BE(content.length, 0)
    typeAndContent.copy(chunk, 4)
    chunk.writeUInt32BE(crc32(typeAndContent), typeAndContent.length + 4)
    return chunk
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.writeUInt8(8, 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}
const createImage = () => sharp({ create: { width: 300, height: 450, channels: 3, background: '#345' } })
const createAnimation = async () =>
  sharp(
    await Promise.all(
      ['#111', '#222', '#333'].map((background) =>
        sharp({ create: { width: 30, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    ),
    { join: { animated: true } },
  )

describe('a file that is not a JPEG, PNG or WebP image is rejected before a decoder reads it', () => {
  it.each([
    ['an SVG document', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect'],
    [
      'an SVG document with entities',
      '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>',
    ],
    ['an empty file', ''],
    ['a text', 'not an image'],
    ['a PDF document', '%PDF-1.4'],
    ['other content in a RIFF file', 'RIFF\0\0\0\0WAVE'],
  ])('%s', async (_name, content) => {
    await expect(encodeImage(Buffer.from(content), 342, 'webp')).rejects.toThrow('format is not accepted')
  })
  it('an AVIF, a TIFF and an animated GIF file', async () => {
    const files = [
      await createImage().avif().toBuffer(),
      await createImage().tiff().toBuffer(),
      await (await createAnimation()).gif().toBuffer(),
    ]
    for (const file of files)
      await expect(encodeImage(file, 342, 'webp')).rejects.toThrow('format is not accepted')
  })
})

describe('an image with unusual dimensions is rejected', () => {
  it.each([
    [19_000_000, 2],
    [2, 19_000_000],
    [1_000, 10_001],
    [100, 801],
  ])('%i x %i pixels', async (width, height) => {
    await expect(encodeImage(createBlackPng(width, height), 342, 'avif')).rejects.toThrow('dimensions')
  })
  it('30,000 x 30,000 pixels', async () => {
    const png = createBlackPng(1, 1)
    png.writeUInt32BE(30_000, 16)
    png.writeUInt32BE(30_000, 20)
    await expect(encodeImage(png, 342, 'avif')).rejects.toThrow('exceeds pixel limit')
  })
})

it('JPEG, PNG and WebP images are encoded, and of an animation only the first frame', async () => {
  const files = [
    await createImage().jpeg().toBuffer(),
    await createImage().png().toBuffer(),
    await (await createAnimation()).webp().toBuffer(),
    createBlackPng(100, 800),
  ]
  const outputs = await Promise.all(
    files.map(async (file) => {
      const { width, height, pages } = await sharp(await encodeImage(file, 185, 'webp')).metadata()
      return [width, height, pages ?? 1]
    }),
  )
  expect(outputs).toEqual([
    [185, 277, 1],
    [185, 277, 1],
    [30, 30, 1],
    [100, 800, 1],
  ])
})
