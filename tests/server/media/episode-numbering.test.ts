/**
 * Matches episode files whose names have no season number. Such a name contains the date of the broadcast
 * or a number that counts from the first episode of the series.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import type { LibraryFileEntry } from '../../../src/lib/contract/admin-library.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const folder = createTempFolder({
  'Nightly Talk/Nightly.Talk.2024.03.05.1080p.mkv': 'x',
  'Nightly Talk/Nightly Talk - 2024-03-06 - Guest.mkv': 'x',
  'Nightly Talk/Nightly Talk - 2024-03-07.mkv': 'not broadcast that day',
  '[Group] Long Road - 02 (1080p).mkv': 'x',
  '[Group] Long Road - 15 (1080p).mkv': 'third episode of the second season',
  '[Group] Long Road S2 - 05 (1080p).mkv': 'fifth episode of the second season',
  'Long Road/[Group] Long Road II - 06 (1080p).mkv': 'a series that the catalogue does not have',
  '[Group] Long Road - 40 (1080p).mkv': 'beyond the last episode',
  'Long Road/Season 1/Long Road - 14.mkv': 'the season is known',
  '[Group] Long Road - 105 (1080p).mkv':
    'not the fifth episode, because the name is outside of season folders',
  'Long Road/Season 1/Long Road S01E105.mkv': 'not the fifth episode, because the name states the season',
  'Long Road/Season 1/Long Road 105.mkv': 'season and episode as one number',
  'Long Road/Season 1/Leaving home.mkv': 'an episode without a number, never a film',
})
let mediaServer: MediaTestServer

beforeAll(async () => {
  mediaServer = await startMediaTestServer({ MEDIA_DIR: folder.path }, [
    { title: 'Nightly Talk', year: 2020, imdb: 'tt0000001', episodes: [0, 2] },
    { title: 'Long Road', year: 2021, imdb: 'tt0000002', episodes: [1, 12, 10] },
  ])
  const { primary } = mediaServer.server.deps.database
  for (const [episode, airDate] of [
    [1, '2024-03-05'],
    [2, '2024-03-06'],
  ] as const)
    await primary
      .updateTable('episode')
      .set({ air_date: airDate })
      .where('episode_number', '=', episode)
      .where('title_id', 'in', (eb) =>
        eb.selectFrom('title').select('title_id').where('original_title', '=', 'Nightly Talk'),
      )
      .execute()
  await getLibrarySync(mediaServer.server.deps)?.rematchFiles()
})
afterAll(async () => {
  await mediaServer.close()
  folder.remove()
})

it('the library matches dates and numbers in file names to episodes, and reports files that fit no episode', async () => {
  const { body } = await mediaServer.adult.get('/api/admin/library/files?limit=100')
  const outcomes = (body.results as LibraryFileEntry[]).map(({ path, state, season, episodes, reason }) => [
    path.split('/').at(-1),
    state === 'matched' ? `S${season}E${episodes.join()}` : reason,
  ])
  expect(Object.fromEntries(outcomes)).toEqual({
    'Nightly.Talk.2024.03.05.1080p.mkv': 'S1E1',
    'Nightly Talk - 2024-03-06 - Guest.mkv': 'S1E2',
    'Nightly Talk - 2024-03-07.mkv': 'no_episode',
    '[Group] Long Road - 02 (1080p).mkv': 'S1E2',
    '[Group] Long Road - 15 (1080p).mkv': 'S2E3',
    '[Group] Long Road S2 - 05 (1080p).mkv': 'S2E5',
    '[Group] Long Road II - 06 (1080p).mkv': 'no_title',
    '[Group] Long Road - 40 (1080p).mkv': 'no_episode',
    'Long Road - 14.mkv': 'no_episode',
    '[Group] Long Road - 105 (1080p).mkv': 'no_episode',
    'Long Road S01E105.mkv': 'no_episode',
    'Long Road 105.mkv': 'S1E5',
    'Leaving home.mkv': 'no_episode',
  })
})

it('a lookup finds an episode whose file name contains only the absolute number of the episode in the series', async () => {
  expect((await mediaServer.lookUpStream('tv/tt0000002/2/3')).status).toBe(200)
  expect((await mediaServer.lookUpStream('tv/tt0000002/2/4')).status).toBe(404)
})

it('when an administrator chooses a title for the folder of a daily show, an episode number is rejected with 422, because the file names contain dates', async () => {
  const listFiles = async () =>
    (await mediaServer.adult.get('/api/admin/library/files?limit=100')).body.results as LibraryFileEntry[]
  const findFilePath = async (fileName: string) => {
    const file = (await listFiles()).find(({ path }) => path.endsWith(fileName))
    return `/api/admin/library/files/${file?.id}`
  }
  const filePath = await findFilePath('2024-03-06 - Guest.mkv')
  const { body: details } = await mediaServer.adult.get(filePath)
  expect(details).toMatchObject({ folder_files: 3, needs_episode: false })
  const choice = { title_id: details.file.title.id, scope: 'folder' }
  const rejection = await mediaServer.adult.put(`${filePath}/match`, { ...choice, season: 1, episode: 1 })
  expect(rejection).toMatchObject({ status: 422, body: { errors: { scope: ['invalid'] } } })
  const { body: file } = await mediaServer.adult.put(`${filePath}/match`, choice)
  expect(file).toMatchObject({ matched_by: 'choice', season: 1, episodes: [2] })
  const { body: undatedDetails } = await mediaServer.adult.get(await findFilePath('2024-03-07.mkv'))
  expect(undatedDetails.needs_episode).toBe(true)
})
