/** Before the run: with MARQUEE_TEST_DB=postgres+redis, one PostgreSQL and one Redis for all test files. */

import { openDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { openSearchIndex } from '../../server/services/search/search-index.ts'
import { admin, TEMPLATE } from './databases.ts'
import { startPostgres } from './postgres.ts'
import { startRedis } from './redis.ts'

export default async function setup(): Promise<() => Promise<void>> {
  if (process.env['MARQUEE_TEST_DB'] !== 'postgres+redis') return async () => {}
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  process.env['MARQUEE_TEST_POSTGRES'] = postgres.url()
  process.env['MARQUEE_TEST_REDIS'] = redis.url()
  await admin(`create database ${TEMPLATE}`)
  const template = openDatabase({ dataDir: 'data/local/test', url: postgres.url(TEMPLATE) })
  await migrateDatabase(template)
  await openSearchIndex(template)
  await template.close()
  return async () => {
    await postgres.stop()
    await redis.stop()
  }
}
