/**
 * Each file of the media folder is matched to a title or listed with the reason why it has no title.
 * A title that an administrator chose for a file is kept by later scans.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findContentProblem } from '../../../server/providers/library/content-problem.ts'
import { readKeyframeTimes } from '../../../server/providers/library/keyframes.ts'
import { acquireLease, releaseLease } from '../../../server/queries/lease.ts'
import { getLibrarySync, WRITE_LEASE_NAME } from '../../../server/services/library/library-sync.ts'
import { startLibraryFixture, waitUntil } from './library-fixture.ts'
import { createMatroska } from './make-media.ts'

const { close, findCard, findFile, folder, listFiles, mediaServer } = await startLibraryFixture()
afterAll(close)

describe('matching files to titles', () => {
  test('every file is listed with a title, or with the reason why no title matches', async () => {
    const files = await listFiles()
    const outcomesByFileName = Object.fromEntries(
      files.map((file) => [file.path.split('/').at(-1), file.title ? file.matched_by : file.reason]),
    )
    expect(outcomesByFileName).toEqual({
      'Heat (1995) - 1080p.mp4': 'name',
      'Heat (1995)-trailer.mp4': 'extra',
      'Twins (1988).mp4': 'ambiguous',
      'Nobody Knows It (2001).mkv': 'no_title',
      'Solaris (1990).mkv': 'other_year',
      'Heat {imdb-tt9999999}.mkv': 'unknown_id',
      'Both.mkv': 'id_conflict',
      'Parts (2003) cd1.avi': 'part',
      'Parts (2003) cd2.avi': 'part',
      '1080p.mkv': 'no_title',
      'Unlisted (2010).mkv': 'name',
      'Fargo - S01E01.mkv': 'name',
      'Fargo - S01E99.mkv': 'no_episode',
      'Fergo - S01E02.mkv': 'no_title',
      'Fergo - S01E03.mkv': 'no_title',
      'home video.mp4': 'no_title',
    })
  })
  test('a file with an ambiguous name or conflicting IDs is listed with its candidate titles', async () => {
    expect((await findFile('Twins (1988).mp4')).candidates).toHaveLength(2)
    expect((await findFile('Both.mkv')).candidates.map(({ title }) => title)).toEqual(['Heat', 'Sixty'])
    expect((await findFile('Solaris (1990).mkv')).candidates.map(({ year }) => year).sort()).toEqual([
      1972, 2002,
    ])
    expect((await findFile('tt9999999}.mkv')).candidates.map(({ title }) => title)).toEqual(['Heat'])
  })
  test('a stream lookup finds a title without an IMDb ID by its ID in the catalogue', async () => {
    const { id } = await findCard('movies', 'Unlisted')
    expect((await mediaServer.lookUpStream(`movie/${id}`)).status).toBe(200)
  })
  test('the list of files can be filtered by state, reason, folder and text', async () => {
    expect(await listFiles('&state=ignored')).toHaveLength(1)
    expect(await listFiles('&reason=part')).toHaveLength(2)
    expect(await listFiles('&folder=TV')).toHaveLength(4)
    expect(await listFiles('&search=FERGO')).toHaveLength(2)
    expect(await listFiles('&folder=/')).toHaveLength(1)
  })
  test('the library counts files by folder and state', async () => {
    const { body } = await mediaServer.adult.get('/api/admin/library')
    expect(body).toMatchObject({ configured: true, titles: 3 })
    expect(body.folders.find(({ name }: { name: string }) => name === 'TV')).toMatchObject({
      matched: 1,
      unmatched: 3,
      ignored: 0,
    })
  })
  test('the details of a file contain its picture size and its media type', async () => {
    const { id } = await findFile('Heat (1995) - 1080p.mp4')
    const { body } = await mediaServer.adult.get(`/api/admin/library/files/${id}`)
    expect(body.video).toMatchObject({ width: 1920, height: 800 })
    expect(body.content_type).toBe('video/mp4')
  })
  test('a scan of an unchanged folder changes no file in the list', async () => {
    const filesBefore = await listFiles()
    const report = await getLibrarySync(mediaServer.server.deps)?.scan(async () => {})
    expect(report).toMatchObject({ files: 16, matched: 3, added: 0, changed: 0, removed: 0 })
    expect(await listFiles()).toEqual(filesBefore)
  })
})

describe('titles that an administrator chooses', () => {
  const chooseTitle = (id: string, body: object) =>
    mediaServer.adult.put(`/api/admin/library/files/${id}/match`, body)
  test('a title chosen for a file is kept after a scan, until the choice is deleted', async () => {
    const { id, candidates } = await findFile('Twins (1988).mp4')
    const title_id = candidates[1]?.id ?? ''
    const { body } = await chooseTitle(id, { title_id, scope: 'file' })
    expect(body).toMatchObject({ state: 'matched', matched_by: 'choice', title: { id: title_id } })
    await getLibrarySync(mediaServer.server.deps)?.scan(async () => {})
    expect((await findFile('Twins (1988).mp4')).title?.id).toBe(title_id)
    expect((await mediaServer.lookUpStream('movie/tt0000006')).status).toBe(200)
    await mediaServer.adult.delete(`/api/admin/library/files/${id}/match`)
    expect(await findFile('Twins (1988).mp4')).toMatchObject({ reason: 'ambiguous', title: null })
    expect((await mediaServer.lookUpStream('movie/tt0000006')).status).toBe(404)
  })
  test('while another process has the lease to write the list of files, a title can be chosen, and the choice applies after the lease is released', async () => {
    const { id, candidates } = await findFile('Twins (1988).mp4')
    const title_id = candidates[1]?.id ?? ''
    const { primary } = mediaServer.server.database
    await acquireLease(primary, { name: WRITE_LEASE_NAME, holder: 'another process', durationMs: 60_000 })
    const response = await chooseTitle(id, { title_id, scope: 'file' })
    expect([response.status, response.body.title]).toEqual([200, null])
    await releaseLease(primary, WRITE_LEASE_NAME, 'another process')
    await waitUntil(async () => (await findFile('Twins (1988).mp4')).title?.id === title_id)
    await mediaServer.adult.delete(`/api/admin/library/files/${id}/match`)
  })
  test('a series chosen for a folder applies to the episode files in the folder, also to files that are added later', async () => {
    const series = await findCard('series', 'Fargo')
    const { id } = await findFile('Fergo - S01E02.mkv')
    const details = (await mediaServer.adult.get(`/api/admin/library/files/${id}`)).body
    expect(details).toMatchObject({ folder_files: 2, needs_episode: false })
    await chooseTitle(id, { title_id: series.id, scope: 'folder' })
    expect((await mediaServer.lookUpStream('tv/tt0000020/1/3')).status).toBe(200)
    folder.writeFiles({ 'TV/Fergo/Season 01/Fergo - S01E04.mkv': 'x' })
    await waitUntil(async () => (await listFiles('&search=s01e04')).length > 0)
    expect((await findFile('Fergo - S01E04.mkv')).title?.title).toBe('Fargo')
  })
  test('the choice for a series folder can be deleted through a file in the series folder or in a season folder, and then applies to no file of the series', async () => {
    folder.writeFiles({ 'TV/Fergo/Fergo - S01E01.mkv': 'x' })
    await waitUntil(async () => (await listFiles('&search=fergo - s01e01')).length > 0)
    const { id, title } = await findFile('Fergo - S01E01.mkv')
    expect(title?.title).toBe('Fargo')
    const { body } = await chooseTitle(id, { title_id: null, scope: 'folder' })
    expect(body.reason).toBe('dismissed')
    expect((await findFile('Fergo - S01E02.mkv')).reason).toBe('dismissed')
    const { id: seasonFileId } = await findFile('Fergo - S01E02.mkv')
    await mediaServer.adult.delete(`/api/admin/library/files/${seasonFileId}/match`)
    expect((await findFile('Fergo - S01E01.mkv')).reason).toBe('no_title')
    await chooseTitle(seasonFileId, { title_id: (await findCard('series', 'Fargo')).id, scope: 'folder' })
    await mediaServer.adult.delete(`/api/admin/library/files/${id}/match`)
    expect((await findFile('Fergo - S01E02.mkv')).reason).toBe('no_title')
  })
  test('after "no title" is chosen for a file, the file has no title and its previous title is not available, until the choice is deleted', async () => {
    const { id } = await findFile('Heat (1995) - 1080p.mp4')
    const { body } = await chooseTitle(id, { title_id: null, scope: 'file' })
    expect(body).toMatchObject({ state: 'unmatched', reason: 'dismissed', title: null })
    expect((await findCard('movies', 'Heat')).available).toBe(false)
    await mediaServer.adult.delete(`/api/admin/library/files/${id}/match`)
    expect((await findCard('movies', 'Heat')).available).toBe(true)
  })
  test('the reply to a choice for a folder or a single file contains the choices that the new choice replaces', async () => {
    const { id, candidates } = await findFile('Twins (1988).mp4')
    const [folderTitle, fileTitle] = candidates.map((candidate: { id: string }) => ({
      title_id: candidate.id,
    }))
    const replaceChoice = async (choice: object) => (await chooseTitle(id, choice)).body.replaced
    expect(await replaceChoice({ ...folderTitle, scope: 'folder' })).toEqual([
      { folder: 'Movies', choice: null },
    ])
    expect(await replaceChoice({ ...fileTitle, scope: 'file' })).toEqual([{ folder: null, choice: null }])
    expect(await replaceChoice({ title_id: null, scope: 'folder' })).toEqual([
      { folder: 'Movies', choice: folderTitle },
      { folder: null, choice: fileTitle },
    ])
    const forgetChoice = async () =>
      (await mediaServer.adult.delete(`/api/admin/library/files/${id}/match`)).body.replaced
    expect(await forgetChoice()).toEqual([{ folder: 'Movies', choice: { title_id: null } }])
    expect(await forgetChoice()).toEqual([])
  })
  test('restoring a choice for a folder that does not contain the file is rejected with 422, and restoring the choice of an unknown title with 404', async () => {
    const { id } = await findFile('Twins (1988).mp4')
    const restoreChoice = (choice: object) =>
      mediaServer.adult.put(`/api/admin/library/files/${id}/choices`, { choices: [choice] })
    const { status, body } = await restoreChoice({ folder: 'TV', choice: { title_id: null } })
    expect([status, body.errors]).toEqual([422, { folder: ['invalid'] }])
    expect((await restoreChoice({ folder: null, choice: { title_id: '999999' } })).status).toBe(404)
    expect(await findFile('Twins (1988).mp4')).toMatchObject({ reason: 'ambiguous' })
  })
  test('matching a file without an episode number to a series requires season and episode numbers', async () => {
    const series = await findCard('series', 'Fargo')
    const { id } = await findFile('home video.mp4')
    expect((await chooseTitle(id, { title_id: series.id, scope: 'file' })).status).toBe(422)
    const { body } = await chooseTitle(id, { title_id: series.id, scope: 'file', season: 1, episode: 2 })
    expect(body).toMatchObject({ state: 'matched', type: 'tv', season: 1, episodes: [2] })
  })
  test('a moved file keeps its title, its id and the time when it was found', async () => {
    const { id } = await findFile('Nobody Knows It (2001).mkv')
    const title_id = (await findCard('movies', 'Later')).id
    await chooseTitle(id, { title_id, scope: 'file' })
    const { primary } = mediaServer.server.database
    await primary.updateTable('library_file').set({ added_at: 5 }).where('file_id', '=', Number(id)).execute()
    const version = { size_bytes: 1, modified_at: 1 }
    const oldPath = 'Movies/Nobody Knows It (2001).mkv'
    await primary
      .insertInto('seek_thumbnails')
      .values({
        ...{ path: oldPath, ...version, made_at: 1, folder: 'x' },
        ...{ frame_count: 1, interval_seconds: 10, stored_bytes: 1 },
      })
      .execute()
    mkdirSync(join(folder.path, 'Moved'), { recursive: true })
    renameSync(join(folder.path, oldPath), join(folder.path, 'Moved/Nobody Knows It (2001) 1080p.mkv'))
    await waitUntil(async () => (await listFiles('&folder=Moved')).length > 0)
    const movedFile = await findFile('Nobody Knows It (2001) 1080p.mkv')
    expect(movedFile).toMatchObject({ id, matched_by: 'choice', title: { id: title_id } })
    const row = await primary
      .selectFrom('library_file')
      .select('added_at')
      .where('file_id', '=', Number(id))
      .executeTakeFirst()
    expect(Number(row?.added_at)).toBe(5)
    const thumbnails = await primary.selectFrom('seek_thumbnails').select('path').execute()
    expect(thumbnails).toEqual([{ path: 'Moved/Nobody Knows It (2001) 1080p.mkv' }])
    await mediaServer.adult.delete(`/api/admin/library/files/${id}/match`)
    // The server must treat a new file at the old path as another file, and not as the moved file.
    folder.writeFiles({ [oldPath]: 'another file' })
    await waitUntil(async () => (await listFiles('&folder=Movies')).some(({ path }) => path === oldPath))
    expect((await findFile('Nobody Knows It (2001).mkv')).reason).toBe('no_title')
    rmSync(join(folder.path, oldPath))
  })
  test('a file that replaces a file of another quality gets the title that was chosen for the replaced file', async () => {
    folder.writeFiles({ 'Upgrades/Odd Name 720p.mkv': 'small', 'Upgrades/Other Name 720p.mkv': 'small' })
    await waitUntil(async () => (await listFiles('&folder=Upgrades')).length === 2)
    const title_id = (await findCard('movies', 'Later')).id
    await chooseTitle((await findFile('Odd Name 720p.mkv')).id, { title_id, scope: 'file' })
    rmSync(join(folder.path, 'Upgrades/Odd Name 720p.mkv'))
    await waitUntil(async () => (await listFiles('&folder=Upgrades')).length === 1)
    folder.writeFiles({ 'Upgrades/Odd Name 1080p.mkv': 'larger', 'Upgrades/Other Name 1080p.mkv': 'larger' })
    await waitUntil(async () => (await listFiles('&folder=Upgrades')).length === 3)
    expect(await findFile('Odd Name 1080p.mkv')).toMatchObject({
      matched_by: 'choice',
      title: { id: title_id },
    })
    expect((await findFile('Other Name 1080p.mkv')).reason).toBe('no_title')
    rmSync(join(folder.path, 'Upgrades'), { recursive: true })
    await waitUntil(async () => (await listFiles('&folder=Upgrades')).length === 0)
  })
  test('when a file with a chosen title is renamed to the name of another title, the file is matched to the title in the new file name', async () => {
    folder.writeFiles({ 'Renamed/Unclear Name.mkv': 'a file with an unclear name' })
    await waitUntil(async () => (await listFiles('&folder=Renamed')).length > 0)
    const { id } = await findFile('Unclear Name.mkv')
    await chooseTitle(id, { title_id: (await findCard('movies', 'Later')).id, scope: 'file' })
    renameSync(
      join(folder.path, 'Renamed/Unclear Name.mkv'),
      join(folder.path, 'Renamed/Unlisted (2010) again.mkv'),
    )
    await waitUntil(async () =>
      (await listFiles('&folder=Renamed')).some(({ path }) => path.includes('again')),
    )
    expect((await findFile('Unlisted (2010) again.mkv')).title?.title).toBe('Unlisted')
    rmSync(join(folder.path, 'Renamed'), { recursive: true })
  })
  test('the titles chosen for a series folder and for a file in it are kept when the series folder and its parent folder are renamed', async () => {
    folder.writeFiles({
      'Shows/Odd/Season 1/Odd S01E01.mkv': 'one',
      'Shows/Odd/Season 1/Odd S01E02.mkv': 'two',
      'Shows/Odd/Season 1/Pilot.mkv': 'pilot of the series',
    })
    await waitUntil(async () => (await listFiles('&folder=Shows')).length === 3)
    const title_id = (await findCard('series', 'Fargo')).id
    await chooseTitle((await findFile('Odd S01E01.mkv')).id, { title_id, scope: 'folder' })
    await chooseTitle((await findFile('Pilot.mkv')).id, { title_id, scope: 'file', season: 1, episode: 4 })
    renameSync(join(folder.path, 'Shows/Odd'), join(folder.path, 'Shows/Odd [1080p]'))
    renameSync(join(folder.path, 'Shows'), join(folder.path, 'Series'))
    const listEpisodes = async () =>
      (await listFiles('&folder=Series')).map((file) => [
        file.path.split('/').at(-1),
        file.matched_by,
        ...file.episodes,
      ])
    await expect.poll(listEpisodes).toEqual([
      ['Odd S01E01.mkv', 'choice', 1],
      ['Odd S01E02.mkv', 'choice', 2],
      ['Pilot.mkv', 'choice', 4],
    ])
    rmSync(join(folder.path, 'Series'), { recursive: true })
    await waitUntil(async () => (await listFiles('&folder=Series')).length === 0)
  })
})

describe('parts of movies', () => {
  test('parts of one movie are listed with the reason `part`, but separate movies that are called "Part 1" and "Part 2" are not', async () => {
    folder.writeFiles({
      'Sagas/Dune - Part 1.mkv': 'x',
      'Sagas/Dune - Part 2.mkv': 'x',
      'Sagas/Long film-part1.avi': 'x',
      'Sagas/Long film-part2.avi': 'x',
      'Sagas/Later (2020) Part 1.avi': 'x',
      'Sagas/Later (2020) Part 2.avi': 'x',
      'Sagas/Sixty/Sixty Part 1.avi': 'x',
      'Sagas/Sixty/Sixty Part 2.avi': 'x',
    })
    await waitUntil(async () => (await listFiles('&folder=Sagas')).length === 8)
    const reasons = (await listFiles('&folder=Sagas')).map(({ path, reason }) => [path.slice(6), reason])
    expect(Object.fromEntries(reasons)).toEqual({
      'Dune - Part 1.mkv': 'no_title',
      'Dune - Part 2.mkv': 'no_title',
      'Long film-part1.avi': 'part',
      'Long film-part2.avi': 'part',
      'Later (2020) Part 1.avi': 'part',
      'Later (2020) Part 2.avi': 'part',
      'Sixty/Sixty Part 1.avi': 'part',
      'Sixty/Sixty Part 2.avi': 'part',
    })
    rmSync(join(folder.path, 'Sagas'), { recursive: true })
    await waitUntil(async () => (await listFiles('&folder=Sagas')).length === 0)
  })
})

describe('copies of discs', () => {
  test('a movie on several discs and a copied disc are listed with a reason and are not available', async () => {
    folder.writeFiles({
      'Movies/Sixty (2002)/CD1/sixty.avi': 'first half',
      'Movies/Sixty (2002)/CD2/sixty.avi': 'second half',
      'Discs/Sixty (2002)/VIDEO_TS/VTS_01_1.VOB': 'x',
      'Discs/Sixty (2002)/BDMV/STREAM/00001.m2ts': 'x',
      'Discs/Sixty (2002).iso': 'x',
    })
    await waitUntil(async () => (await listFiles('&reason=disc')).length === 3)
    expect((await listFiles('&reason=part&search=sixty')).map(({ path }) => path)).toEqual([
      'Movies/Sixty (2002)/CD1/sixty.avi',
      'Movies/Sixty (2002)/CD2/sixty.avi',
    ])
    expect((await findCard('movies', 'Sixty')).available).toBe(false)
  })
  test('a movie with a folder for only one disc is matched', async () => {
    rmSync(join(folder.path, 'Movies/Sixty (2002)/CD2'), { recursive: true })
    await waitUntil(async () => (await findCard('movies', 'Sixty')).available)
    expect((await findFile('CD1/sixty.avi')).title?.title).toBe('Sixty')
  })
})

describe('the name of a title', () => {
  test('after the name of a title was corrected twice, only the original name and the last correction are stored, and the file still matches the title', async () => {
    const { adult } = mediaServer
    const { id } = await findCard('movies', 'Unlisted')
    const path = `/api/admin/titles/${id}`
    const renameTitle = (text: string) => adult.put(path, { titles: [{ lang: 'en', text }] })
    const listNames = async () =>
      (
        await mediaServer.server.database.primary
          .selectFrom('title_name')
          .select(['text', 'role'])
          .where('title_id', '=', Number(id))
          .execute()
      ).map(({ text, role }) => `${role} ${text}`)
    await renameTitle('First Correction')
    await renameTitle('Correct Name')
    expect((await listNames()).sort()).toEqual(['aka Unlisted', 'main Correct Name'])
    await getLibrarySync(mediaServer.server.deps)?.rematchFiles()
    expect(await findFile('Unlisted (2010).mkv')).toMatchObject({ state: 'matched', matched_by: 'name' })
    await adult.delete(`${path}/edits/title_en`)
    expect(await listNames()).toEqual(['main Unlisted'])
  })
})

describe('files with unusable content', () => {
  const path = 'Movies/Later (2020).mkv'

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['only zeros, which a download has reserved', Buffer.alloc(100_000)],
  ])('a file that contains %s is listed with a reason and is not available', async (_name, bytes) => {
    folder.writeFiles({ [path]: bytes })
    await waitUntil(async () => (await listFiles('&reason=empty')).length > 0)
    expect(await findFile('Later (2020).mkv')).toMatchObject({ state: 'unmatched', reason: 'empty' })
    expect((await findFile('Later (2020).mkv')).candidates.map(({ title }) => title)).toEqual(['Later'])
    const { id, available } = await findCard('movies', 'Later')
    expect(available).toBe(false)
    expect((await mediaServer.lookUpStream(`movie/${id}`)).status).toBe(404)
  })
  test('a file is matched after its content has been written', async () => {
    folder.writeFiles({ [path]: createMatroska({ width: 1280, height: 720 }) })
    await waitUntil(async () => (await findCard('movies', 'Later')).available)
    expect(await findFile('Later (2020).mkv')).toMatchObject({ state: 'matched', matched_by: 'name' })
  })
  test('findContentProblem and readKeyframeTimes do not block on a named pipe that has replaced a media file', async () => {
    const pipePath = join(folder.path, 'pipe.mkv')
    spawnSync('mkfifo', [pipePath])
    expect(await findContentProblem(pipePath)).toBe('unreadable')
    expect(await readKeyframeTimes(pipePath, 1)).toBeNull()
    rmSync(pipePath)
  })

  test('findContentProblem returns "unreadable" for a path that cannot be read as a file, and null for a deleted file', async () => {
    expect(await findContentProblem(folder.path)).toBe('unreadable')
    expect(await findContentProblem(join(folder.path, 'gone.mkv'))).toBeNull()
  })
})
