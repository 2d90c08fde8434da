/** The dashboard's section for media files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { signInHousehold } from '../../support/store-environment.ts'
import { waitFor } from '../../support/wait-for.ts'

const mediaFolder = mkdtempSync(join(tmpdir(), 'marquee-store-media-'))
mkdirSync(join(mediaFolder, 'Films'))
writeFileSync(join(mediaFolder, 'Films', 'Night Harbor.mkv'), 'film')
writeFileSync(join(mediaFolder, 'Paper Kites.mkv'), 'film')

const { actAs, getCard, network, server } = await signInHousehold('http://marquee.example/dashboard/', {
  MEDIA_DIR: mediaFolder,
})
const { getLibrarySync } = await import('../../../server/services/library/library-sync.ts')
const { openDashboardSection } = await import('../../../src/lib/stores/admin/dashboard-view.ts')
const libraryStore = await import('../../../src/lib/stores/admin/library.ts')
const { searchBlockCandidates } = await import('../../../src/lib/stores/admin/blocklist.ts')
const { setTitlesPublished } = await import('../../../src/lib/stores/admin/titles.ts')
const { $toast } = await import('../../../src/lib/stores/toast.ts')
const { $library, $libraryFiles, $libraryScan, $openFile, $openFileId } = libraryStore
for (const $store of [$library, $libraryFiles, $libraryScan, $openFile, $toast]) $store.listen(() => {})

const librarySync = getLibrarySync(server.deps)
await librarySync?.start()
afterAll(async () => {
  await librarySync?.stop()
  rmSync(mediaFolder, { recursive: true, force: true })
})
const openSection = async (filters = {}) => {
  openDashboardSection('library', filters)
  await network.waitUntilIdle()
}
const listPaths = () => $libraryFiles.get().data?.results.map(({ path }) => path)
const getMisspeltFile = () => {
  const misspeltFile = $libraryFiles.get().data?.results.find(({ path }) => path.includes('Harbor'))
  if (!misspeltFile) throw new Error('the file is not listed')
  return misspeltFile
}

beforeEach(async () => {
  await actAs('adult')
  await openSection()
})

describe('the media files', () => {
  it('the library lists its folders, and its files can be filtered by state and folder', async () => {
    expect($library.get().data?.folders.map(({ name }) => name)).toEqual(['', 'Films'])
    expect(listPaths()).toEqual(['Films/Night Harbor.mkv', 'Paper Kites.mkv'])
    await openSection({ state: 'unmatched' })
    expect(listPaths()).toEqual(['Films/Night Harbor.mkv'])
    await openSection({ folder: libraryStore.ROOT_FOLDER })
    expect(listPaths()).toEqual(['Paper Kites.mkv'])
  })

  it('matching a file to the chosen title can be reverted with Undo', async () => {
    const failureKey = await libraryStore.chooseFileTitle(getMisspeltFile(), {
      title_id: getCard('Night Harbour').id,
      scope: 'file',
    })
    await network.waitUntilIdle()
    expect(failureKey).toBeNull()
    expect(getMisspeltFile()).toMatchObject({ state: 'matched', matched_by: 'choice' })
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getMisspeltFile()).toMatchObject({ state: 'unmatched', reason: 'no_title' })
  })

  it('the title search for a file finds hidden titles, corrects misspelt queries, and rejects when the request fails', async () => {
    await setTitlesPublished([getCard('Night Harbour').id], false)
    expect(await searchBlockCandidates('movie', 'night harb')).toMatchObject([
      { id: getCard('Night Harbour').id, name: 'Night Harbour' },
    ])
    await setTitlesPublished([getCard('Night Harbour').id], true)
    expect((await searchBlockCandidates('movie', 'nihgt harbour')).map(({ name }) => name)).toContain(
      'Night Harbour',
    )
    network.failNext(/GET .*movies/, 500)
    await expect(searchBlockCandidates('movie', 'night')).rejects.toThrow()
  })

  it('when the title chosen for a file is replaced, set to "no title" or deleted, Undo restores the previously chosen title', async () => {
    const chooseTitle = (titleName: string | null, scope: 'file' | 'folder') =>
      libraryStore.chooseFileTitle(getMisspeltFile(), {
        title_id: titleName === null ? null : getCard(titleName).id,
        scope,
      })
    const pressUndo = async () => {
      await network.waitUntilIdle()
      $toast.get()?.undo?.()
      await network.waitUntilIdle()
      expect($toast.get()?.key).toBe('dashboard:undone')
      return getMisspeltFile().title?.title
    }
    await chooseTitle('Cold Verdict', 'folder')
    await chooseTitle('Night Harbour', 'file')
    for (const scope of ['file', 'folder'] as const) {
      await chooseTitle('Paper Kites', scope)
      expect(await pressUndo()).toBe('Night Harbour')
      await chooseTitle(null, scope)
      expect(await pressUndo()).toBe('Night Harbour')
    }
    await libraryStore.clearChosenFileTitle(getMisspeltFile())
    await network.waitUntilIdle()
    expect(getMisspeltFile().title?.title).toBe('Cold Verdict')
    expect(await pressUndo()).toBe('Night Harbour')
    // The title chosen for the folder must still apply when the choice for the file is removed again.
    await libraryStore.clearChosenFileTitle(getMisspeltFile())
    await network.waitUntilIdle()
    expect(getMisspeltFile().title?.title).toBe('Cold Verdict')
    await libraryStore.clearChosenFileTitle(getMisspeltFile())
    await network.waitUntilIdle()
  })

  it('when the title chosen for a series folder is deleted or replaced, Undo restores the choices for the folder and its subfolders', async () => {
    const findFile = (name: string) => {
      const file = $libraryFiles.get().data?.results.find(({ path }) => path.endsWith(name))
      if (!file) throw new Error('the file is not listed')
      return file
    }
    const [seriesFileName, seasonFileName] = ['Klub S01E01.mkv', 'Klub S01E02.mkv'] as const
    mkdirSync(join(mediaFolder, 'Shows/Klub/Season 1'), { recursive: true })
    for (const path of [seriesFileName, `Season 1/${seasonFileName}`])
      writeFileSync(join(mediaFolder, 'Shows/Klub', path), 'episode')
    await librarySync?.scan(async () => {})
    libraryStore.refetchLibrary()
    await network.waitUntilIdle()
    const listMatchSources = () => [seriesFileName, seasonFileName].map((name) => findFile(name).matched_by)
    const chooseTitle = async (name: string, title_id: string | null) => {
      await libraryStore.chooseFileTitle(findFile(name), { title_id, scope: 'folder' })
      await network.waitUntilIdle()
    }
    const forgetChoice = async (name: string) => {
      await libraryStore.clearChosenFileTitle(findFile(name))
      await network.waitUntilIdle()
    }
    const pressUndo = async () => {
      $toast.get()?.undo?.()
      await network.waitUntilIdle()
      expect($toast.get()?.key).toBe('dashboard:undone')
    }
    const seriesId = getCard('Garden Club').id
    await chooseTitle(seriesFileName, seriesId)
    expect(listMatchSources()).toEqual(['choice', 'choice'])
    await forgetChoice(seasonFileName)
    expect(listMatchSources()).toEqual([null, null])
    await pressUndo()
    expect(listMatchSources()).toEqual(['choice', 'choice'])
    await chooseTitle(seasonFileName, null)
    await chooseTitle(seriesFileName, null)
    await pressUndo()
    // Undo restores both choices: a title for the upper folder, and no title for the lower folder.
    expect(findFile(seasonFileName).reason).toBe('dismissed')
    await forgetChoice(seasonFileName)
    expect(findFile(seasonFileName).title?.title).toBe('Garden Club')
    await forgetChoice(seasonFileName)
    expect(listMatchSources()).toEqual([null, null])
  })

  it('adding a title for a file can be reverted with Undo', async () => {
    const { id } = getMisspeltFile()
    $openFileId.set(id)
    await network.waitUntilIdle()
    const newTitle = { type: 'movie', scope: 'file', titles: [{ lang: 'en', text: 'Night Harbor' }] } as const
    const failureKey = await libraryStore.addTitleFromFile(
      { id },
      { ...newTitle, titles: [...newTitle.titles] },
    )
    await network.waitUntilIdle()
    expect([failureKey, $toast.get()?.key]).toEqual([null, 'dashboardlibrary:titleAdded'])
    expect(getMisspeltFile().state).toBe('matched')
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getMisspeltFile()).toMatchObject({ state: 'unmatched', reason: 'no_title' })
    await expect(libraryStore.searchTmdbTitles({ type: 'movie', search: 'night' })).rejects.toThrow()
    $openFileId.set(null)
  })

  it('an opened file is shown with its media information', async () => {
    $openFileId.set(getMisspeltFile().id)
    await network.waitUntilIdle()
    expect($openFile.get().data).toMatchObject({ content_type: 'video/x-matroska', needs_episode: true })
    $openFileId.set(null)
  })

  it('a started scan appears in the list of jobs, and the files that the scan has found are listed even if no reply has shown the scan as running', async () => {
    writeFileSync(join(mediaFolder, 'Films', 'Added.mkv'), 'film')
    const releaseJobs = network.hold(/GET .*jobs/, 'request')
    const startPromise = libraryStore.startLibraryScan()
    await waitFor(() => expect($toast.get()?.key).toBe('dashboardlibrary:scanStarted'))
    await startPromise
    await findJobWorker(server.deps)?.whenIdle()
    releaseJobs()
    await network.waitUntilIdle()
    expect($libraryScan.get().data?.results).toMatchObject([{ kind: 'library_scan', status: 'done' }])
    expect(listPaths()).toContain('Films/Added.mkv')
  })
})
