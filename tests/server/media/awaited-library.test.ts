/**
 * A server that starts while its media folder is unavailable keeps the list of files. The files can be played when the
 * folder is available again.
 */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAwaitedLibrary } from '../../../server/providers/library/awaited-library.ts'
import { openLibrary } from '../../../server/providers/library/library.ts'
import { getLibrarySync } from '../../../server/services/library/library-sync.ts'
import { openMigratedFile } from '../../support/databases.ts'
import { startTestServer } from '../../support/server.ts'
import { waitUntil } from './library-fixture.ts'
import { createTempFolder, type MediaTestServer, startMediaTestServer } from './media-test-server.ts'

const folder = createTempFolder({ 'films/Heat (1995).mp4': 'x' })
const dataFolder = createTempFolder()
const mediaDir = join(folder.path, 'films')
const startServer = async () =>
  startMediaTestServer(
    { MEDIA_DIR: mediaDir, DATA_DIR: dataFolder.path, FFMPEG_PATH: 'off' },
    [{ title: 'Heat', year: 1995, imdb: 'tt0113277' }],
    await openMigratedFile(join(dataFolder.path, 'marquee.db')),
  )
async function stopServer(mediaServer: MediaTestServer) {
  await getLibrarySync(mediaServer.server.deps)?.stop()
  await mediaServer.close()
}
beforeAll(async () => stopServer(await startServer()), 60_000)
afterAll(() => {
  folder.remove()
  dataFolder.remove()
})

test('the server starts while the media folder is unavailable, and files can be played after the folder has returned and was scanned', async () => {
  renameSync(mediaDir, `${mediaDir}-away`)
  const mediaServer = await startServer()
  try {
    const { server } = mediaServer
    const countFiles = async () =>
      (await server.database.primary.selectFrom('library_file').select('file_id').execute()).length
    expect(await countFiles()).toBe(1)
    expect(server.logLines.join()).toContain('library-away')
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(503)
    renameSync(`${mediaDir}-away`, mediaDir)
    await getLibrarySync(server.deps)?.scan(async () => {})
    expect((await mediaServer.lookUpStream('movie/tt0113277')).status).toBe(200)
    expect(await countFiles()).toBe(1)
  } finally {
    await stopServer(mediaServer)
  }
})

test('the server does not start if the media folder is missing and the server has never read a file of that folder', async () => {
  await expect(startTestServer({ env: { MEDIA_DIR: `${mediaDir}-missing` } })).rejects.toThrow('MEDIA_DIR')
})

test('a missing media folder is opened and scanned when it appears', async () => {
  const laterFolder = `${mediaDir}-later`
  const library = createAwaitedLibrary(() => openLibrary(laterFolder), { retryIntervalMs: 10 })
  let scanCount = 0
  library.onUpdate(() => (scanCount += 1))
  await library.start()
  expect([library.listFiles(), await library.findUnreadableFolders()]).toEqual([null, ['']])
  renameSync(mediaDir, laterFolder)
  await waitUntil(async () => scanCount > 0)
  expect(library.listFiles()?.map(({ path }) => path)).toEqual(['Heat (1995).mp4'])
  expect(await library.findUnreadableFolders()).toEqual([])
  library.stop()
})
