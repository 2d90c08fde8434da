/** Deleted titles that can be restored. */
import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import * as titles from '../../contract/admin-titles.ts'
import { perProfile } from '../per-profile.ts'
import { createReadStore } from '../query.ts'
import { showToast } from '../toast.ts'
import { createFiltersStore } from './dashboard-view.ts'
import { submitAdminForm } from './run-action.ts'
import { DEFAULT_PAGE_SIZE, type PageSize } from './table-layouts.ts'
import { refetchTitles } from './titles.ts'

/** Page number, page size and search text of the displayed list of deleted titles. */
export const $binView = perProfile<{ page: number; pageSize: PageSize; search: string }>(() => ({
  page: 1,
  pageSize: DEFAULT_PAGE_SIZE,
  search: '',
}))

export const $deletedTitles = createReadStore(
  titles.listDeletedTitles,
  computed([createFiltersStore('catalogue'), $binView], (filters, { page, pageSize, search }) =>
    filters ? { query: { page, limit: pageSize, ...(search && { search }) } } : null,
  ),
)

/** Restores a title and displays the result. Displays a failure if the bin does not contain the title. */
export async function restoreTitle(titleId: string): Promise<void> {
  let isTitleMissing = false
  const failureKey = await submitAdminForm(null, async () => {
    isTitleMissing = (await callApi(titles.restoreTitles, { body: { ids: [titleId] } })).missing.length > 0
    refetchTitles()
  })
  const problemKey = failureKey ?? (isTitleMissing ? 'errors:gone' : null)
  showToast(problemKey ?? 'dashboardlibrary:restored', { kind: problemKey ? 'bad' : 'good' })
}
