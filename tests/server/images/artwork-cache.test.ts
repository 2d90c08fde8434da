/** The size limit of the artwork cache, and which files are deleted to stay below the limit. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createArtworkCache } from '../../../server/providers/artwork/artwork-cache.ts'

let cacheFolder = ''
beforeEach(() => {
  cacheFolder = mkdtempSync(join(tmpdir(), 'marquee-images-'))
})
afterEach(() => rmSync(cacheFolder, { recursive: true, force: true }))

const listFileNames = () =>
  readdirSync(cacheFolder, { recursive: true, withFileTypes: true })
    .filter((directoryEntry) => directoryEntry.isFile())
    .map((directoryEntry) => directoryEntry.name)
    .sort()
const createCache = (maxBytes: number) =>
  createArtworkCache({ folder: cacheFolder, loadMaxBytes: async () => maxBytes })
/** Returns an image whose file has this size, including the 32 bytes with which the cache recognises damage. */
const createImage = (fileBytes: number) => Buffer.alloc(fileBytes - 32)
const setLastUse = (fileName: string, hoursAgo: number) => {
  const lastUseSeconds = Date.now() / 1000 - hoursAgo * 3_600
  utimesSync(join(cacheFolder, fileName.slice(0, 2), fileName), lastUseSeconds, lastUseSeconds)
}

it('the artwork cache returns a written file by its name, and null for a name that was not written', async () => {
  const cache = createCache(1_000)
  await cache.write('aa1.avif', Buffer.from('image'))
  expect(await cache.read('aa1.avif')).toEqual(Buffer.from('image'))
  expect(await cache.read('aa2.avif')).toBeNull()
})

it.each<[string, (file: Buffer) => Buffer]>([
  ['is empty', () => Buffer.alloc(0)],
  ['was cut', (file) => file.subarray(0, -1)],
  ['contains zeros', (file) => Buffer.alloc(file.length)],
  ['has a changed byte', (file) => Buffer.concat([file.subarray(0, -1), Buffer.from('x')])],
])(
  'the artwork cache returns null for a file that %s, until the image is written again',
  async (_, damage) => {
    const cache = createCache(1_000)
    await cache.write('aa1.avif', Buffer.from('image'))
    const path = join(cacheFolder, 'aa', 'aa1.avif')
    writeFileSync(path, damage(readFileSync(path)))
    expect(await cache.read('aa1.avif')).toBeNull()
    await cache.write('aa1.avif', Buffer.from('image'))
    expect(await cache.read('aa1.avif')).toEqual(Buffer.from('image'))
  },
)

it('the artwork cache deletes the least recently used files above its size limit', async () => {
  const cache = createCache(1_000)
  for (const [index, fileName] of ['aa1.avif', 'bb2.avif', 'cc3.avif'].entries()) {
    await cache.write(fileName, createImage(300))
    setLastUse(fileName, 30 - index)
  }
  await cache.read('aa1.avif')
  await cache.write('dd4.avif', createImage(300))
  expect(listFileNames()).toEqual(['aa1.avif', 'cc3.avif', 'dd4.avif'])
})

it('the artwork cache counts the files of an earlier process towards its size limit', async () => {
  await createCache(1_000).write('aa1.avif', createImage(800))
  setLastUse('aa1.avif', 5)
  await createCache(1_000).write('bb2.avif', createImage(800))
  expect(listFileNames()).toEqual(['bb2.avif'])
})

it('the artwork cache deletes a partial file that a crash left', async () => {
  const cache = createCache(1_000)
  await cache.write('aa1.avif', Buffer.alloc(10))
  writeFileSync(join(cacheFolder, 'aa', 'aa9.avif.00.part'), 'half')
  setLastUse('aa9.avif.00.part', 5)
  await cache.write('aa2.avif', createImage(400))
  expect(listFileNames()).toEqual(['aa1.avif', 'aa2.avif'])
})

it('the artwork cache stores nothing, without an error, when its folder cannot be written', async () => {
  const cache = createArtworkCache({ folder: join(cacheFolder, 'aa1.avif'), loadMaxBytes: async () => 1_000 })
  writeFileSync(join(cacheFolder, 'aa1.avif'), 'a file')
  await cache.write('bb1.avif', Buffer.alloc(10))
  expect(await cache.read('bb1.avif')).toBeNull()
})
