import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSqliteDatabase } from '../../../../server/db/database.ts'
import { createImportReport } from '../../../../server/importers/import-report.ts'
import { parseRetryAfterMs, TmdbClient } from '../../../../server/importers/tmdb/client.ts'
import { readPopularIds } from '../../../../server/importers/tmdb/daily-ids.ts'
import { markTitlesDeleted, restoreDeletedTitles } from '../../../../server/queries/title-publishing.ts'
import { computeTableHashes } from '../../../support/hash-tables.ts'
import { startTmdbFixture, type TmdbImportFixture } from './import-fixture.ts'
import { type TmdbFault, TmdbReplayServer } from './replay-server.ts'
import { addSyntheticTitles } from './synthetic-titles.ts'

let fixture: TmdbImportFixture
beforeEach(async () => {
  fixture = await startTmdbFixture(openSqliteDatabase(':memory:'))
  addSyntheticTitles(fixture.replayServer)
})
afterEach(() => fixture.close())

const ALL_TITLES = { movies: '1001', series: '2001' }
const formatToday = () => new Date(fixture.server.deps.now()).toISOString().slice(0, 10)
const [year, month, day] = new Date().toISOString().slice(0, 10).split('-')
const ID_FILE_NAMES = {
  movie: `movie_ids_${month}_${day}_${year}.json.gz`,
  tv: `tv_series_ids_${month}_${day}_${year}.json.gz`,
}
function addIdFiles() {
  fixture.replayServer.addIdFile(ID_FILE_NAMES.movie, [
    { id: 1001, original_title: 'x', popularity: 50, adult: false, video: false },
    { id: 1002, popularity: 900, adult: true },
    { id: 1003, popularity: 800, video: true },
    { id: 1004, popularity: 1 },
  ])
  fixture.replayServer.addIdFile(ID_FILE_NAMES.tv, [{ id: 2001, popularity: 3 }])
}
/** Returns a hash of each table whose content depends neither on the time nor on the number of imports. */
async function hashStableTables(): Promise<Record<string, string | undefined>> {
  const hashes = await computeTableHashes(fixture.server.database)
  const tableNames = [
    'title_name',
    'title_text',
    'title_genre',
    'season',
    'episode',
    'person',
    'person_name',
    'credit',
  ]
  return Object.fromEntries(tableNames.map((tableName) => [tableName, hashes[tableName]]))
}

describe('TMDB import with a failing API', () => {
  const listSlugs = async () => {
    const titleQuery = fixture.server.database.primary.selectFrom('title').select('slug')
    return (await titleQuery.orderBy('slug').execute()).map((row) => row.slug)
  }

  it.each<[string, (path: string, attempt: number) => TmdbFault | undefined]>([
    ['429 responses', (_path, attempt) => (attempt === 1 ? { status: 429, retryAfter: '0' } : undefined)],
    ['500 responses', (_path, attempt) => (attempt < 3 ? { status: 500 } : undefined)],
    ['interrupted connections', (_path, attempt) => (attempt < 3 ? 'cut' : undefined)],
    ['HTML instead of JSON', (_path, attempt) => (attempt < 3 ? 'html' : undefined)],
    [
      'all of these failures',
      (path, attempt) =>
        ([{ status: 502 }, 'cut', 'html', { status: 429 }] as const)[(attempt + path.length) % 9],
    ],
  ])(
    'after retries because of %s, imports the same catalogue as without failures',
    async (_description, findFault) => {
      await fixture.runImport(ALL_TITLES)
      const expectedHashes = await hashStableTables()
      await fixture.close()
      fixture = await startTmdbFixture(openSqliteDatabase(':memory:'))
      addSyntheticTitles(fixture.replayServer)
      fixture.replayServer.findFault = findFault
      expect(await fixture.runImport(ALL_TITLES)).toMatchObject({ added: 2, skipped: 0 })
      expect(await hashStableTables()).toEqual(expectedHashes)
    },
  )

  it('waits as long as the Retry-After header requests', async () => {
    fixture.replayServer.findFault = (path, attempt) =>
      path === '/movie/1001' && attempt === 1 ? { status: 429, retryAfter: '1' } : undefined
    const startedAtMs = performance.now()
    await fixture.runImport({ movies: '1001', people: '0' })
    expect(performance.now() - startedAtMs).toBeGreaterThan(990)
  })

  it('fails after seven attempts when TMDB is unavailable, and the next run imports the remaining titles', async () => {
    fixture.replayServer.findFault = (path) => (path === '/movie/1001' ? undefined : { status: 503 })
    await expect(fixture.runImport(ALL_TITLES)).rejects.toThrow(
      /TMDB did not answer \/tv\/2001 in 7 attempts: status 503/,
    )
    expect(await listSlugs()).toEqual(['the-salt-road'])
    fixture.replayServer.findFault = () => undefined
    fixture.replayServer.clearRequests()
    await fixture.runImport()
    expect(fixture.replayServer.requestedPaths).not.toContain('/movie/changes')
    expect(fixture.replayServer.requestedPaths).not.toContain('/movie/1001')
    expect(await listSlugs()).toEqual(['harbour-lights', 'the-salt-road'])
  })

  it.each<[string, TmdbFault]>([
    ['504 responses', { status: 504 }],
    ['422 responses', { status: 422 }],
    ['HTML instead of JSON', 'html'],
  ])(
    'skips a title for which TMDB sends only %s, and requests the title again in later runs',
    async (_name, fault) => {
      addIdFiles()
      fixture.replayServer.findFault = (path) => (path === '/movie/1001' ? fault : undefined)
      const report = await fixture.runImport({ limit: '1' })
      expect(report).toMatchObject({ added: 1, skipped: 1 })
      expect(report.skips).toEqual(['movie/1001: TMDB could not send it; the next import tries again'])
      fixture.replayServer.clearRequests()
      await fixture.runImport({ limit: '1' })
      expect(fixture.replayServer.requestedPaths).toContainEqual(expect.stringMatching(/^\/movie\/changes/))
      expect(fixture.replayServer.requestedPaths).toContain('/movie/1001')
      fixture.replayServer.findFault = () => undefined
      expect(await fixture.runImport({ limit: '1' })).toMatchObject({ added: 1, skipped: 0 })
      fixture.replayServer.clearRequests()
      await fixture.runImport({ limit: '1' })
      expect(fixture.replayServer.requestedPaths).not.toContain('/movie/1001')
    },
  )

  it('stops requesting a title that TMDB could not send in five runs', async () => {
    addIdFiles()
    fixture.replayServer.findFault = (path) => (path === '/movie/1001' ? { status: 500 } : undefined)
    for (let run = 1; run < 5; run++) await fixture.runImport({ limit: '1' })
    const lastReport = await fixture.runImport({ limit: '1' })
    expect(lastReport.skips).toEqual(['movie/1001: TMDB could not send it in 5 imports'])
    fixture.replayServer.clearRequests()
    expect(await fixture.runImport({ limit: '1' })).toMatchObject({ skipped: 0 })
    expect(fixture.replayServer.requestedPaths).not.toContain('/movie/1001')
  })

  it('skips a person that TMDB cannot send, and requests the person again in the next run', async () => {
    fixture.replayServer.findFault = (path) => (path === '/person/51' ? { status: 500 } : undefined)
    expect(await fixture.runImport({ movies: '1001' })).toMatchObject({ added: 1, skipped: 1 })
    fixture.replayServer.findFault = () => undefined
    fixture.replayServer.clearRequests()
    await fixture.runImport({ movies: '1001' })
    expect(fixture.replayServer.requestedPaths).toContain('/person/51')
    expect(fixture.replayServer.requestedPaths).not.toContain('/person/52')
  })

  it('fails when the requests for ten titles in succession fail, although TMDB answers other requests', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => 3001 + index)
    fixture.replayServer.findFault = (path) => (path.startsWith('/movie/') ? { status: 500 } : undefined)
    await expect(fixture.runImport({ movies: ids.join(',') })).rejects.toThrow(/TMDB did not answer \/movie/)
    expect(fixture.replayServer.requestedPaths).not.toContain('/movie/3030')
  })

  it.each([
    ['/tv/2001/season/1', 'a season', { error: 'busy' }],
    ['/tv/2001', 'the list of seasons', { seasons: null }],
  ])(
    'keeps the seasons of a series when the TMDB response for %s (%s) is unexpected, and requests the series again in the next run',
    async (path, _part, unexpectedFields) => {
      addIdFiles()
      const { bodies } = fixture.replayServer
      await fixture.runImport({ limit: '1' })
      const hashesBefore = await hashStableTables()
      bodies.set('/tv/2001', { ...bodies.get('/tv/2001'), tagline: 'Changed' })
      const expectedBody = bodies.get(path) ?? {}
      bodies.set(path, { ...(path === '/tv/2001' && expectedBody), ...unexpectedFields })
      const report = await fixture.runImport({ full: 'yes', limit: '1' })
      expect(report.skips).toEqual(['tv/2001: TMDB could not send it; the next import tries again'])
      expect(await hashStableTables()).toEqual(hashesBefore)
      bodies.set(path, expectedBody)
      expect(await fixture.runImport({ limit: '1' })).toMatchObject({ changed: 1, skipped: 0 })
    },
  )

  it('skips only titles that TMDB no longer has or for which it sends an unexpected response', async () => {
    fixture.replayServer.findFault = (path) => (path === '/movie/1001' ? 'unexpected' : undefined)
    const report = await fixture.runImport({ movies: '1001,4444', series: '2001' })
    expect(report).toMatchObject({ added: 1, skipped: 2 })
    expect(report.skips).toEqual([
      'movie/1001: the response is not as TMDB documents it',
      'movie/4444: TMDB no longer has it',
    ])
  })

  it('imports a title without the fields that have an unexpected type', async () => {
    const setResponseFields = (path: string, fields: object) =>
      fixture.replayServer.bodies.set(path, { ...fixture.replayServer.bodies.get(path), ...fields })
    setResponseFields('/movie/1001', { runtime: 'long', tagline: 5, genres: [{ id: 18 }, { id: 'x' }, null] })
    setResponseFields('/movie/1001/keywords', { keywords: [{ name: 7 }, 'desert', { name: 'camel' }] })
    setResponseFields('/movie/1001/images', { posters: 'none', backdrops: [{ file_path: {} }] })
    setResponseFields('/movie/1001/translations', { translations: { fr: 'La route du sel' } })
    expect(await fixture.runImport({ movies: '1001' })).toMatchObject({ added: 1, skipped: 0 })
    const { primary } = fixture.server.database
    const title = await primary.selectFrom('title').selectAll().executeTakeFirstOrThrow()
    expect(title).toMatchObject({ tmdb_id: 1001, imdb_id: 'tt9000101', year: 1999, runtime: null })
    const keywords = await primary.selectFrom('title_keyword').select('keyword').execute()
    expect(keywords.map((row) => row.keyword)).toEqual(['camel'])
  })

  it('fails with a message about the token when the token is rejected or missing', async () => {
    fixture.replayServer.acceptedToken = 'another'
    await expect(fixture.runImport(ALL_TITLES)).rejects.toThrow('TMDB rejected TMDB_API_TOKEN')
    await fixture.close()
    fixture = await startTmdbFixture(openSqliteDatabase(':memory:'), '')
    await expect(fixture.runImport(ALL_TITLES)).rejects.toThrow('TMDB_API_TOKEN is not set')
  })

  it('imports nothing from a damaged ID file, and succeeds once the file is valid', async () => {
    addIdFiles()
    fixture.replayServer.files.set(
      ID_FILE_NAMES.tv,
      gzipSync('{"id":2001,"popularity":3}\n'.repeat(5_000)).subarray(0, -20),
    )
    await expect(fixture.runImport()).rejects.toThrow(/tv_series_ids_.* is damaged/)
    fixture.replayServer.addIdFile(ID_FILE_NAMES.tv, [{ id: 2001, popularity: 3 }])
    expect(await fixture.runImport()).toMatchObject({ added: 2 })
  })
})

it('the TMDB client fails without another wait when its last attempt receives a Retry-After header', async () => {
  const replayServer = new TmdbReplayServer()
  // If the client waited for an hour after its last attempt, the test would exceed its time limit.
  replayServer.findFault = (_path, attempt) => ({ status: 429, retryAfter: attempt < 7 ? '0' : '3600' })
  const client = new TmdbClient({
    baseUrl: await replayServer.listen(),
    token: 'good-token',
    requestsPerSecond: 2_000,
  })
  await expect(client.get('/movie/1001')).rejects.toThrow('in 7 attempts: status 429')
  await replayServer.close()
})

describe('reading the ids of a daily export of TMDB', () => {
  const ID_FILE = gzipSync('{"id":1001,"popularity":3}\n')
  const FAKE_TIMERS = { toFake: ['setTimeout' as const, 'clearTimeout' as const] }
  let replayServer: TmdbReplayServer
  beforeEach(() => {
    replayServer = new TmdbReplayServer()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await replayServer.close()
  })
  const readIds = async (signal?: AbortSignal) =>
    readPopularIds({
      baseUrl: await replayServer.listen(),
      kind: 'movie',
      idLimit: 10,
      nowMs: Date.now(),
      report: createImportReport(),
      signal,
    })
  const waitForRequest = () =>
    new Promise<ServerResponse>((respond) => {
      replayServer.findFault = () => ({ respond })
    })

  it.each<[string, AbortSignal | undefined]>([
    ['with an abort signal', new AbortController().signal],
    ['without an abort signal', undefined],
  ])('fails when no response has begun after 30 seconds, %s', async (_name, signal) => {
    vi.useFakeTimers(FAKE_TIMERS)
    const requestPromise = waitForRequest()
    const failurePromise = expect(readIds(signal)).rejects.toThrow('no response in 30 seconds')
    await requestPromise
    vi.advanceTimersByTime(30_000)
    await failurePromise
  })

  it('reads a body that takes longer than 30 seconds', async () => {
    vi.useFakeTimers(FAKE_TIMERS)
    const fetchSpy = vi.spyOn(globalThis, 'fetch')
    const requestPromise = waitForRequest()
    const idsPromise = readIds()
    const response = await requestPromise
    response.write(ID_FILE.subarray(0, 5))
    await fetchSpy.mock.results[0]?.value
    fetchSpy.mockRestore()
    vi.advanceTimersByTime(31_000)
    response.end(ID_FILE.subarray(5))
    expect(await idsPromise).toEqual([1001])
  })

  it('fails when three million characters contain no line break', async () => {
    replayServer.files.set(ID_FILE_NAMES.movie, gzipSync(Buffer.alloc(3_000_000, 'x')))
    await expect(readIds()).rejects.toThrow(/movie_ids_.* is damaged: line 1 does not end/)
  })

  it('stops reading the body when the abort signal is aborted', async () => {
    const requestPromise = waitForRequest()
    const abortController = new AbortController()
    const failurePromise = expect(readIds(abortController.signal)).rejects.toThrow()
    const response = await requestPromise
    response.write(ID_FILE.subarray(0, 5))
    abortController.abort()
    await failurePromise
  })
})

describe('requests of the TMDB import', () => {
  it('the first run fetches the most popular titles, and later runs fetch only changes', async () => {
    addIdFiles()
    const firstReport = await fixture.runImport({ limit: '2' })
    expect(firstReport).toMatchObject({ added: 2, skipped: 1, lines: 5 })
    expect(firstReport.skips).toEqual(['movie/1004: TMDB no longer has it'])
    fixture.replayServer.clearRequests()
    expect(await fixture.runImport({ limit: '2' })).toMatchObject({ read: 0, added: 0, changed: 0 })
    expect(fixture.replayServer.requestedPaths).toEqual(
      ['movie', 'tv', 'person'].map(
        (kind) => `/${kind}/changes?start_date=${formatToday()}&end_date=${formatToday()}&page=1`,
      ),
    )
    const { bodies } = fixture.replayServer
    bodies.set('/movie/1001', { ...bodies.get('/movie/1001'), vote_count: 5300 })
    bodies.set('/movie/changes', {
      results: [{ id: 1001 }, { id: 777 }, { id: null }],
      page: 1,
      total_pages: 1,
    })
    bodies.set('/person/changes', { results: [{ id: 51 }, { id: 778 }], page: 1, total_pages: 1 })
    fixture.replayServer.clearRequests()
    expect(await fixture.runImport({ limit: '2' })).toMatchObject({ read: 1, changed: 1 })
    expect(fixture.replayServer.requestedPaths.filter((path) => !path.includes('changes')).sort()).toEqual([
      '/movie/1001',
      '/person/51',
    ])
  })

  const listTmdbIds = async () => {
    const titleQuery = fixture.server.database.primary.selectFrom('title').select('tmdb_id')
    return (await titleQuery.orderBy('tmdb_id').execute()).map((row) => row.tmdb_id)
  }

  it('a later run with larger limits adds the titles and people that exceeded the earlier limits', async () => {
    addIdFiles()
    const { bodies } = fixture.replayServer
    bodies.set('/movie/1004', { ...bodies.get('/movie/1001'), id: 1004, imdb_id: 'tt9000104' })
    await fixture.runImport({ limit: '1', people: '1' })
    expect(await listTmdbIds()).toEqual([1001, 2001])
    expect(fixture.replayServer.requestedPaths.filter((path) => path.startsWith('/person/')).sort()).toEqual([
      '/person/51',
      '/person/52',
    ])
    bodies.set('/movie/1001/credits', {
      cast: [51, 55, 56].map((id, order) => ({ id, name: `Person ${id}`, order })),
    })
    bodies.set('/movie/changes', { results: [{ id: 1001 }], page: 1, total_pages: 1 })
    await fixture.runImport({ limit: '1', people: '1' })
    bodies.set('/movie/changes', { results: [], page: 1, total_pages: 1 })
    fixture.replayServer.clearRequests()
    expect(await fixture.runImport({ limit: '2', people: '2' })).toMatchObject({ read: 1, added: 1 })
    expect(await listTmdbIds()).toEqual([1001, 1004, 2001])
    expect(fixture.replayServer.requestedPaths).toContain('/person/55')
    expect(fixture.replayServer.requestedPaths).not.toContain('/movie/1001')
    fixture.replayServer.clearRequests()
    expect(await fixture.runImport({ limit: '1', people: '1' })).toMatchObject({ read: 0 })
    expect(fixture.replayServer.requestedPaths.filter((path) => !path.includes('/changes?'))).toEqual([])
  })

  it('titles are added up to the larger limit of a later run, even if the first run was stopped', async () => {
    addIdFiles()
    const { bodies } = fixture.replayServer
    bodies.set('/movie/1004', { ...bodies.get('/movie/1001'), id: 1004, imdb_id: 'tt9000104' })
    const abortController = new AbortController()
    fixture.replayServer.findFault = (path) => {
      if (path === '/tv/2001') abortController.abort()
      return undefined
    }
    await fixture.runImport({ limit: '1' }, abortController.signal)
    fixture.replayServer.findFault = () => undefined
    await fixture.runImport({ limit: '2' })
    expect(await listTmdbIds()).toEqual([1001, 1004, 2001])
  })

  it('titles in the bin are restored only when their ids are given', async () => {
    addIdFiles()
    await fixture.runImport({ limit: '1' })
    const { primary } = fixture.server.database
    const rows = await primary.selectFrom('title').select('title_id').where('tmdb_id', '=', 1001).execute()
    const titleIds = rows.map((row) => row.title_id)
    await markTitlesDeleted(primary, titleIds, fixture.server.deps.now())
    fixture.replayServer.bodies.set('/movie/changes', { results: [{ id: 1001 }], page: 1, total_pages: 1 })
    expect((await fixture.runImport({ limit: '1' })).skips).toEqual(['movie/1001: is in the bin'])
    expect(await fixture.runImport({ movies: '1001' })).toMatchObject({ added: 1, skipped: 0 })
    expect(await restoreDeletedTitles(primary, titleIds, 0)).toEqual([])
  })

  it('changes are fetched in ranges of at most fourteen days when the last run was long ago', async () => {
    addIdFiles()
    await fixture.runImport({ limit: '1' })
    fixture.server.advanceClock(20 * 86_400_000)
    fixture.replayServer.clearRequests()
    await fixture.runImport({ limit: '1' })
    const requestedChangesPaths = fixture.replayServer.requestedPaths.filter((path) =>
      path.startsWith('/movie/changes'),
    )
    expect(requestedChangesPaths).toHaveLength(2)
    const requestedRangesMs = requestedChangesPaths.map((path) =>
      [...new URL(path, 'http://x').searchParams].map(([, value]) => Date.parse(value)),
    )
    for (const [startMs = 0, endMs = 0] of requestedRangesMs)
      expect((endMs - startMs) / 86_400_000).toBeLessThan(14)
  })

  it('after an interrupted TMDB import, the next run requests only the titles and people that the interrupted run has not received', async () => {
    const abortController = new AbortController()
    fixture.replayServer.findFault = (path) => {
      if (path === '/person/51') abortController.abort()
      return undefined
    }
    await fixture.runImport(ALL_TITLES, abortController.signal)
    fixture.replayServer.findFault = () => undefined
    fixture.replayServer.clearRequests()
    const report = await fixture.runImport()
    expect(report).toMatchObject({ read: 0 })
    expect(new Set(fixture.replayServer.requestedPaths)).toEqual(new Set(['/person/51', '/person/52']))
  })
})

describe('the checkpoint of the TMDB import', () => {
  const getDb = () => fixture.server.database.primary
  const selectCheckpointRows = () =>
    getDb().selectFrom('setting').selectAll().where('key', 'like', 'tmdb_checkpoint_%').execute()
  const listFetchedTitlePaths = () =>
    fixture.replayServer.requestedPaths.filter((path) => /^\/(?:movie|tv)\/\d+$/.test(path)).sort()

  it.each([
    ['a database restored from a backup', (rowsOfBackup: { key: string }[]) => rowsOfBackup],
    ['a new database', () => []],
  ])(
    'an import into %s ignores the checkpoint and fetches all titles again',
    async (_description, selectRows) => {
      addIdFiles()
      await fixture.runImport({ movies: '1001' })
      const rowsOfBackup = await selectCheckpointRows()
      expect(rowsOfBackup).toHaveLength(1)
      await fixture.runImport({ limit: '1' })
      const restoredRows = selectRows(rowsOfBackup)
      await getDb()
        .deleteFrom('title')
        .where('tmdb_id', '!=', restoredRows.length > 0 ? 1001 : 0)
        .execute()
      await getDb().deleteFrom('person').where('tmdb_id', '=', 52).execute()
      await getDb().deleteFrom('setting').where('key', 'like', 'tmdb_checkpoint_%').execute()
      for (const row of restoredRows)
        await getDb()
          .insertInto('setting')
          .values(row as never)
          .execute()
      fixture.replayServer.clearRequests()
      expect(await fixture.runImport({ limit: '1' })).toMatchObject({ added: 2 - restoredRows.length })
      expect(new Set(listFetchedTitlePaths())).toEqual(new Set(['/movie/1001', '/tv/2001']))
      expect(fixture.replayServer.requestedPaths).toContain('/person/52')
      expect(await selectCheckpointRows()).toHaveLength(1)
    },
  )

  it('an import uses a checkpoint that an earlier version wrote without a checkpoint id', async () => {
    addIdFiles()
    await fixture.runImport({ limit: '1' })
    const checkpointDatabase = new DatabaseSync(join(fixture.server.deps.config.dataDir, 'import', 'tmdb.db'))
    checkpointDatabase.exec("delete from fact where name in ('checkpoint_id', 'batches')")
    checkpointDatabase.close()
    await getDb().deleteFrom('setting').where('key', 'like', 'tmdb_checkpoint_%').execute()
    fixture.replayServer.clearRequests()
    await fixture.runImport({ limit: '1' })
    expect(listFetchedTitlePaths()).toEqual([])
    expect(await selectCheckpointRows()).toHaveLength(1)
  })

  it('when a process ended between storing a batch and updating the checkpoint, the next import requests only changes', async () => {
    addIdFiles()
    await fixture.runImport({ limit: '1' })
    await getDb()
      .updateTable('setting')
      .set({ value: '100' })
      .where('key', 'like', 'tmdb_checkpoint_%')
      .execute()
    fixture.replayServer.clearRequests()
    expect(await fixture.runImport({ limit: '1' })).toMatchObject({ read: 0 })
    expect(fixture.replayServer.requestedPaths.filter((path) => !path.includes('/changes?'))).toEqual([])
  })

  it('a full import also fetches titles that are in the catalogue but not in the current ID file', async () => {
    addIdFiles()
    await fixture.runImport({ limit: '1' })
    fixture.replayServer.addIdFile(ID_FILE_NAMES.movie, [{ id: 1004, popularity: 900 }])
    fixture.replayServer.clearRequests()
    await fixture.runImport({ limit: '1', full: 'yes' })
    expect(new Set(listFetchedTitlePaths())).toEqual(new Set(['/movie/1001', '/movie/1004', '/tv/2001']))
  })
})

describe('parsing the header Retry-After', () => {
  const nowMs = Date.parse('2026-11-20T10:00:00Z')
  it.each([
    ['3', 3_000],
    ['0', 0],
    ['Fri, 20 Nov 2026 10:00:07 GMT', 7_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['86400', 60_000],
    ['soon', undefined],
  ])('the Retry-After value "%s" is parsed as %s ms (undefined: invalid)', (headerValue, expectedMs) => {
    expect(parseRetryAfterMs(headerValue, nowMs)).toBe(expectedMs)
  })
})
