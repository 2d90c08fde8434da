/**
 * Seek thumbnails, the preview pictures of the seek bar, made with the real ffmpeg. The tests check how a job makes the
 * pictures, which viewers may load the pictures, and when the pictures are deleted.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeTestVideo } from '../../../scripts/test-videos.ts'
import { insertJob } from '../../../server/queries/job.ts'
import { toJobMessage } from '../../../server/services/jobs/job-queue.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import {
  endConversionSession,
  listConversionSessions,
} from '../../../server/services/playback/conversion/conversions.ts'
import {
  areSeekThumbnailsDue,
  runSeekThumbnails,
} from '../../../server/services/playback/seek-thumbnails-job.ts'
import { findThumbnail } from '../../../src/lib/rules/seek-thumbnails.ts'
import { TestClient } from '../../support/test-client.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const MINUTE_VIDEO = 'h264-chapters.mkv'
const VIDEOS_BY_IMDB_ID = {
  tt0000001: MINUTE_VIDEO,
  tt0000002: MINUTE_VIDEO,
  tt0000003: 'h264-aac.mp4',
  tt0000004: 'noise.mkv',
  tt0000005: 'hevc-aac.mkv',
}
const MINUTE_VIDEO_COUNT = 2
const FILE_COUNT = Object.keys(VIDEOS_BY_IMDB_ID).length

const mediaFolder = createTempFolder()
const dataFolder = createTempFolder()
const getFilePath = (imdb: string, name: string) => join(mediaFolder.path, `Film {imdb-${imdb}}`, name)
const listThumbnailFolders = () => {
  try {
    return readdirSync(join(dataFolder.path, 'thumbnails'))
  } catch {
    return []
  }
}
let mediaServer: MediaTestServer

beforeAll(async () => {
  for (const [imdb, name] of Object.entries(VIDEOS_BY_IMDB_ID)) {
    mkdirSync(dirname(getFilePath(imdb, name)), { recursive: true })
    copyFileSync(makeTestVideo(name), getFilePath(imdb, name))
  }
  mediaServer = await startMediaTestServer(
    { MEDIA_DIR: mediaFolder.path, DATA_DIR: dataFolder.path, PATH: process.env['PATH'] ?? '' },
    Object.keys(VIDEOS_BY_IMDB_ID).map((imdb) => ({
      title: `Film ${imdb}`,
      imdb,
      isSafeForKids: imdb === 'tt0000002',
    })),
  )
}, 60_000)
afterAll(async () => {
  await mediaServer.close()
  mediaFolder.remove()
  dataFolder.remove()
})

/** Runs the job that makes seek thumbnails, with arguments of the same form as those of the job worker. */
const runThumbnailJob = (signal = new AbortController().signal) =>
  runSeekThumbnails({
    deps: mediaServer.server.deps,
    input: {},
    checkpoint: null,
    signal,
    reportProgress: async () => {},
    saveCheckpoint: async () => {},
  })
const isThumbnailJobDue = () => areSeekThumbnailsDue(mediaServer.server.deps)
const lookUpStream = async (imdb: string, device?: TestClient) =>
  (await mediaServer.lookUpStream(`movie/${imdb}`, '', device)).body
const loadThumbnailState = async () => (await mediaServer.adult.get('/api/admin/library')).body.thumbnails
const saveDiskLimit = (megabytes: number) =>
  mediaServer.adult.post('/api/settings', { key: 'thumbnails_disk_megabytes', value: megabytes })

/** Returns the average colour of one picture of a thumbnail sheet. Columns and rows are counted from 0. */
function readColour(sheet: Buffer, column: number, row: number): number[] {
  const cropFilter = `crop=192:108:${column * 192}:${row * 108},scale=1:1:flags=area`
  const ffmpegArguments = [
    '-v',
    'error',
    '-f',
    'mjpeg',
    '-i',
    'pipe:0',
    '-vf',
    cropFilter,
    '-f',
    'rawvideo',
    '-pix_fmt',
    'rgb24',
  ]
  return [...spawnSync('ffmpeg', [...ffmpegArguments, 'pipe:1'], { input: sheet }).stdout]
}

describe('before the thumbnail job has run', () => {
  beforeEach(async () => {
    // Before a job fails, the job may have handled the files that are too short for thumbnails. The number of handled
    // files depends on the order of the files.
    await mediaServer.server.deps.database.primary.deleteFrom('seek_thumbnails').execute()
  })

  test('a stream has chapters but no thumbnails, and the dashboard reports that no file has been handled', async () => {
    const stream = await lookUpStream('tt0000001')
    expect(stream.thumbnails).toBeUndefined()
    expect(stream).toMatchObject({
      chapters: [
        { start: 0, title: 'Opening' },
        { start: 15, title: 'The harbour' },
        { start: 50, title: 'Credits' },
      ],
      intro: { start: 0, end: 15 },
      credits_at: 50,
    })
    expect(await loadThumbnailState()).toEqual({ state: 'available', files: FILE_COUNT, handled: 0, size: 0 })
    expect(await isThumbnailJobDue()).toBe(true)
  })

  test('the thumbnail job is due again an hour after it was cancelled, even if it had run for hours before', async () => {
    const { database, now } = mediaServer.server.deps
    const [createdMs, endedMs] = [now() - 3 * 3_600_000, now() - 3_500_000]
    const job = { job_id: 'cancelled', kind: 'seek_thumbnails', status: 'cancelled', input: '{}' }
    await insertJob(database.primary, { ...job, created_at: createdMs, finished_at: endedMs })
    expect(await isThumbnailJobDue()).toBe(false)
    await database.primary
      .updateTable('job')
      .set({ finished_at: endedMs - 200_000 })
      .where('job_id', '=', job.job_id)
      .execute()
    expect(await isThumbnailJobDue()).toBe(true)
    await database.primary.deleteFrom('job').where('job_id', '=', job.job_id).execute()
  })

  test('with thumbnails_disk_megabytes 0 the job makes no thumbnails and reports that thumbnails are turned off', async () => {
    await saveDiskLimit(0)
    expect((await loadThumbnailState()).state).toBe('off')
    expect(await isThumbnailJobDue()).toBe(false)
    expect(await runThumbnailJob()).toMatchObject({ message: 'thumbnails_off', report: { made: 0 } })
    await saveDiskLimit(2_000)
    expect(listThumbnailFolders()).toEqual([])
  })

  test('without ffmpeg the dashboard shows that ffmpeg is missing, and the job does not start', async () => {
    const { streamSources } = mediaServer.server.deps
    const { ffmpeg } = streamSources
    streamSources.ffmpeg = { find: async () => ({ status: 'missing' }) }
    expect((await loadThumbnailState()).state).toBe('no_ffmpeg')
    expect(await isThumbnailJobDue()).toBe(false)
    await expect(runThumbnailJob()).rejects.toThrow('ffmpeg_missing')
    streamSources.ffmpeg = ffmpeg
  })

  test('a job fails while the media folder is unavailable, and marks no file as handled', async () => {
    renameSync(mediaFolder.path, `${mediaFolder.path}-away`)
    try {
      await expect(runThumbnailJob()).rejects.toThrow('folder_unreadable')
    } finally {
      renameSync(`${mediaFolder.path}-away`, mediaFolder.path)
    }
    expect(await loadThumbnailState()).toMatchObject({ state: 'available', handled: 0 })
  })

  /**
   * Runs the job with a script in place of ffmpeg. The script runs the real ffmpeg, and then the shell command
   * `command`, in which `$folder` is the folder of the sheets.
   */
  async function runJobWithFailingFfmpeg(command: string) {
    const { streamSources } = mediaServer.server.deps
    const { ffmpeg } = streamSources
    const program = await ffmpeg.find()
    if (program.status !== 'available') throw new Error('no ffmpeg')
    const script = join(dataFolder.path, 'failing-ffmpeg')
    const lines = [
      '#!/bin/sh',
      `"${program.ffmpeg.ffmpegPath}" "$@"`,
      'for output in "$@"; do :; done',
      'folder=$(dirname "$output" | cut -d : -f 2-)',
      command,
    ]
    writeFileSync(script, lines.join('\n'), { mode: 0o700 })
    const failingProgram = { ...program, ffmpeg: { ...program.ffmpeg, ffmpegPath: script } }
    streamSources.ffmpeg = { find: async () => failingProgram }
    try {
      return await runThumbnailJob()
    } finally {
      streamSources.ffmpeg = ffmpeg
      rmSync(script)
    }
  }
  test('the job fails with disk_full when the disk is full, and incomplete sheets are not stored', async () => {
    // Each write to /dev/full fails with ENOSPC.
    const runningJobPromise = runJobWithFailingFfmpeg('ln -s /dev/full "$folder/test"; exit 1')
    expect(await runningJobPromise.catch(toJobMessage)).toBe('disk_full')
    expect(listThumbnailFolders()).toEqual([])
    expect((await loadThumbnailState()).handled).toBeLessThanOrEqual(FILE_COUNT - MINUTE_VIDEO_COUNT)
  })

  test('the job fails with disk_full when ffmpeg exits successfully although it could not write the end of a sheet', async () => {
    const command = 'ln -s /dev/full "$folder/test"; echo "Error closing file 1.jpg: No space left" >&2'
    expect(await runJobWithFailingFfmpeg(command).catch(toJobMessage)).toBe('disk_full')
    expect(listThumbnailFolders()).toEqual([])
  })

  test('when the system kills ffmpeg, the thumbnail sheets of that run are not stored', async () => {
    expect(await runJobWithFailingFfmpeg('kill -9 $$')).toMatchObject({
      message: 'files_unreadable',
      report: { made: 0 },
    })
    expect(listThumbnailFolders()).toEqual([])
    expect((await loadThumbnailState()).handled).toBe(FILE_COUNT - MINUTE_VIDEO_COUNT)
  })

  test('a cancelled job leaves no thumbnails', async () => {
    const abortController = new AbortController()
    const runningJobPromise = runThumbnailJob(abortController.signal)
    await expect.poll(listThumbnailFolders, { interval: 5 }).not.toEqual([])
    abortController.abort('cancelled')
    expect(await runningJobPromise).toMatchObject({ report: { made: 0 } })
    expect(listThumbnailFolders()).toEqual([])
    expect((await loadThumbnailState()).handled).toBeLessThan(FILE_COUNT)
  })
})

describe('after the thumbnail job', () => {
  beforeEach(async () => {
    await runThumbnailJob()
  })

  test('a file of one minute has one thumbnail per ten seconds, and a file of ten seconds has none', async () => {
    const { thumbnails } = await lookUpStream('tt0000001')
    expect(thumbnails).toMatchObject({ interval_seconds: 10, count: 6, columns: 6, rows: 6, width: 192 })
    expect((await lookUpStream('tt0000003')).thumbnails).toBeUndefined()
    expect((await lookUpStream('tt0000004')).thumbnails).toBeUndefined()
    const { size, ...stateWithoutSize } = await loadThumbnailState()
    expect(stateWithoutSize).toEqual({ state: 'available', files: FILE_COUNT, handled: FILE_COUNT })
    expect(size).toBeGreaterThan(1_000)
    expect(await isThumbnailJobDue()).toBe(false)
    expect(listThumbnailFolders()).toHaveLength(2)
  })

  test('the thumbnail of a position shows the video at that position', async () => {
    const { thumbnails } = await lookUpStream('tt0000001')
    if (!thumbnails) throw new Error('no thumbnails')
    const colours: number[][] = []
    for (const seconds of [0, 30, 50]) {
      const { sheetUrl, column, row } = findThumbnail(thumbnails, seconds)
      const response = await mediaServer.fetchMedia(sheetUrl)
      expect(response.headers.get('content-type')).toBe('image/jpeg')
      expect(response.headers.get('cache-control')).toBe('no-store')
      colours.push(readColour(Buffer.from(await response.arrayBuffer()), column, row))
    }
    // The hue of the test video changes with time, so pictures of different positions have different colours.
    const computeColourDistance = (firstColour: number[] = [], secondColour: number[] = []) =>
      firstColour.reduce(
        (sum, channelValue, index) => sum + Math.abs(channelValue - (secondColour[index] ?? 0)),
        0,
      )
    expect(computeColourDistance(colours[0], colours[1])).toBeGreaterThan(20)
    // Thumbnails are made from keyframes. Positions after the last keyframe show the picture of the last keyframe.
    expect(computeColourDistance(colours[1], colours[2])).toBeLessThan(10)
  })

  test('a thumbnail URL returns 404 if it was changed, has another file name or has expired', async () => {
    const url = (await lookUpStream('tt0000001')).thumbnails?.url ?? ''
    const fetchStatus = async (path: string) => (await mediaServer.fetchMedia(path)).status
    expect(await fetchStatus(`${url}1.jpg`)).toBe(200)
    for (const name of ['2.jpg', '0.jpg', '01.jpg', 'index.m3u8', '0.m4s', '..%2f1.jpg'])
      expect(await fetchStatus(url + name), name).toBe(404)
    expect(
      await fetchStatus(
        `${url.replace(/.(?=\/$)/, (lastCharacter) => (lastCharacter === 'A' ? 'B' : 'A'))}1.jpg`,
      ),
    ).toBe(404)
    mediaServer.server.advanceClock(13 * 3_600_000)
    expect(await fetchStatus(`${url}1.jpg`)).toBe(404)
    mediaServer.server.advanceClock(-13 * 3_600_000)
  })

  test('a thumbnail URL returns 404 after the login of the viewer has ended, and kids profiles get thumbnails only of safe titles', async () => {
    const device = new TestClient(mediaServer.server)
    await device.login('alice@example.com')
    device.profileId = mediaServer.adultId
    const { thumbnails } = await lookUpStream('tt0000001', device)
    const fetchStatus = async (url = '') => (await mediaServer.fetchMedia(`${url}1.jpg`)).status
    expect(await fetchStatus(thumbnails?.url)).toBe(200)
    expect((await mediaServer.lookUpStream('movie/tt0000001', '', mediaServer.kid)).status).toBe(404)
    expect(await fetchStatus((await lookUpStream('tt0000002', mediaServer.kid)).thumbnails?.url)).toBe(200)
    await device.post('/api/auth/logout')
    mediaServer.server.advanceClock(2_000)
    expect(await fetchStatus(thumbnails?.url)).toBe(404)
  })

  test('thumbnails are made again after their folder was deleted', async () => {
    const folders = listThumbnailFolders()
    rmSync(join(dataFolder.path, 'thumbnails'), { recursive: true })
    expect(await isThumbnailJobDue()).toBe(true)
    await runThumbnailJob()
    expect(listThumbnailFolders()).toEqual(folders)
    expect(await isThumbnailJobDue()).toBe(false)
  })

  test('the thumbnail job waits while a video is being converted for a viewer, but for at most five minutes', async () => {
    const abortController = new AbortController()
    copyFileSync(makeTestVideo(MINUTE_VIDEO), getFilePath('tt0000003', MINUTE_VIDEO))
    await getLibrarySync(mediaServer.server.deps)?.scan(async () => {})
    const [source] = (await lookUpStream('tt0000005')).sources
    expect(source?.delivery).toBe('transcode')
    expect((await mediaServer.fetchMedia(source?.url ?? '')).status).toBe(200)
    expect(listConversionSessions(mediaServer.server.deps)).toHaveLength(1)
    const runningJobPromise = runThumbnailJob(abortController.signal)
    await expect.poll(async () => (await loadThumbnailState()).files).toBe(FILE_COUNT + 1)
    abortController.abort('stopping')
    expect(await runningJobPromise).toMatchObject({ report: { made: 0 } })

    const [session] = listConversionSessions(mediaServer.server.deps)
    if (session) session.lastRequestMonotonicMs = Number.MAX_SAFE_INTEGER
    let advancedMs = 0
    const timer = setInterval(() => {
      advancedMs += 60_000
      mediaServer.server.advanceClock(60_000)
    }, 100)
    expect(await runThumbnailJob()).toMatchObject({ report: { made: 1 } })
    clearInterval(timer)
    mediaServer.server.advanceClock(-advancedMs)
    expect(advancedMs).toBeGreaterThanOrEqual(5 * 60_000)
    expect(listConversionSessions(mediaServer.server.deps)).toEqual([session])
    for (const { key } of listConversionSessions(mediaServer.server.deps))
      await endConversionSession(mediaServer.server.deps, key)
  })

  test('a lookup omits a file that is much shorter than another file of the movie', async () => {
    const { sources, chapters } = await lookUpStream('tt0000003')
    expect(chapters).toHaveLength(3)
    const sizes = sources.map(({ size }) => size)
    expect(sizes).not.toContain(statSync(getFilePath('tt0000003', 'h264-aac.mp4')).size)
  })

  test('the thumbnails of a removed file are deleted', async () => {
    rmSync(dirname(getFilePath('tt0000001', MINUTE_VIDEO)), { recursive: true })
    await getLibrarySync(mediaServer.server.deps)?.scan(async () => {})
    expect(await isThumbnailJobDue()).toBe(true)
    const foldersBefore = listThumbnailFolders()
    const abortController = new AbortController()
    abortController.abort('stopping')
    expect(await runThumbnailJob(abortController.signal)).toMatchObject({ report: { removed: 1 } })
    expect(listThumbnailFolders()).toHaveLength(foldersBefore.length - 1)
  })
})
