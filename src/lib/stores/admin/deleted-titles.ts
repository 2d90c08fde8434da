/** Deleted titles that can be restored. */
import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import * as titles from '../../contract/admin-titles.ts'
import { createReadStore } from '../query.ts'
import { createFiltersStore } from './dashboard-view.ts'
import { runAdminAction } from './run-action.ts'
import { refetchTitles } from './titles.ts'

export const $deletedTitles = createReadStore(
  titles.listDeletedTitles,
  computed(createFiltersStore('catalogue'), (filters) => filters && {}),
)

export function restoreTitle(titleId: string): Promise<void> {
  return runAdminAction('dashboardlibrary:restored', async () => {
    await callApi(titles.restoreTitles, { body: { ids: [titleId] } })
    refetchTitles()
  })
}
