import type { ApiKeyScope } from '../../lib/contract/endpoint.ts'
import { t } from '../../lib/i18n/t.ts'

/**
 * Returns the name of a scope of API keys. The colon of a scope is replaced, because it separates namespaces
 * in translation keys.
 */
export const formatScope = (scope: ApiKeyScope): string =>
  t(
    `security:scope_${scope.replace(':', '_') as 'catalogue_read' | 'tracking_read' | 'tracking_write' | 'admin'}`,
  )
