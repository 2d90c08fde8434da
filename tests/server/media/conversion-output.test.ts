/** Reading the output of ffmpeg: every byte arrives for any size of the chunks, and the output ends with the process. */
import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { readFragments } from '../../../server/providers/ffmpeg/fragments.ts'
import { GrowingBuffer } from '../../../server/providers/ffmpeg/growing-buffer.ts'
import { spawnWithOutput } from '../../../server/providers/ffmpeg/output-pipe.ts'

const FRAGMENTED_VIDEO = [
  ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=4'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-f', 'mp4'],
  ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof', 'pipe:1'],
]
const { stdout: video } = spawnSync('ffmpeg', FRAGMENTED_VIDEO, { maxBuffer: 64 * 1024 * 1024 })

async function* divideIntoChunks(bytes: Buffer, chunkBytes: number): AsyncGenerator<Buffer> {
  // All chunks share one buffer, as when the output of a process is read.
  const buffer = Buffer.alloc(chunkBytes)
  for (let offset = 0; offset < bytes.length; offset += chunkBytes)
    yield buffer.subarray(0, bytes.copy(buffer, 0, offset, offset + chunkBytes))
}

async function collectFragments(stream: AsyncIterable<Buffer>) {
  const starts: number[] = []
  const parts: Buffer[] = []
  for await (const event of readFragments(stream)) {
    parts.push(Buffer.from(event.bytes))
    if (event.kind === 'fragment') starts.push(event.startSeconds)
  }
  return { starts, bytes: Buffer.concat(parts) }
}

describe('fragments', () => {
  test.each([7, 1_000, 65_536, 10_000_000])(
    'have the same times and bytes when they arrive in chunks of %i bytes',
    async (chunkBytes) => {
      const { starts, bytes } = await collectFragments(divideIntoChunks(video, chunkBytes))
      expect(starts).toEqual([0, 1, 2, 3])
      // The fragments contain all bytes except the index at the end (`mfra`).
      expect(bytes.equals(video.subarray(0, bytes.length))).toBe(true)
      expect(video.toString('latin1', bytes.length + 4, bytes.length + 8)).toBe('mfra')
    },
  )
  test('drop an incomplete fragment at the end', async () => {
    const { starts } = await collectFragments(
      divideIntoChunks(video.subarray(0, video.length - 20_000), 4_096),
    )
    expect(starts.length).toBeGreaterThan(0)
    expect(starts.length).toBeLessThan(4)
  })
  test('throw for output that is not fragmented MP4', async () => {
    await expect(collectFragments(divideIntoChunks(Buffer.alloc(100), 10))).rejects.toThrow(
      'not a fragmented MP4',
    )
  })
})

describe('a growing buffer', () => {
  test('keeps the bytes that were not removed while its memory is moved and grows', () => {
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
  const readAll = async (output: AsyncIterable<Buffer>) => {
    const chunks: Buffer[] = []
    for await (const chunk of output) chunks.push(Buffer.from(chunk))
    return Buffer.concat(chunks)
  }

  test('has all its bytes in their order', async () => {
    const { output, exited } = await spawnWithOutput('ffmpeg', [...FRAGMENTED_VIDEO])
    expect((await readAll(output)).equals(video)).toBe(true)
    expect(await exited).toBe(0)
  })
  test('waits for its reader, and ends when the process is killed', async () => {
    const { child, output, exited } = await spawnWithOutput('yes', [])
    let chunkCount = 0
    for await (const chunk of output) {
      expect(chunk.length).toBeGreaterThan(0)
      chunkCount += 1
      if (chunkCount === 10) child.kill('SIGKILL')
    }
    expect(await exited).toBe('SIGKILL')
    expect(chunkCount).toBeLessThan(50)
  })
  test('is empty when the program does not exist', async () => {
    const { output, exited } = await spawnWithOutput('/nonexistent/ffmpeg', [])
    expect(await readAll(output)).toHaveLength(0)
    expect(await exited).toBeInstanceOf(Error)
  })
})
