import { computed } from 'nanostores'
import * as calls from '../../contract/admin-overview.ts'
import { read } from '../query.ts'
import { $view } from './view.ts'

/** Also loaded by the other sections that display health data. */
export const $overview = read(
  calls.getOverview,
  computed($view, ({ section }) => (['overview', 'caches', 'backups'].includes(section) ? {} : null)),
)
