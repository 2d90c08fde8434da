/** The report of an import counts all rows that were not imported, also the rows that the report does not list. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createZip } from '../../support/zip.ts'
import { type ImportHousehold, runImportDryRun, startImportHousehold } from './import-household.ts'

/** Higher than MAX_STORED_SKIPS (20,000), the largest number of skipped rows that a dry run stores. */
const SKIPPED_ROW_COUNT = 20_050

let household: ImportHousehold
beforeAll(async () => {
  household = await startImportHousehold()
}, 120_000)
afterAll(() => household.server.close())

it('an import with more skipped rows than are stored reports the full numbers of rows and of skipped rows, and the full number of rows of the file in the ZIP archive', async () => {
  const csvText = `Title,Date\n${'"Show (Trailer)","3/29/21"\n'.repeat(SKIPPED_ROW_COUNT)}"Heat","3/29/21"\n`
  const importRun = await runImportDryRun(
    household.adult,
    'netflix.zip',
    createZip([{ name: 'NetflixViewingHistory.csv', content: csvText }]),
  )
  expect(importRun.rows).toMatchObject({ total: SKIPPED_ROW_COUNT + 1, skipped: SKIPPED_ROW_COUNT })
  expect(importRun.files[0].rows).toBe(SKIPPED_ROW_COUNT + 1)
}, 120_000)
