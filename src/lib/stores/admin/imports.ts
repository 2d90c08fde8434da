import { computed } from 'nanostores'
import { call } from '../../client/call.ts'
import * as imports from '../../contract/admin-imports.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { Key } from '../../i18n/keys.ts'
import { read } from '../query.ts'
import { submit } from './act.ts'
import { refetchJobs } from './jobs.ts'
import { filtersIn, pageOf } from './view.ts'

export const $imports = read(
  imports.listImports,
  computed(filtersIn('imports'), (filters) => filters && { query: { page: pageOf(filters) } }),
)

export function startImport(body: BodyOf<typeof imports.startImport>): Promise<Key | null> {
  return submit('dashboardlibrary:importStarted', async () => {
    await call(imports.startImport, { body })
    refetchJobs()
  })
}
