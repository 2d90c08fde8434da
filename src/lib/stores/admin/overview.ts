import { computed } from 'nanostores'
import * as calls from '../../contract/admin-overview.ts'
import { createReadStore } from '../query.ts'
import { $dashboardView } from './dashboard-view.ts'

/** Data of the overview. The sections Caches and Backups also load this data, because they display parts of it. */
export const $overview = createReadStore(
  calls.getOverview,
  computed($dashboardView, ({ section }) =>
    ['overview', 'caches', 'backups'].includes(section) ? {} : null,
  ),
)
