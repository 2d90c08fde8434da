/** Files that state a wrong duration or contain unusual tracks, with the real ffmpeg. */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { chooseDuration } from '../../../server/providers/ffmpeg/measure-end.ts'
import { examineFile, measureLargeRecording } from '../../../server/services/playback/media-information.ts'
import { runSeekThumbnails } from '../../../server/services/playback/seek-thumbnails-job.ts'
import { encodeCapabilities } from '../../../src/lib/rules/playback-capabilities.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'
import { FILE_CREATORS_BY_NAME } from './odd-files-fixture.ts'

const CHROMIUM_CAPABILITY_CODE = encodeCapabilities((type) =>
  /avc1\.640|vp0?[89]|av01|mp4a|opus|flac|vorbis/.test(type),
)
const VIDEO_SECONDS = 10

const mediaFolder = createTempFolder()
const dataFolder = createTempFolder()

const FILE_NAMES = Object.keys(FILE_CREATORS_BY_NAME)
const getImdbId = (fileName: string) => `tt${String(FILE_NAMES.indexOf(fileName) + 1).padStart(7, '0')}`

let mediaServer: MediaTestServer
beforeAll(async () => {
  for (const [name, createFile] of Object.entries(FILE_CREATORS_BY_NAME)) {
    mediaFolder.writeFiles({ [`Film {imdb-${getImdbId(name)}}/${name}`]: '' })
    createFile(join(mediaFolder.path, `Film {imdb-${getImdbId(name)}}`, name), dataFolder.path)
  }
  mediaServer = await startMediaTestServer(
    { MEDIA_DIR: mediaFolder.path, DATA_DIR: dataFolder.path, PATH: process.env['PATH'] ?? '' },
    FILE_NAMES.map((name) => ({ title: name, imdb: getImdbId(name) })),
    // Playback does not depend on the database, so SQLite is enough.
    openSqliteDatabase(':memory:'),
  )
}, 120_000)
afterAll(async () => {
  await mediaServer.close()
  mediaFolder.remove()
  dataFolder.remove()
})

async function lookUpStream(fileName: string, query = '') {
  const { body } = await mediaServer.lookUpStream(
    `movie/${getImdbId(fileName)}`,
    `?decoders=${CHROMIUM_CAPABILITY_CODE}${query}`,
  )
  return body
}

/**
 * Loads a playlist, the initialisation segment and the segments with these indexes; a negative index counts from the
 * end. Returns the duration of the whole stream, and the statuses and the concatenated bodies of these segments.
 */
async function loadStream(url: string, segmentIndexes = [-1]) {
  const playlist = await (await mediaServer.fetchMedia(url)).text()
  const segmentNames = playlist.split('\n').filter((line) => line.endsWith('.m4s'))
  const durationsSeconds = [...playlist.matchAll(/EXTINF:([\d.]+)/g)].map(([, seconds]) => Number(seconds))
  const requestedNames = [
    /URI="(.+?)"/.exec(playlist)?.[1] ?? '',
    ...segmentIndexes.map((index) => segmentNames.at(index) ?? ''),
  ]
  const statuses: number[] = []
  const chunks: Buffer[] = []
  for (const name of requestedNames) {
    const response = await mediaServer.fetchMedia(new URL(name, new URL(url, 'http://host')).pathname)
    statuses.push(response.status)
    chunks.push(Buffer.from(await response.arrayBuffer()))
  }
  return {
    seconds: durationsSeconds.reduce((sum, duration) => sum + duration, 0),
    statuses,
    bytes: Buffer.concat(chunks),
  }
}

describe('a file that states a wrong duration', () => {
  test.each([
    ['too-long.mkv', 'remux', VIDEO_SECONDS],
    ['states-4-s.mkv', 'remux', VIDEO_SECONDS],
    ['states-4-s-hevc.mkv', 'transcode', VIDEO_SECONDS],
    ['too-long.mp4', 'remux', VIDEO_SECONDS],
    ['live.mkv', 'transcode', VIDEO_SECONDS],
    ['cut.mp4', 'remux', 6],
  ])(
    '%s is delivered as %s, with a playlist of %s seconds whose last segment exists',
    async (name, delivery, expectedSeconds) => {
      const { sources } = await lookUpStream(name)
      expect(sources[0]?.delivery).toBe(delivery)
      const stream = await loadStream(sources[0]?.url ?? '')
      expect(Math.abs(stream.seconds - expectedSeconds)).toBeLessThan(1)
      expect(stream.statuses).toEqual([200, 200])
    },
  )

  test('a file that states a wrong duration is not sent directly, because browsers would show the wrong duration', async () => {
    expect((await lookUpStream('too-long.mp4')).sources[0]).toMatchObject({
      delivery: 'remux',
      reason: 'duration',
    })
  })
})

test('a file whose first video track is a cover image has the quality of the video, not of the image', async () => {
  const qualities = await Promise.all(
    ['cover-first.mkv', 'hevc-flac.mkv'].map(async (name) => (await lookUpStream(name)).sources[0]?.quality),
  )
  expect(qualities[0]).toBe(qualities[1])
  expect(qualities[0]).not.toBe('480p')
})

describe('a file with unusual timestamps', () => {
  test('the stream of a recording of two concatenated parts has the full duration, and each segment starts with a keyframe at its time in the recording', async () => {
    const { sources } = await lookUpStream('joined.ts')
    expect(sources[0]).toMatchObject({ delivery: 'transcode', reason: 'no_index' })
    const url = sources[0]?.url ?? ''
    const stream = await loadStream(url)
    expect(Math.abs(stream.seconds - VIDEO_SECONDS)).toBeLessThan(0.5)
    const filePath = join(dataFolder.path, 'segments.mp4')
    for (const [index, startSeconds] of [
      [2, 6],
      [0, 0],
    ] as const) {
      writeFileSync(filePath, (await loadStream(`${url}?start=${startSeconds}`, [index])).bytes)
      const ffprobeArguments = [
        '-v',
        'error',
        '-select_streams',
        'v',
        '-show_entries',
        'packet=pts_time,flags',
      ]
      const { stdout } = spawnSync('ffprobe', [...ffprobeArguments, '-of', 'csv=p=0', filePath], {
        encoding: 'utf8',
      })
      const packets = stdout.trim().split('\n')
      // ffmpeg adds TIME_OFFSET_SECONDS (1 s) to all timestamps of the segments.
      const firstPacketSeconds = Math.min(...packets.map((packet) => Number.parseFloat(packet))) - 1
      expect(packets[0]).toContain('K')
      expect(Math.abs(firstPacketSeconds - startSeconds)).toBeLessThan(0.1)
      expect(packets.length).toBeGreaterThan(70)
    }
  })

  test('when the video track of a file starts later than the audio track, the segments of the stream start at keyframes', async () => {
    const { sources } = await lookUpStream('late-video.mp4')
    expect(sources[0]).toMatchObject({ delivery: 'remux', reason: 'audio_codec' })
    const url = sources[0]?.url ?? ''
    const playlist = await (await mediaServer.fetchMedia(url)).text()
    const firstDurationSeconds = Number(/EXTINF:([\d.]+)/.exec(playlist)?.[1])
    const filePath = join(dataFolder.path, 'late-video-segments.mp4')
    writeFileSync(filePath, (await loadStream(`${url}?start=${firstDurationSeconds}`, [1])).bytes)
    const ffprobeArguments = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'packet=pts_time,flags']
    const { stdout } = spawnSync('ffprobe', [...ffprobeArguments, '-of', 'csv=p=0', filePath], {
      encoding: 'utf8',
    })
    // ffmpeg adds TIME_OFFSET_SECONDS (1 s) to all timestamps of the segments.
    const [firstPacket = ''] = stdout.split('\n')
    expect(firstPacket).toContain('K')
    expect(Math.abs(Number.parseFloat(firstPacket) - 1 - firstDurationSeconds)).toBeLessThan(0.1)
  })

  test('the keyframes of a recording larger than 1 GiB are read in the background, not while a viewer waits', async () => {
    const { deps } = mediaServer.server
    const path = `Film {imdb-${getImdbId('joined.ts')}}/large.ts`
    const filePath = join(mediaFolder.path, path)
    copyFileSync(join(mediaFolder.path, `Film {imdb-${getImdbId('joined.ts')}}/joined.ts`), filePath)
    // The file becomes larger than 1 GiB. The added bytes are a hole in the file, which needs no disk space.
    truncateSync(filePath, 1024 ** 3 + 1)
    const areEntryPointsStored = async () =>
      Boolean((await examineFile(deps, path))?.information?.entryPoints)
    expect(await areEntryPointsStored()).toBe(false)
    await measureLargeRecording(deps, path, new AbortController().signal)
    expect(await areEntryPointsStored()).toBe(true)
    rmSync(filePath)
  })

  test('a trimmed video is converted, because a copy would show the removed start', async () => {
    const { sources } = await lookUpStream('trimmed.mov')
    expect(sources[0]).toMatchObject({ delivery: 'transcode', reason: 'no_index' })
  })

  test('the sound of a trimmed video starts with its picture, without the removed start', async () => {
    const { sources } = await lookUpStream('trimmed.mov')
    const filePath = join(dataFolder.path, 'trimmed-segments.mp4')
    writeFileSync(filePath, (await loadStream(sources[0]?.url ?? '', [0])).bytes)
    const ffprobeArguments = ['-v', 'error', '-select_streams', 'a', '-show_entries', 'packet=pts_time']
    const { stdout } = spawnSync('ffprobe', [...ffprobeArguments, '-of', 'csv=p=0', filePath], {
      encoding: 'utf8',
    })
    const timesSeconds = stdout.trim().split('\n').map(Number.parseFloat)
    // ffmpeg adds TIME_OFFSET_SECONDS (1 s) to all timestamps of the segments.
    expect(timesSeconds[0]).toBeGreaterThan(0.9)
    expect(timesSeconds.at(-1)).toBeLessThan(5)
  })
})

describe('a file that ffprobe temporarily cannot read', () => {
  const programFolder = createTempFolder()
  const failureFile = join(programFolder.path, 'failure')
  const findProgram = (name: string) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()
  let otherServer: MediaTestServer
  beforeAll(async () => {
    symlinkSync(findProgram('ffmpeg'), join(programFolder.path, 'ffmpeg'))
    // ffprobe fails if its arguments contain the first line of the file `failure`. The second line of that file names
    // the kind of the failure.
    programFolder.writeFiles({
      ffprobe: `#!/bin/sh
if [ -f '${failureFile}' ]; then
  case "$*" in
    *"$(sed -n 1p '${failureFile}')"*)
      case "$(sed -n 2p '${failureFile}')" in
        killed) kill -9 $$ ;;
        disk) echo 'file: Input/output error' >&2; exit 1 ;;
        missing) exit 127 ;;
        slow) exec sleep 18 ;;
        stuck) exec sleep 60 ;;
      esac ;;
  esac
fi
exec '${findProgram('ffprobe')}' "$@"
`,
    })
    chmodSync(join(programFolder.path, 'ffprobe'), 0o755)
    otherServer = await startMediaTestServer(
      { MEDIA_DIR: mediaFolder.path, DATA_DIR: dataFolder.path, PATH: programFolder.path },
      FILE_NAMES.map((name) => ({ title: name, imdb: getImdbId(name) })),
      openSqliteDatabase(':memory:'),
    )
  }, 120_000)
  afterAll(async () => {
    await otherServer.close()
    programFolder.remove()
  })
  const setProgramFailure = (failedArgument: string, kind: string) =>
    writeFileSync(failureFile, `${failedArgument}\n${kind}\n`)
  const lookUpSource = async (name: string) => {
    const path = `movie/${getImdbId(name)}`
    return (await otherServer.lookUpStream(path, `?decoders=${CHROMIUM_CAPABILITY_CODE}`)).body.sources[0]
  }
  const countRows = async () =>
    (await otherServer.server.database.primary.selectFrom('media_file').select('path').execute()).length

  test.each(['killed', 'disk', 'missing'])(
    'a file that ffprobe could not read is offered directly, and is examined again at the next lookup (failure of ffprobe: %s)',
    async (kind) => {
      await otherServer.server.database.primary.deleteFrom('media_file').execute()
      const name = { killed: 'states-4-s-hevc.mkv', disk: 'too-long.mkv', missing: 'live.mkv' }[kind] ?? ''
      setProgramFailure('-show_streams', kind)
      expect(await lookUpSource(name)).toMatchObject({ delivery: 'direct', reason: 'unknown' })
      expect(await countRows()).toBe(0)
      rmSync(failureFile)
      expect((await lookUpSource(name))?.delivery).not.toBe('direct')
      expect(await countRows()).toBe(1)
    },
  )

  test('a file that ffprobe could not read is not examined again for two minutes after ffprobe exceeded the time limit, so that later lookups are not delayed', async () => {
    await otherServer.server.database.primary.deleteFrom('media_file').execute()
    setProgramFailure('-show_streams', 'stuck')
    const ffmpegStatus = await otherServer.server.deps.streamSources.ffmpeg.find()
    if (ffmpegStatus.status !== 'available') throw new Error('the test needs ffmpeg')
    const { probeTimeoutMs } = ffmpegStatus.ffmpeg
    // The usual time limit applies again during the second lookup. If that lookup called ffprobe, the lookup would
    // therefore last longer than 10 s.
    expect(probeTimeoutMs).toBeGreaterThan(10_000)
    ffmpegStatus.ffmpeg.probeTimeoutMs = 500
    expect(await lookUpSource('hevc-flac.mkv')).toMatchObject({ delivery: 'direct', reason: 'unknown' })
    ffmpegStatus.ffmpeg.probeTimeoutMs = probeTimeoutMs
    const startedAtMs = performance.now()
    expect(await lookUpSource('hevc-flac.mkv')).toMatchObject({ delivery: 'direct', reason: 'unknown' })
    expect(performance.now() - startedAtMs).toBeLessThan(10_000)
    rmSync(failureFile)
    await lookUpSource('hevc-flac.mkv')
    expect(await countRows()).toBe(0)
    otherServer.server.advanceClock(120_001)
    await otherServer.adult.login('alice@example.com')
    await lookUpSource('hevc-flac.mkv')
    expect(await countRows()).toBe(1)
  }, 60_000)

  test.each([
    ['keyframes', 'pts_time,dts_time,pos,flags', 'joined.ts'],
    ['end', '-read_intervals', 'too-long.mp4'],
  ])(
    'a file is examined again an hour after ffprobe failed to read the %s of the file',
    async (_part, failedArgument, name) => {
      await otherServer.server.database.primary.deleteFrom('media_file').execute()
      setProgramFailure(failedArgument, 'killed')
      await lookUpSource(name)
      rmSync(failureFile)
      await lookUpSource(name)
      expect(await countRows()).toBe(0)
      otherServer.server.advanceClock(3_600_001)
      await otherServer.adult.login('alice@example.com')
      await lookUpSource(name)
      expect(await countRows()).toBe(1)
    },
  )

  test('when ffprobe exceeds its time limit for a file, a token refresh with a `watch` field still succeeds within 12 seconds, and returns no watch data', async () => {
    const { adult } = otherServer
    const slug = (await adult.get('/api/movies?limit=50')).body.results.find(
      ({ title }: { title: string }) => title === 'trimmed.mov',
    ).slug
    setProgramFailure('-show_streams', 'slow')
    const startedAtMs = performance.now()
    const response = await adult.post('/api/auth/refresh', { watch: { type: 'movie', slug } })
    expect(performance.now() - startedAtMs).toBeLessThan(12_000)
    expect(response.status).toBe(200)
    expect(response.body).not.toHaveProperty('watch')
    adult.accessToken = response.body.access_token
    rmSync(failureFile)
  })

  test('a file that ffprobe could not read makes the thumbnail job fail, and gets its thumbnails in a later run of the job', async () => {
    const { primary } = otherServer.server.database
    await primary.deleteFrom('media_file').execute()
    // One file is enough. The other files would make the test slow.
    const testedPath = `Film {imdb-${getImdbId('hevc-flac.mkv')}}/hevc-flac.mkv`
    await primary
      .updateTable('library_file')
      .set({ state: 'ignored' })
      .where('path', '!=', testedPath)
      .execute()
    const context = {
      // The server keeps its information about examined files per `deps` object. With this copy of `deps`, the job
      // therefore examines all files again.
      deps: { ...otherServer.server.deps },
      ...{ input: {}, checkpoint: null, signal: new AbortController().signal },
      ...{ reportProgress: async () => {}, saveCheckpoint: async () => {} },
    }
    const countHandledFiles = async () =>
      (await primary.selectFrom('seek_thumbnails').select('path').execute()).length
    setProgramFailure('-show_streams', 'disk')
    await expect(runSeekThumbnails(context)).rejects.toThrow('folder_unreadable')
    expect(await countHandledFiles()).toBe(0)
    rmSync(failureFile)
    await runSeekThumbnails(context)
    expect(await countHandledFiles()).toBe(1)
    await primary.updateTable('library_file').set({ state: 'matched' }).execute()
  }, 120_000)

  test('the thumbnail job gives up on a file after three runs in which ffprobe has read other files but not this file', async () => {
    const { primary } = otherServer.server.database
    const getPath = (name: string) => `Film {imdb-${getImdbId(name)}}/${name}`
    const [damagedPath, readablePath] = ['hevc-flac.mkv', 'states-4-s-hevc.mkv'].map(getPath) as [
      string,
      string,
    ]
    const deleteThumbnailRow = (path: string) =>
      primary.deleteFrom('seek_thumbnails').where('path', '=', path).execute()
    await primary.deleteFrom('seek_thumbnails').execute()
    await primary.deleteFrom('media_file').where('path', '=', damagedPath).execute()
    await primary
      .updateTable('library_file')
      .set({ state: 'ignored' })
      .where('path', 'not in', [damagedPath, readablePath])
      .execute()
    const runThumbnailJob = () =>
      runSeekThumbnails({
        deps: { ...otherServer.server.deps },
        ...{ input: {}, checkpoint: null, signal: new AbortController().signal },
        ...{ reportProgress: async () => {}, saveCheckpoint: async () => {} },
      })
    const listHandledPaths = async () =>
      (await primary.selectFrom('seek_thumbnails').select('path').execute()).map(({ path }) => path)
    setProgramFailure('-show_streams', 'disk')
    await primary.deleteFrom('media_file').where('path', '=', readablePath).execute()
    await expect(runThumbnailJob()).rejects.toThrow('folder_unreadable')
    setProgramFailure('hevc-flac.mkv', 'killed')
    expect(await runThumbnailJob()).toMatchObject({ message: 'files_unreadable' })
    expect(await runThumbnailJob()).toMatchObject({ message: 'files_unreadable' })
    expect(await listHandledPaths()).toEqual([readablePath])
    await deleteThumbnailRow(readablePath)
    expect(await runThumbnailJob()).toMatchObject({ message: 'files_unreadable' })
    expect((await listHandledPaths()).toSorted()).toEqual([damagedPath, readablePath].toSorted())
    expect(await runThumbnailJob()).not.toHaveProperty('message')
    rmSync(failureFile)
    await deleteThumbnailRow(damagedPath)
    await primary.updateTable('library_file').set({ state: 'matched' }).execute()
  }, 120_000)

  test('a file that ffprobe could not read is examined again after a restart if an older version of the server stored it as unreadable', async () => {
    const { database } = otherServer.server
    await lookUpSource('hevc-flac.mkv')
    const hevcPath = `Film {imdb-${getImdbId('hevc-flac.mkv')}}/hevc-flac.mkv`
    await database.primary
      .updateTable('media_file')
      .set({ information: null })
      .where('path', '=', hevcPath)
      .execute()
    // The caches belong to the `deps` object, so a copy of this object has empty caches, as after a restart.
    const depsWithEmptyCaches = { ...otherServer.server.deps }
    expect((await examineFile(depsWithEmptyCaches, hevcPath))?.information?.video.codec).toBe('hevc')
  })
})

describe('chooseDuration', () => {
  test.each([
    [
      'keeps the stated duration when the video ends there',
      100,
      { videoSeconds: 99, audioSeconds: 60 },
      100,
      false,
    ],
    [
      'keeps the stated duration when only the audio ends there',
      100,
      { videoSeconds: 60, audioSeconds: 99 },
      100,
      false,
    ],
    ['returns the later end of video and audio', 100, { videoSeconds: 50, audioSeconds: 60 }, 60, true],
    ['ignores audio with a broken clock', null, { videoSeconds: 50, audioSeconds: 5_000 }, 50, true],
    ['keeps the stated duration when the end cannot be read', 100, null, 100, false],
    ['returns null when no duration is stated or measured', null, null, null, true],
  ] as const)(
    'chooseDuration %s',
    (_, statedDurationSeconds, trackEndsSeconds, durationSeconds, isStatedDurationWrong) => {
      expect(chooseDuration(statedDurationSeconds, trackEndsSeconds, 0)).toEqual({
        durationSeconds,
        isStatedDurationWrong,
      })
    },
  )

  test('chooseDuration measures the duration from the start of the file, even if the start is before 0 seconds', () => {
    expect(chooseDuration(null, { videoSeconds: 7, audioSeconds: null }, -3).durationSeconds).toBe(10)
  })
})

describe('unusual tracks', () => {
  test('a cover image in the first video track is not played as the video', async () => {
    const { sources } = await lookUpStream('cover-first.mkv')
    expect(sources[0]).toMatchObject({ delivery: 'transcode', reason: 'video_codec' })
    expect((await loadStream(sources[0]?.url ?? '')).seconds).toBeGreaterThan(VIDEO_SECONDS - 1)
  })

  test('FLAC audio is copied when the video is converted', async () => {
    const { sources } = await lookUpStream('hevc-flac.mkv')
    const { bytes, statuses } = await loadStream(sources[0]?.url ?? '', [0])
    expect(statuses).toEqual([200, 200])
    expect(bytes.includes('fLaC')).toBe(true)
  })

  test('an MPEG program stream is a library file and is converted', async () => {
    const { sources } = await lookUpStream('film.mpg')
    expect(sources[0]).toMatchObject({ delivery: 'transcode', reason: 'video_codec' })
    expect((await loadStream(sources[0]?.url ?? '')).statuses).toEqual([200, 200])
  })

  test.each(['film.rm', 'film.wtv', 'film.mxf'])('%s is a library file and is converted', async (name) => {
    const { sources } = await lookUpStream(name)
    expect(sources[0]).toMatchObject({ delivery: 'transcode', reason: 'video_codec' })
    const stream = await loadStream(sources[0]?.url ?? '')
    expect(stream.statuses).toEqual([200, 200])
    expect(Math.abs(stream.seconds - VIDEO_SECONDS)).toBeLessThan(1)
  })

  test('an audio track without a language has the language that the name of the track states', async () => {
    const { audio_tracks: tracks } = await lookUpStream('titled-tracks.mkv')
    expect(tracks?.map(({ lang, kind }) => `${lang} ${kind}`)).toEqual([
      'fr main',
      'en main',
      'und commentary',
    ])
  })

  test.each(['pictures.mkv', 'pictures.ts'])(
    'after a seek, a burnt-in subtitle of %s is visible even if it appeared several seconds before the new position',
    async (name) => {
      const { subtitles } = await lookUpStream(name)
      const { sources } = await lookUpStream(name, `&burnt_in_subtitle=${subtitles[0]?.burn_in_id}`)
      // Requests the segment that starts at second 6. The subtitle picture appears at second 1, before the keyframe
      // at second 4 where the decoder starts. The picture must still be visible.
      const { bytes, statuses } = await loadStream(`${sources[0]?.url}?start=6`, [2])
      expect(statuses).toEqual([200, 200])
      const ffmpegArguments = [
        '-v',
        'error',
        '-i',
        'pipe:0',
        '-frames:v',
        '1',
        '-vf',
        'crop=60:16:130:142,scale=1:1:flags=area',
      ]
      const ffmpegResult = spawnSync(
        'ffmpeg',
        [...ffmpegArguments, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1'],
        {
          input: bytes,
        },
      )
      expect([...ffmpegResult.stdout].every((value) => value > 235)).toBe(true)
      expect(ffmpegResult.stdout).toHaveLength(3)
    },
  )
})
