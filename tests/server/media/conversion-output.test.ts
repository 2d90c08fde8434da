/** Reads the output of ffmpeg. All bytes must arrive with any chunk size. The output must end when ffmpeg ends. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readFragments } from '../../../server/providers/ffmpeg/fragments.ts'
import { GrowingBuffer } from '../../../server/providers/ffmpeg/growing-buffer.ts'
import { spawnWithOutput } from '../../../server/providers/ffmpeg/output-pipe.ts'

const FRAGMENTED_VIDEO_ARGUMENTS = [
  ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=4'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-f', 'mp4'],
  ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof', 'pipe:1'],
]
const { stdout: videoBytes } = spawnSync('ffmpeg', FRAGMENTED_VIDEO_ARGUMENTS, {
  maxBuffer: 64 * 1024 * 1024,
})

async function* divideIntoChunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  // All chunks share one buffer, as when the output of a process is read.
  const buffer = Buffer.alloc(chunkBytes)
  for (let offset = 0; offset < bytes.length; offset += chunkBytes)
    yield buffer.subarray(0, bytes.copy(buffer, 0, offset, offset + chunkBytes))
}

async function collectFragments(stream: AsyncIterable<Buffer>) {
  const startTimesSeconds: number[] = []
  const chunks: Buffer[] = []
  for await (const event of readFragments(stream)) {
    chunks.push(Buffer.from(event.bytes))
    if (event.kind === 'fragment') startTimesSeconds.push(event.startSeconds)
  }
  return { startTimesSeconds, bytes: Buffer.concat(chunks) }
}

describe('readFragments', () => {
  test.each([7, 1_000, 65_536, 10_000_000])(
    'returns the start time and all bytes of each fragment when the output arrives in chunks of %i bytes',
    async (chunkBytes) => {
      const { startTimesSeconds, bytes } = await collectFragments(divideIntoChunks(videoBytes, chunkBytes))
      expect(startTimesSeconds).toEqual([0, 1, 2, 3])
      // The fragments contain all bytes of the file except the `mfra` box at the end, which is an index.
      expect(bytes.equals(videoBytes.subarray(0, bytes.length))).toBe(true)
      expect(videoBytes.toString('latin1', bytes.length + 4, bytes.length + 8)).toBe('mfra')
    },
  )
  test('omits an incomplete fragment at the end of the output', async () => {
    const { startTimesSeconds } = await collectFragments(
      divideIntoChunks(videoBytes.subarray(0, videoBytes.length - 20_000), 4_096),
    )
    expect(startTimesSeconds.length).toBeGreaterThan(0)
    expect(startTimesSeconds.length).toBeLessThan(4)
  })
  test('throws for output that is not fragmented MP4', async () => {
    await expect(collectFragments(divideIntoChunks(Buffer.alloc(100), 10))).rejects.toThrow(
      'not a fragmented MP4',
    )
  })
})

describe('a growing buffer', () => {
  test('keeps the remaining bytes when an append moves them within the memory or enlarges the memory', () => {
    const buffer = new GrowingBuffer(8)
    buffer.append(Buffer.from('abcdef'))
    buffer.remove(4)
    buffer.append(Buffer.from('ghij'))
    expect(buffer.bytes.toString()).toBe('efghij')
    buffer.append(Buffer.from('klmnopqrstuvwxyz'))
    expect(buffer.bytes.toString()).toBe('efghijklmnopqrstuvwxyz')
    buffer.clear()
    expect(buffer.bytes).toHaveLength(0)
  })
})

describe('the output of a process', () => {
  const readAllBytes = async (output: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = []
    for await (const chunk of output) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  }

  test('contains all bytes in the order in which the process wrote them', async () => {
    const { output, exitPromise } = await spawnWithOutput('ffmpeg', [...FRAGMENTED_VIDEO_ARGUMENTS])
    expect((await readAllBytes(output)).equals(videoBytes)).toBe(true)
    expect(await exitPromise).toBe(0)
  })
  test('contains all bytes when the reader pauses after each chunk, although the chunks share one buffer', async () => {
    const { output } = await spawnWithOutput('seq', ['400000'])
    const chunks: Buffer[] = []
    for await (const chunk of output) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      chunks.push(Buffer.from(chunk))
    }
    expect(Buffer.concat(chunks).toString().split('\n', 400_000).map(Number)).toEqual(
      Array.from({ length: 400_000 }, (_, index) => index + 1),
    )
  })
  test('ends when the process is killed', async () => {
    const { child, output, exitPromise } = await spawnWithOutput('yes', [])
    let chunkCount = 0
    for await (const chunk of output) {
      expect(chunk.length).toBeGreaterThan(0)
      chunkCount += 1
      if (chunkCount === 10) child.kill('SIGKILL')
    }
    expect(await exitPromise).toBe('SIGKILL')
    expect(chunkCount).toBeLessThan(50)
  })
  test('is empty when the program of the process does not exist', async () => {
    const { output, exitPromise } = await spawnWithOutput('/nonexistent/ffmpeg', [])
    expect(await readAllBytes(output)).toHaveLength(0)
    expect(await exitPromise).toBeInstanceOf(Error)
  })
})
