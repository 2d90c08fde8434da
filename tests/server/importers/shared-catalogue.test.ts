import { expect, it } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { loadSharedCatalogue } from '../../support/shared-catalogue.ts'
import { withSharedData } from '../../support/shared-data.ts'

it(
  'the shared catalogue is imported, and a second import changes nothing',
  withSharedData(async (folder) => {
    const server = await startTestServer()
    const report = await loadSharedCatalogue(server.deps, folder, { limit: 2_000 })
    expect(report.added).toBeGreaterThan(3_900)
    for (const skip of report.skips)
      expect(skip).toMatch(/the source has already delivered this title|its ids belong to another/)
    const repeatedReport = await loadSharedCatalogue(server.deps, folder, { limit: 2_000 })
    expect(repeatedReport).toMatchObject({ added: 0, changed: 0 })
    await server.close()
  }),
  60_000,
)
