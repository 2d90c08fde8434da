/** Changes of the catalogue by administrators while an import or another administrator changes it. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DbTransaction } from '../../../server/db/database.ts'
import { lockUntilCommit } from '../../../server/db/lock.ts'
import { CATALOGUE_IMPORT_LOCK } from '../../../server/importers/import-titles.ts'
import { upsertTitles } from '../../../server/queries/title-write.ts'
import { DATABASES } from '../../support/server.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startAdminTestServer,
} from './admin-test-server.ts'

describe.each(DATABASES)('concurrent changes of the catalogue on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  beforeAll(async () => {
    service = await startAdminTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => service.stop())

  /**
   * Runs `write` in a transaction. Sends the requests before the commit, and gives them 200 ms to read the state
   * without the write. Returns the replies.
   */
  async function sendDuringTransaction<T>(
    write: (trx: DbTransaction) => Promise<unknown>,
    sendRequests: () => Promise<T>,
  ): Promise<T> {
    let replyPromise: Promise<T> | undefined
    await service.server.database.primary.transaction().execute(async (trx) => {
      await write(trx)
      replyPromise = sendRequests()
      await pause(200)
    })
    return replyPromise as Promise<T>
  }

  it('a keyword that is blocked during an import also hides the titles that the import has not yet committed', async () => {
    const { admin, server } = service
    const record = createMovieRecord(1, { keywords: ['heist'] })
    const reply = await sendDuringTransaction(
      async (trx) => {
        await lockUntilCommit(trx, CATALOGUE_IMPORT_LOCK)
        const options = { source: 'test', nowMs: server.deps.now(), seenTitleIds: new Set<number>() }
        await upsertTitles(trx, [{ record, hash: 'hash', isRequested: false }], options)
      },
      () => admin.post('/api/blocklist', { type: 'keyword', value: 'heist' }),
    )
    expect(reply.status).toBe(201)
    const rows = await server.database.primary.selectFrom('title').select('blocked').execute()
    expect(rows).toEqual([{ blocked: 1 }])
  })

  it('two simultaneous edits of different fields of a title are both stored', async () => {
    const { admin } = service
    const titleId = (await addMovies(service, [createMovieRecord(2)])).at(-1)
    const path = `/api/admin/titles/${titleId}`
    const replies = await sendDuringTransaction(
      (trx) => trx.updateTable('title').set({ rating: 5 }).where('title_id', '=', Number(titleId)).execute(),
      () =>
        Promise.all([
          admin.put(path, { trailer: 'https://www.youtube.com/watch?v=edited001' }),
          admin.put(path, { safe_for_kids: false }),
        ]),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    expect((await admin.get(path)).body).toMatchObject({
      trailer: 'https://www.youtube.com/watch?v=edited001',
      safe_for_kids: false,
    })
  })
})
