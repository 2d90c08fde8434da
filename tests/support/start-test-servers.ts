/** Global setup of Vitest for the project `postgres`: one PostgreSQL and one Redis server for all its test files. */
import { openPostgresDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'

import { startPostgres } from './postgres.ts'
import { executeOnPostgresServer, TEMPLATE_DATABASE } from './postgres-databases.ts'
import { startRedis } from './redis.ts'

export default async function startTestServers(): Promise<() => Promise<void>> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  process.env['MARQUEE_TEST_POSTGRES'] = postgres.getUrl()
  process.env['MARQUEE_TEST_REDIS'] = redis.getUrl()
  await executeOnPostgresServer(`create database ${TEMPLATE_DATABASE}`)
  const templateDatabase = openPostgresDatabase({
    url: postgres.getUrl(TEMPLATE_DATABASE),
    searchFolder: ':memory:',
  })
  await migrateDatabase(templateDatabase)
  await templateDatabase.close()
  return async () => {
    await postgres.stop()
    await redis.stop()
  }
}
