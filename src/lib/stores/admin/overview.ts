import { computed } from 'nanostores'
import * as calls from '../../contract/admin-overview.ts'
import { createReadStore } from '../query.ts'
import { $dashboardView } from './dashboard-view.ts'

/** Overview data. It is also loaded in other sections that display health data. */
export const $overview = createReadStore(
  calls.getOverview,
  computed($dashboardView, ({ section }) =>
    ['overview', 'caches', 'backups'].includes(section) ? {} : null,
  ),
)
