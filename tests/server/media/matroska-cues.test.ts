/** The index of Matroska files with several SeekHeads, as muxers write them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readKeyframeTimes } from '../../../server/providers/library/keyframes.ts'
import { createMatroskaElement, createSeekHead, encodeUint32 } from './make-media.ts'

const CUES_ID = 0x1c53bb6b
const INFO_ID = 0x1549a966
const SEEK_HEAD_ID = 0x114d9b74

const folderPath = mkdtempSync(join(tmpdir(), 'marquee-cues-'))
afterAll(() => rmSync(folderPath, { recursive: true }))

const SEEK_HEAD_BYTES = createSeekHead(0x10000000, 0).length

const infoElement = createMatroskaElement(INFO_ID, createMatroskaElement(0x2ad7b1, encodeUint32(1_000_000)))
const cluster = createMatroskaElement(0x1f43b675, Buffer.alloc(64))
/** The index with keyframes of track 1 at 0 s and 5 s. */
const cues = createMatroskaElement(
  CUES_ID,
  ...[0, 5_000].map((timeMs) =>
    createMatroskaElement(
      0xbb,
      createMatroskaElement(0xb3, encodeUint32(timeMs)),
      createMatroskaElement(0xb7, createMatroskaElement(0xf7, Buffer.from([1]))),
    ),
  ),
)

function readTimes(...segmentElements: Buffer[]): Promise<number[] | null> {
  const filePath = join(folderPath, 'video.mkv')
  const ebmlHeader = createMatroskaElement(0x1a45dfa3, createMatroskaElement(0x4282, Buffer.from('matroska')))
  writeFileSync(filePath, Buffer.concat([ebmlHeader, createMatroskaElement(0x18538067, ...segmentElements)]))
  return readKeyframeTimes(filePath, 1)
}

it('the index is found through the first SeekHead when a second SeekHead does not state it', async () => {
  const cuesOffset = 2 * SEEK_HEAD_BYTES + infoElement.length + cluster.length
  const seekHeads = [createSeekHead(CUES_ID, cuesOffset), createSeekHead(INFO_ID, 2 * SEEK_HEAD_BYTES)]
  expect(await readTimes(...seekHeads, infoElement, cluster, cues)).toEqual([0, 5])
})

it('the index is found through a second SeekHead at the end of the file', async () => {
  const seekHeadOffset = SEEK_HEAD_BYTES + infoElement.length + cluster.length
  const endSeekHead = createSeekHead(CUES_ID, seekHeadOffset + SEEK_HEAD_BYTES)
  const startSeekHead = createSeekHead(SEEK_HEAD_ID, seekHeadOffset)
  expect(await readTimes(startSeekHead, infoElement, cluster, endSeekHead, cues)).toEqual([0, 5])
})

it('a SeekHead that refers to itself ends the search', async () => {
  expect(await readTimes(createSeekHead(SEEK_HEAD_ID, 0), infoElement, cluster, cues)).toBeNull()
})
