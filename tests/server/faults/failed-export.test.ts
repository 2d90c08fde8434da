/** An export is a stream. If its first rows cannot be read, the response is an error instead of an empty file. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES } from '../../support/server.ts'
import { type ImportHousehold, startImportHousehold } from '../history-import/import-household.ts'

describe.each(DATABASES)('an export on %s', (_name, openTestDatabase) => {
  let household: ImportHousehold
  beforeAll(async () => {
    household = await startImportHousehold(await openTestDatabase())
  }, 60_000)
  afterAll(() => household.server.close())

  it.each(['/api/auth/user-account/export', '/api/profile/{id}/export'])(
    'GET %s returns an error when the first rows cannot be read',
    async (pathTemplate) => {
      const { adult, adultId, server } = household
      const path = pathTemplate.replace('{id}', adultId)
      expect((await adult.get(path)).status).toBe(200)
      await sql`alter table rating rename to rating_away`.execute(server.database.primary)
      try {
        const { status, body } = await adult.get(path)
        expect({ status, type: body.type }).toEqual({ status: 500, type: 'server_error' })
      } finally {
        await sql`alter table rating_away rename to rating`.execute(server.database.primary)
      }
    },
  )
})
