/** Import and export of history. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { insertHistoryImport } from '../../server/queries/history-import.ts'
import { MAX_HISTORY_IMPORTS } from '../../src/lib/contract/history-transfer.ts'
import { signInHousehold } from '../support/store-environment.ts'
import { waitFor } from '../support/wait-for.ts'

const { actAs, switchTo, browser, findAdultRequests, network, otherDevice, profiles, server } =
  await signInHousehold()
const {
  $historyImports,
  $importRowFilter,
  $importRowPage,
  $importUpload,
  $openedImport,
  $openedImportId,
  applyImport,
  downloadExport,
  getUploadedFile,
  pollOpenedImport,
  isImportRunning,
  loadOpenedImport,
  openImport,
  resolveImportRow,
  retryUploads,
  searchTitlesByName,
  showImportRows,
  undoImport,
  uploadFiles,
} = await import('../../src/lib/stores/history-transfer.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')

const HISTORY_CSV = `Title,Date
"Night Harbour","18/03/2021"
"Nothing Known","17/03/2021"
`
let fileNumber = 0
/** Creates a file that differs from earlier files, because the server recognises files that were already imported. */
const createFile = (csv = HISTORY_CSV) => {
  fileNumber += 1
  return new File(
    [`${csv}"Paper Kites","0${(fileNumber % 9) + 1}/01/202${fileNumber % 4}"\n`],
    `netflix-${fileNumber}.csv`,
  )
}
const uploadAndWait = async (...files: File[]) => {
  await uploadFiles(files)
  const importId = $openedImportId.get() ?? ''
  await pollOpenedImport(importId)
  return importId
}
const getImportPath = (importId: string) => `/api/profile/${profiles.adult}/import/${importId}`
for (const $store of [$historyImports, $openedImport, $importUpload, $toast]) $store.listen(() => {})

beforeEach(async () => {
  await actAs('adult')
})

describe('an import', () => {
  it('an uploaded file becomes an import with matched rows', async () => {
    const importId = await uploadAndWait(createFile())
    expect($openedImport.get()).toMatchObject({ status: 'ready', rows: { matched: 2, unmatched: 1 } })
    showImportRows('matched')
    await network.waitUntilIdle()
    expect($openedImport.get()?.list.results.map(({ match }) => match?.title)).toContain('Night Harbour')
    expect($historyImports.get().data?.results.map(({ import_id }) => import_id)).toContain(importId)
    expect($importUpload.get()).toEqual({ name: null, busy: false, errors: [] })
  })

  it('each of several selected files becomes an import', async () => {
    const files = [createFile(), createFile()]
    await uploadAndWait(...files)
    const fileNames = $historyImports.get().data?.results.map(({ file_name }) => file_name)
    expect(fileNames).toEqual(expect.arrayContaining(files.map(({ name }) => name)))
  })

  it('a file that cannot be read is reported, and the dry run of the next file is displayed', async () => {
    await uploadAndWait(new File(['hello,world\n1,2\n'], 'wrong.csv'), createFile())
    expect($importUpload.get().errors).toEqual([{ name: 'wrong.csv', code: 'unknown_format' }])
    expect($openedImport.get()).toMatchObject({ status: 'ready' })
  })

  it('a retry uploads only the files whose upload failed because the connection was lost, and needs no new file selection', async () => {
    const file = createFile()
    network.setOffline(true)
    await uploadFiles([file])
    expect($importUpload.get()).toEqual({
      name: null,
      busy: false,
      errors: [{ name: file.name, code: 'connection', file }],
    })
    network.setOffline(false)
    await retryUploads()
    const importId = $openedImportId.get() ?? ''
    await pollOpenedImport(importId)
    expect($importUpload.get().errors).toEqual([])
    expect($openedImport.get()).toMatchObject({ file_name: file.name, status: 'ready' })
    expect(getUploadedFile(importId)).toBe(file)
    await uploadFiles([new File(['hello,world\n1,2\n'], 'wrong.csv')])
    await retryUploads()
    expect($importUpload.get().errors).toEqual([])
    expect($historyImports.get().data?.results.map(({ file_name }) => file_name)).not.toContain('wrong.csv')
  })

  it('when all rows of an import are skipped, the import opens with the filter for skipped rows', async () => {
    await uploadAndWait(new File(['Title,Year,Watched on\n'], 'watched.csv'))
    await network.waitUntilIdle()
    expect($importRowFilter.get()).toBe('skipped')
    expect($openedImport.get()?.list.results).toMatchObject([{ why: 'no_entries' }])
  })

  it('when the profile has too many imports, an uploaded file is rejected with the error "too_many_imports"', async () => {
    await uploadAndWait(createFile())
    const { primary } = server.database
    const importRun = await primary.selectFrom('history_import').selectAll().executeTakeFirstOrThrow()
    for (let index = 0; index < MAX_HISTORY_IMPORTS; index += 1)
      await insertHistoryImport(primary, { ...importRun, import_id: `copy-${index}` })
    await uploadFiles([createFile()])
    expect($importUpload.get().errors).toMatchObject([{ code: 'too_many_imports' }])
    await network.waitUntilIdle()
    expect($historyImports.get().data?.results).toHaveLength(MAX_HISTORY_IMPORTS)
    await primary.deleteFrom('history_import').where('import_id', 'like', 'copy-%').execute()
  })

  it('an import contains every row of a file that is large enough to be compressed for the upload', async () => {
    const rowsText = Array.from({ length: 12_000 }, (_, index) => `"Nothing ${index}","18/03/2021"`).join(
      '\n',
    )
    await uploadFiles([createFile(`Title,Date\n${rowsText}\n`)])
    await pollOpenedImport($openedImportId.get() ?? '')
    expect($openedImport.get()?.rows.total).toBe(12_001)
  })

  it('applying or undoing an import shows a message and the new status of the import', async () => {
    const importId = await uploadAndWait(createFile())
    await applyImport(importId)
    expect($toast.get()).toMatchObject({ key: 'transfer:applied' })
    expect($openedImport.get()).toMatchObject({ status: 'applied' })
    expect(isImportRunning({ status: 'applied' })).toBe(false)
    await undoImport(importId)
    expect($toast.get()).toMatchObject({ key: 'transfer:undone' })
    expect($openedImport.get()).toMatchObject({ status: 'undone' })
  })

  it('the result of applying an import is announced when its job ends, even if another import is open', async () => {
    const [otherImportId, importId] = [await uploadAndWait(createFile()), await uploadAndWait(createFile())]
    const setStoredImportStatus = (status: 'applying' | 'applied', message: string | null) =>
      server.database.primary
        .updateTable('history_import')
        .set({ status, message, heartbeat_at: server.deps.now() })
        .where('import_id', '=', importId)
        .execute()
    const releaseRequest = network.hold(new RegExp(`GET .*import/${importId}`))
    const applyPromise = applyImport(importId)
    // A job with few rows ends immediately, so the test stores the status of a job that takes longer.
    await waitFor(async () =>
      expect((await otherDevice.get(getImportPath(importId))).body.status).toBe('applied'),
    )
    await setStoredImportStatus('applying', null)
    openImport(otherImportId)
    await loadOpenedImport()
    releaseRequest()
    await network.waitUntilIdle()
    expect($toast.get()).toBeNull()
    await setStoredImportStatus('applied', 'failed')
    await applyPromise
    expect($toast.get()).toMatchObject({ key: 'transfer:failed', kind: 'bad' })
    expect($openedImport.get()).toMatchObject({ import_id: otherImportId, status: 'ready' })
  })

  it('the title that the user chose for a row is saved', async () => {
    await uploadAndWait(createFile())
    showImportRows('unmatched')
    await network.waitUntilIdle()
    const row = $openedImport.get()?.list.results[0]
    const [chosenTitle] = await searchTitlesByName('cold verdict')
    expect(chosenTitle?.title).toBe('Cold Verdict')
    await resolveImportRow(row?.n ?? 0, chosenTitle ?? null)
    expect($toast.get()).toMatchObject({ key: 'transfer:remembered' })
    expect($openedImport.get()?.rows).toMatchObject({ unmatched: 0 })
  })

  it('import rows of the previous filter that arrive after another filter was selected are ignored', async () => {
    await uploadAndWait(createFile())
    const releaseRequest = network.hold(/outcome=unmatched/)
    showImportRows('unmatched')
    await network.waitUntilIdle()
    showImportRows('matched')
    await network.waitUntilIdle()
    releaseRequest()
    await network.waitUntilIdle()
    expect($openedImport.get()?.list.results.map(({ outcome }) => outcome)).not.toContain('unmatched')
  })

  it('polling an import continues after failed requests until the import has ended', async () => {
    const importId = await uploadAndWait(createFile())
    for (const status of [0, 503]) network.failNext(/GET .*\/import\/[^/]+\?/, status)
    await pollOpenedImport(importId)
    expect($openedImport.get()).toMatchObject({ import_id: importId, status: 'ready' })
    expect($toast.get()).toBeNull()
  })

  it('a message is shown when the import rows of another filter cannot be loaded', async () => {
    await uploadAndWait(createFile())
    network.failNext(/outcome=unmatched/, 422)
    showImportRows('unmatched')
    await network.waitUntilIdle()
    expect($toast.get()).toMatchObject({ key: 'transfer:failed', kind: 'bad' })
  })

  it('polling an import continues however long the connection is lost', async () => {
    const importId = await uploadAndWait(createFile())
    for (let count = 0; count < 60; count += 1) network.failNext(/GET .*\/import\/[^/]+\?/, 0)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const polling = pollOpenedImport(importId)
      await vi.advanceTimersByTimeAsync(120_000)
      vi.useRealTimers()
      await polling
    } finally {
      vi.useRealTimers()
    }
    expect($openedImport.get()).toMatchObject({ import_id: importId, status: 'ready' })
    expect($toast.get()).toBeNull()
  })

  it('an import is displayed as applied although the reply to the request to apply it was lost', async () => {
    const importId = await uploadAndWait(createFile())
    network.loseNextReply(/POST .*apply/)
    await applyImport(importId)
    expect($toast.get()).toMatchObject({ key: 'transfer:failed', kind: 'bad' })
    expect($openedImport.get()).toMatchObject({ status: 'applied' })
  })

  it('a message is shown when an import cannot be applied', async () => {
    const importId = await uploadAndWait(createFile())
    network.failNext(/apply/, 500)
    await applyImport(importId)
    expect($toast.get()).toMatchObject({ key: 'transfer:failed', kind: 'bad' })
    expect($openedImport.get()).toMatchObject({ status: 'ready' })
  })
})

describe('an export', () => {
  it('a profile export and an account export are each downloaded as a file', async () => {
    await downloadExport('profile', 'csv')
    await downloadExport('account', 'json')
    expect(browser.document.createdElements.slice(-2)).toMatchObject([
      { download: 'marquee-export.csv', clickCount: 1 },
      { download: 'marquee-account.json', clickCount: 1 },
    ])
  })

  it('a message is shown when an export fails', async () => {
    network.failNext(/export/, 500)
    await downloadExport('profile', 'json')
    expect($toast.get()).toMatchObject({ key: 'transfer:exportFailed', kind: 'bad' })
  })
})

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile removes the imports of the adult', async () => {
    await uploadAndWait(createFile())
    showImportRows('unmatched', 2)
    await network.waitUntilIdle()
    await switchTo('kid')
    expect($openedImportId.get()).toBeNull()
    expect($openedImport.get()).toBeNull()
    expect([$importRowFilter.get(), $importRowPage.get()]).toEqual(['ambiguous', 1])
    expect($historyImports.get()).toMatchObject({ data: undefined, error: { status: 403 } })
    await loadOpenedImport()
    expect(findAdultRequests()).toEqual([])
    await switchTo('adult')
    expect($historyImports.get().data?.results).not.toEqual([])
  })

  it('a switch to a kids profile ends the polling of an import of the adult', async () => {
    const releaseRequest = network.hold(/GET .*import\//)
    await uploadFiles([createFile()])
    void pollOpenedImport($openedImportId.get() ?? '')
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($openedImport.get()).toBeNull()
    expect(findAdultRequests()).toEqual([])
    expect($toast.get()).toBeNull()
  })

  it('a switch to a kids profile stops the upload of further files of the adult', async () => {
    const releaseRequest = network.hold(/POST .*import/)
    void uploadFiles([createFile(), createFile()])
    await waitFor(() => expect($importUpload.get().busy).toBe(true))
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect($importUpload.get()).toEqual({ name: null, busy: false, errors: [] })
    expect(findAdultRequests()).toEqual([])
  })

  it('a switch to a kids profile cancels the download of an export that the adult requested', async () => {
    const elementCount = browser.document.createdElements.length
    const releaseRequest = network.hold(/export/)
    void downloadExport('profile', 'json')
    await network.waitUntilIdle()
    await switchTo('kid')
    releaseRequest()
    await network.waitUntilIdle()
    expect(browser.document.createdElements).toHaveLength(elementCount)
    expect(profiles.kid).not.toBe(profiles.adult)
  })
})
