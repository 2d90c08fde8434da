/** The slow-query log: one line for each query above the setting `slow_query_ms`. Its text holds no values. */
import type { Deps } from '../deps.ts'
import { countSlowQuery } from './metrics.ts'
import { settingValue } from './settings.ts'

const SHOWN = 500

/** Takes the threshold in force; call it again to learn what another process has set. */
export async function watchQueries({ database, log }: Deps): Promise<void> {
  const { watch } = database
  if (!watch) return
  watch.tell = (text, ms) => {
    countSlowQuery()
    log.warn('slow query', { ms: Math.round(ms), sql: text.replace(/\s+/g, ' ').slice(0, SHOWN) })
  }
  watch.slowMs = await settingValue(database.primary, 'slow_query_ms')
}
