/** The dashboard's section for media files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { signInHousehold } from '../../support/store-environment.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-store-media-'))
mkdirSync(join(folder, 'Films'))
writeFileSync(join(folder, 'Films', 'Night Harbor.mkv'), 'film')
writeFileSync(join(folder, 'Paper Kites.mkv'), 'film')

const { actAs, card, network, server } = await signInHousehold('http://marquee.example/dashboard/', {
  MEDIA_DIR: folder,
})
const { getLibrarySync } = await import('../../../server/services/library/library-sync.ts')
const { openDashboardSection } = await import('../../../src/lib/stores/admin/dashboard-view.ts')
const files = await import('../../../src/lib/stores/admin/library.ts')
const { $toast } = await import('../../../src/lib/stores/toast.ts')
const { $library, $libraryFiles, $libraryScan, $openFile, $openFileId } = files
for (const $store of [$library, $libraryFiles, $libraryScan, $openFile, $toast]) $store.listen(() => {})

const sync = getLibrarySync(server.deps)
await sync?.start()
afterAll(async () => {
  await sync?.stop()
  rmSync(folder, { recursive: true, force: true })
})
const openSection = async (filters = {}) => {
  openDashboardSection('library', filters)
  await network.waitUntilIdle()
}
const listPaths = () => $libraryFiles.get().data?.results.map(({ path }) => path)
const getMisspeltFile = () => {
  const file = $libraryFiles.get().data?.results.find(({ path }) => path.includes('Harbor'))
  if (!file) throw new Error('the file is not listed')
  return file
}

beforeEach(async () => {
  await actAs('adult')
  await openSection()
})

describe('the media files', () => {
  it('lists folders and files, filtered by state and folder', async () => {
    expect($library.get().data?.folders.map(({ name }) => name)).toEqual(['', 'Films'])
    expect(listPaths()).toEqual(['Films/Night Harbor.mkv', 'Paper Kites.mkv'])
    await openSection({ state: 'unmatched' })
    expect(listPaths()).toEqual(['Films/Night Harbor.mkv'])
    await openSection({ folder: files.ROOT_FOLDER })
    expect(listPaths()).toEqual(['Paper Kites.mkv'])
  })

  it('matches a file to the chosen title, and Undo removes the match', async () => {
    const failureKey = await files.chooseFileTitle(getMisspeltFile(), {
      title_id: card('Night Harbour').id,
      scope: 'file',
    })
    await network.waitUntilIdle()
    expect(failureKey).toBeNull()
    expect(getMisspeltFile()).toMatchObject({ state: 'matched', matched_by: 'choice' })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getMisspeltFile()).toMatchObject({ state: 'unmatched', reason: 'no_title' })
  })

  it('adds a title for a file, and Undo removes the title', async () => {
    const { id } = getMisspeltFile()
    $openFileId.set(id)
    await network.waitUntilIdle()
    const newTitle = { type: 'movie', scope: 'file', titles: [{ lang: 'en', text: 'Night Harbor' }] } as const
    const failureKey = await files.addTitleFromFile({ id }, { ...newTitle, titles: [...newTitle.titles] })
    await network.waitUntilIdle()
    expect([failureKey, $toast.get()?.key]).toEqual([null, 'dashboardlibrary:titleAdded'])
    expect(getMisspeltFile().state).toBe('matched')
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getMisspeltFile()).toMatchObject({ state: 'unmatched', reason: 'no_title' })
    await expect(files.searchTmdbTitles({ type: 'movie', search: 'night' })).rejects.toThrow()
    $openFileId.set(null)
  })

  it('shows a file with its media information', async () => {
    $openFileId.set(getMisspeltFile().id)
    await network.waitUntilIdle()
    expect($openFile.get().data).toMatchObject({ content_type: 'video/x-matroska', needs_episode: true })
    $openFileId.set(null)
  })

  it('starts a scan, and its job appears in the list', async () => {
    await files.startLibraryScan()
    await network.waitUntilIdle()
    expect($toast.get()?.key).toBe('dashboardlibrary:scanStarted')
    expect($libraryScan.get().data?.results[0]?.kind).toBe('library_scan')
  })
})
