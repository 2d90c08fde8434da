/** Several uploads at once must not fill the disk. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForIdleQueue } from '../../../server/services/history-import/import-queue.ts'
import { openEmptyDatabase } from '../../support/databases.ts'
import { type ImportHousehold, startImportHousehold, uploadImport } from './import-household.ts'

const HISTORY_CSV = 'Title,Date\nHeat,1/2/20\n'
let household: ImportHousehold
beforeAll(async () => {
  household = await startImportHousehold(await openEmptyDatabase())
}, 60_000)
afterAll(() => household.server.close())

function listStoredUploads(): string[] {
  const folderPath = join(household.server.deps.config.dataDir, 'imports')
  return existsSync(folderPath) ? readdirSync(folderPath) : []
}

/** Starts an upload whose body does not end before `finish` is called. */
function startSlowUpload() {
  const { adult, server } = household
  const { promise: endPromise, resolve: finish } = Promise.withResolvers<void>()
  const body = new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(HISTORY_CSV))
      await endPromise
      controller.close()
    },
  })
  const responsePromise = server.request(`/api/profile/${adult.profileId}/import?name=history.csv`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${adult.accessToken}`,
      'X-Profile-Id': adult.profileId ?? '',
      'Content-Type': 'application/octet-stream',
    },
    body,
    duplex: 'half',
  } as RequestInit)
  return { finish, responsePromise }
}

it('only one of several parallel uploads of an account is accepted', async () => {
  await household.switchToNewProfile('Parallel')
  const uploads = Array.from({ length: 5 }, startSlowUpload)
  const responses: Response[] = []
  for (const { responsePromise } of uploads) void responsePromise.then((response) => responses.push(response))
  // The accepted upload has no response before its body ends.
  await expect
    .poll(() => responses.map(({ status }) => status), { timeout: 20_000 })
    .toEqual([409, 409, 409, 409])
  const [rejectedResponse] = responses as [Response]
  expect((await rejectedResponse.json()).errors).toEqual({ import: ['running'] })
  for (const { finish } of uploads) finish()
  await expect.poll(() => responses.at(4)?.status, { timeout: 20_000 }).toBe(202)
  await waitForIdleQueue(household.server.database)
  expect(listStoredUploads()).toEqual([])
  expect((await uploadImport(household.adult, 'history.csv', HISTORY_CSV)).status).toBe(202)
  await waitForIdleQueue(household.server.database)
})

it('an upload to one profile is rejected while an upload to another profile of the account is being received', async () => {
  const profileId = await household.switchToNewProfile('Slow')
  const { finish, responsePromise } = startSlowUpload()
  await expect.poll(listStoredUploads, { timeout: 20_000 }).toHaveLength(1)
  await household.switchToNewProfile('Other')
  expect((await uploadImport(household.adult, 'history.csv', HISTORY_CSV)).status).toBe(409)
  household.adult.profileId = profileId
  finish()
  expect((await responsePromise).status).toBe(202)
  await waitForIdleQueue(household.server.database)
})

it('an upload is rejected and deleted when another process has started an import of the same profile during the upload', async () => {
  const { server, switchToNewProfile } = household
  const profileId = await switchToNewProfile('Two processes')
  const { finish, responsePromise } = startSlowUpload()
  await expect.poll(listStoredUploads, { timeout: 20_000 }).toHaveLength(1)
  const { primary } = server.database
  const row = await primary.selectFrom('history_import').selectAll().limit(1).executeTakeFirstOrThrow()
  const nowMs = server.deps.now()
  await primary
    .insertInto('history_import')
    .values({ ...row, import_id: 'other', profile_id: profileId, status: 'reading', heartbeat_at: nowMs })
    .execute()
  finish()
  expect((await responsePromise).status).toBe(409)
  expect(listStoredUploads()).toEqual([])
})
