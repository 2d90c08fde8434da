import type { ApiKeyScope } from '../../lib/contract/endpoint.ts'
import { t } from '../../lib/i18n/t.ts'

/** Name of a scope of API keys. Its colon would separate a namespace in a translation key. */
export const formatScope = (scope: ApiKeyScope): string =>
  t(
    `security:scope_${scope.replace(':', '_') as 'catalogue_read' | 'tracking_read' | 'tracking_write' | 'admin'}`,
  )
