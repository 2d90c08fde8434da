/**
 * Conversions that fail because the system kills ffmpeg or because a segment cannot be stored.
 * The server must not treat the media file as damaged after such a failure.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { startConversionRun } from '../../../server/services/playback/conversion/conversion-run.ts'
import { ConversionSession } from '../../../server/services/playback/conversion/conversion-session.ts'
import { createTempFolder } from './media-test-server.ts'

/** Arguments of ffmpeg for a video of four fragments. Each fragment lasts one second. */
const VIDEO_ARGUMENTS = [
  ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=4'],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-f', 'mp4'],
  ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof', 'pipe:1'],
]
const SEGMENT_TIMES = { startsSeconds: [0, 1, 2], durationSeconds: 3 }
const folder = createTempFolder({
  'video.mp4': spawnSync('ffmpeg', VIDEO_ARGUMENTS, { maxBuffer: 64 * 1024 * 1024 }).stdout,
})
afterAll(folder.remove)

/** Returns the path of a program that writes the video and then runs shell commands. */
function createFakeFfmpeg(commands: string): string {
  folder.writeFiles({ ffmpeg: `#!/bin/sh\ncat '${join(folder.path, 'video.mp4')}'\n${commands}\n` })
  const path = join(folder.path, 'ffmpeg')
  chmodSync(path, 0o755)
  return path
}

async function runConversion(
  commands: string,
  storeSegment: (index: number) => Promise<void> = async () => {},
) {
  const storedIndexes: number[] = []
  const conversionRun = startConversionRun({
    ffmpegPath: createFakeFfmpeg(commands),
    ffmpegArguments: [],
    segmentTimes: SEGMENT_TIMES,
    startIndex: 0,
    storeInitialization: async () => {},
    storeSegment: async (index) => {
      await storeSegment(index)
      storedIndexes.push(index)
    },
    waitForDemand: async () => {},
    onEnd: () => {},
  })
  await conversionRun.endedPromise
  return { result: conversionRun.getResult(), storedIndexes }
}

describe('a run of ffmpeg', () => {
  test.each(['KILL', 'TERM'])(
    'a run that was killed with SIG%s does not store its last segment',
    async (signal) => {
      expect(await runConversion(`kill -${signal} $$`)).toEqual({
        result: 'interrupted',
        storedIndexes: [0, 1],
      })
    },
  )
  test.each(['exit 0', 'exit 1', 'kill -SEGV $$'])(
    'a run that ends with "%s" stores all segments',
    async (command) => {
      expect(await runConversion(command)).toEqual({ result: 'finished', storedIndexes: [0, 1, 2] })
    },
  )
  test('a run whose segments do not fit on the disk returns "interrupted"', async () => {
    const diskFullError = Object.assign(new Error('ENOSPC: no space left on device'), { errno: -28 })
    const { result, storedIndexes } = await runConversion('exit 0', async (index) => {
      if (index === 1) throw diskFullError
    })
    expect({ result, storedIndexes }).toEqual({ result: 'interrupted', storedIndexes: [0] })
  })
})

describe('a stream whose ffmpeg process is killed', () => {
  let session: ConversionSession | null = null
  afterEach(() => session?.end())

  function createSession(commands: string, getMaxStoredBytes = () => 1e9): ConversionSession {
    session = new ConversionSession({
      key: 'stream',
      path: 'film.mkv',
      fileVersion: { sizeBytes: 1, modifiedAtMs: 1 },
      plan: { maxHeightPixels: null, audioIndex: null, isAudioCopied: true, burntInSubtitleIndex: null },
      watchIdentity: { sid: '1', profileId: '1', pinGeneration: 0, titleId: 1 },
      folder: join(folder.path, 'segments'),
      source: {
        ffmpeg: {
          ffmpegPath: createFakeFfmpeg(commands),
          ffprobePath: '',
          version: '5.1',
          encoders: new Set(),
          filters: new Set(),
          probeTimeoutMs: 20_000,
        },
        realPath: 'film.mkv',
        video: { index: 0, codec: 'h264' } as never,
        audio: null,
        segmentTimes: SEGMENT_TIMES,
        encoders: [],
        needsPreroll: false,
        entryPoints: null,
      },
      now: Date.now,
      monotonicNow: () => performance.now(),
      getMaxStoredBytes,
      onEncoderFailure: vi.fn(),
    })
    return session
  }

  test('a stream delivers the same segment as an uninterrupted stream even if its process is killed once', async () => {
    const uninterruptedSession = createSession('exit 0')
    const expectedBytes = readFileSync((await uninterruptedSession.getSegment(2)) ?? '')
    await uninterruptedSession.end()
    const killOnceCommand = `test -e '${folder.path}/killed' || { touch '${folder.path}/killed'; kill -KILL $$; }`
    const interruptedSession = createSession(killOnceCommand)
    expect(readFileSync((await interruptedSession.getSegment(2)) ?? '').equals(expectedBytes)).toBe(true)
  })

  test('a request for a segment beyond the last segment of the stream returns null and does not start ffmpeg', async () => {
    const markerPath = join(folder.path, 'started')
    const newSession = createSession(`touch '${markerPath}'`)
    expect(await newSession.getSegment(SEGMENT_TIMES.startsSeconds.length)).toBeNull()
    expect(await newSession.getInitialization(SEGMENT_TIMES.startsSeconds.length)).toBeNull()
    await newSession.end()
    expect(existsSync(markerPath)).toBe(false)
  })

  test('a request for a segment throws "interrupted" when its ffmpeg process is killed, and a later request whose ffmpeg process ends normally returns the segment', async () => {
    const interruptedSession = createSession('kill -KILL $$')
    for (let requestIndex = 0; requestIndex < 3; requestIndex += 1)
      await expect(interruptedSession.getSegment(2)).rejects.toMatchObject({ code: 'interrupted' })
    createFakeFfmpeg('exit 0')
    expect(await interruptedSession.getSegment(2)).toMatch(/2\.m4s$/)
  })
})
