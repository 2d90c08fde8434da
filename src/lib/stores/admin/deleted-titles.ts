/** Deleted titles that can be restored. */
import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import * as titles from '../../contract/admin-titles.ts'
import { createReadStore } from '../query.ts'
import { showToast } from '../toast.ts'
import { createFiltersStore } from './dashboard-view.ts'
import { submitAdminForm } from './run-action.ts'
import { refetchTitles } from './titles.ts'

export const $deletedTitles = createReadStore(
  titles.listDeletedTitles,
  computed(createFiltersStore('catalogue'), (filters) => filters && {}),
)

/** Restores a title. Displays a failure when the bin no longer has it. */
export async function restoreTitle(titleId: string): Promise<void> {
  let isMissing = false
  const failureKey = await submitAdminForm(null, async () => {
    isMissing = (await callApi(titles.restoreTitles, { body: { ids: [titleId] } })).missing.length > 0
    refetchTitles()
  })
  const problemKey = failureKey ?? (isMissing ? 'dashboard:gone' : null)
  showToast(problemKey ?? 'dashboardlibrary:restored', { kind: problemKey ? 'bad' : 'good' })
}
