/**
 * Writes the slow-query log, which has one line for each query slower than the setting `slow_query_ms`. The
 * SQL text contains no parameter values.
 */
import { countSlowQuery } from '../../core/process-metrics.ts'
import type { Deps } from '../deps.ts'
import { loadSettingValue } from './settings.ts'

const MAX_SQL_LENGTH = 500

/**
 * Turns on the slow-query log with the current threshold. Call this function regularly, because another process may
 * change the setting.
 */
export async function watchSlowQueries({ database, log }: Deps): Promise<void> {
  const { slowQueries } = database
  if (!slowQueries) return
  slowQueries.report = (sqlText, durationMs) => {
    countSlowQuery()
    log.warn('slow query', {
      ms: Math.round(durationMs),
      sql: sqlText.replace(/\s+/g, ' ').slice(0, MAX_SQL_LENGTH),
    })
  }
  slowQueries.thresholdMs = await loadSettingValue(database.primary, 'slow_query_ms')
}
