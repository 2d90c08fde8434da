import { computed } from 'nanostores'
import * as calls from '../../contract/admin-overview.ts'
import { read } from '../query.ts'
import { $view } from './view.ts'

/** Asked for by the sections that show health, too. */
export const $overview = read(
  calls.getOverview,
  computed($view, ({ section }) => (['overview', 'caches', 'backups'].includes(section) ? {} : null)),
)
