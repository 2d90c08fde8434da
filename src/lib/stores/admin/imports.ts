import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import * as imports from '../../contract/admin-imports.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { TranslationKey } from '../../i18n/keys.ts'
import { createReadStore } from '../query.ts'
import { createFiltersStore, parsePaging } from './dashboard-view.ts'
import { refetchJobs } from './jobs.ts'
import { submitAdminForm } from './run-action.ts'

export const $importJobs = createReadStore(
  imports.listImportJobs,
  computed(createFiltersStore('imports'), (filters) => filters && { query: parsePaging(filters) }),
)

export function startImporter(
  importOptions: BodyOf<typeof imports.startImportJob>,
): Promise<TranslationKey | null> {
  return submitAdminForm('dashboardlibrary:importStarted', async () => {
    await callApi(imports.startImportJob, { body: importOptions })
    refetchJobs()
  })
}
