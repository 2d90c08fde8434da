/** MP4 files whose index is made to exhaust the memory of the server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readKeyframeTimes } from '../../../server/providers/library/keyframes.ts'

const folderPath = mkdtempSync(join(tmpdir(), 'marquee-index-'))
afterAll(() => rmSync(folderPath, { recursive: true }))

function createBox(type: string, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(content.length + 8)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, content])
}

const createIndexTableContent = (...numbers: number[]) => {
  const table = Buffer.alloc(8 + 4 * numbers.length)
  for (const [index, number] of numbers.entries()) table.writeInt32BE(number, 8 + 4 * index)
  return table
}

function readTimesFromTables(tables: Record<'stss' | 'stts' | 'ctts', Buffer>): Promise<number[] | null> {
  const mediaHeader = Buffer.alloc(24)
  mediaHeader.writeUInt32BE(1_000, 12)
  const sampleTable = createBox(
    'stbl',
    ...Object.entries(tables).map(([type, table]) => createBox(type, table)),
  )
  const media = createBox('mdia', createBox('mdhd', mediaHeader), createBox('minf', sampleTable))
  const filePath = join(folderPath, 'video.mp4')
  writeFileSync(filePath, createBox('moov', createBox('trak', media)))
  return readKeyframeTimes(filePath, 1)
}

it('keyframe times are read from an MP4 index with several frame durations and composition offsets', async () => {
  const times = await readTimesFromTables({
    stss: createIndexTableContent(1, 3, 6, 9),
    stts: createIndexTableContent(2, 100, 3, 50, 10, 20),
    ctts: createIndexTableContent(4, 5, 2, -10, 1, 30),
  })
  expect(times).toEqual([0.005, 0.205, 0.34, 0.41])
})

it('keyframe times are read from an MP4 index with four million frame durations', async () => {
  const runCount = 4_000_000
  const durations = Buffer.alloc(8 + 8 * runCount)
  for (let offset = 8; offset < durations.length; offset += 8) {
    durations.writeUInt32BE(1, offset)
    durations.writeUInt32BE(2, offset + 4)
  }
  const tables = {
    stss: createIndexTableContent(1, runCount),
    stts: durations,
    ctts: createIndexTableContent(),
  }
  expect(await readTimesFromTables(tables)).toEqual([0, ((runCount - 1) * 2) / 1_000])
})

it.each(['stss', 'stts', 'ctts'] as const)(
  'an MP4 index whose table %s is too large is ignored',
  async (type) => {
    const tables = {
      stss: createIndexTableContent(1, 3),
      stts: createIndexTableContent(9, 100),
      ctts: createIndexTableContent(),
    }
    expect(await readTimesFromTables(tables)).not.toBeNull()
    const hugeTable = Buffer.alloc(33 * 1024 * 1024)
    for (let offset = 8; offset < hugeTable.length; offset += 4) hugeTable.writeUInt32BE(offset / 4, offset)
    expect(await readTimesFromTables({ ...tables, [type]: hugeTable })).toBeNull()
  },
)
