/** A test server with the demo catalogue, an adult and a kids profile, and helpers that import and export histories. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../../server/db/database.ts'
import { waitForIdleQueue } from '../../../server/services/history-import/import-queue.ts'
import { openDemoDatabase } from '../../support/demo-database.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'

export interface ImportHousehold {
  server: TestServer
  adult: TestClient
  kid: TestClient
  adultId: string
  kidId: string
  /**
   * Creates a profile, switches the adult to it and returns its ID. Keeps at most four of these profiles, because an
   * account has at most eight profiles: from the fifth call on, the oldest of them is deleted first.
   */
  switchToNewProfile: (name: string) => Promise<string>
}

/** Starts the server with a database with the demo catalogue, or with `database`. */
export async function startImportHousehold(database?: Database): Promise<ImportHousehold> {
  const server = await startTestServer({
    database: database ?? (await openDemoDatabase()),
    env: { DEMO: '1', DATA_DIR: `data/local/test-import-${process.pid}` },
  })
  await insertTestAccount(server, 'alice@example.com', 'admin')
  const adult = new TestClient(server)
  await adult.login('alice@example.com')
  const adultId = (await adult.post('/api/profile', { name: 'Alice' })).body.profile_id
  const kidId = (await adult.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
  adult.profileId = adultId
  const kid = new TestClient(server)
  await kid.login('alice@example.com')
  kid.profileId = kidId
  const createdProfileIds: string[] = []
  const switchToNewProfile = async (name: string) => {
    const oldestProfileId = createdProfileIds.length >= 4 ? createdProfileIds.shift() : undefined
    if (oldestProfileId) {
      await server.database.primary.deleteFrom('profile').where('profile_id', '=', oldestProfileId).execute()
    }
    adult.profileId = adultId
    const { body } = await adult.post('/api/profile', { name })
    createdProfileIds.push(body.profile_id)
    adult.profileId = body.profile_id
    return body.profile_id as string
  }
  return { server, adult, kid, adultId, kidId, switchToNewProfile }
}

export async function uploadImport(
  device: TestClient,
  fileName: string,
  content: string | Uint8Array<ArrayBuffer>,
  profileId = device.profileId,
) {
  const response = await device.server.request(
    `/api/profile/${profileId}/import?name=${encodeURIComponent(fileName)}`,
    {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${device.accessToken}`,
        'X-Profile-Id': device.profileId ?? '',
        'Content-Type': 'application/octet-stream',
      },
      body: content,
    },
  )
  return { status: response.status, body: await response.json() }
}

/** Uploads a file, waits for the dry run, and returns the import with its rows. Throws when the upload is rejected. */
export async function runImportDryRun(
  device: TestClient,
  fileName: string,
  content: string | Uint8Array<ArrayBuffer>,
  profileId = device.profileId,
) {
  const { status, body } = await uploadImport(device, fileName, content, profileId)
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`)
  await waitForIdleQueue(device.server.database)
  return fetchImportWithRows(device, body.import_id, { profileId })
}

interface FetchImportOptions {
  outcome?: string
  profileId?: string | null
}

/** Returns an import with the rows of every outcome, or of the given outcome. */
export async function fetchImportWithRows(
  device: TestClient,
  importId: string,
  { outcome, profileId = device.profileId }: FetchImportOptions = {},
) {
  const path = `/api/profile/${profileId}/import/${importId}?limit=100`
  if (outcome) return (await device.get(`${path}&outcome=${outcome}`)).body
  const importRows = []
  let importBody = null
  for (const rowOutcome of ['matched', 'ambiguous', 'unmatched', 'ignored', 'skipped']) {
    importBody = (await device.get(`${path}&outcome=${rowOutcome}`)).body
    importRows.push(...(importBody.list?.results ?? []))
  }
  return { ...importBody, list: { ...importBody.list, results: importRows } }
}

/**
 * Applies or undoes an import and waits until the action has finished. Returns the import with its rows. Throws when
 * the server rejects the action.
 */
export async function runImportAction(
  device: TestClient,
  importId: string,
  action: 'apply' | 'undo',
  body: unknown = {},
  profileId = device.profileId,
) {
  const response = await device.post(`/api/profile/${profileId}/import/${importId}/${action}`, body)
  if (response.status !== 202) throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
  await waitForIdleQueue(device.server.database)
  return fetchImportWithRows(device, importId, { profileId })
}

/**
 * Uploads a file, waits for the dry run, and applies the import. Returns the import with its rows when it has finished.
 */
export async function importFile(
  device: TestClient,
  fileName: string,
  content: string | Uint8Array<ArrayBuffer>,
) {
  const { import_id } = await runImportDryRun(device, fileName, content)
  return runImportAction(device, import_id, 'apply')
}

/** Returns the export of a profile, by default of the acting profile of `device`. Throws when the status is not 200. */
export async function exportHistory(
  device: TestClient,
  format = 'json',
  profileId = device.profileId,
): Promise<string> {
  const response = await device.server.request(`/api/profile/${profileId}/export?format=${format}`, {
    headers: { Authorization: `Bearer ${device.accessToken}`, 'X-Profile-Id': device.profileId ?? '' },
  })
  if (response.status !== 200) throw new Error(String(response.status))
  return response.text()
}

/** Returns all tracking rows of a profile as one string, for comparison. */
export async function dumpProfileTables(server: TestServer, profileId: string): Promise<string> {
  const { primary } = server.database
  const tableDumps: unknown[] = []
  for (const tableName of [
    'progress',
    'play',
    'watchlist_entry',
    'feedback',
    'rating',
    'interaction',
  ] as const) {
    const rows = await primary
      .selectFrom(tableName as 'progress')
      .selectAll()
      .where('profile_id', '=', profileId)
      .execute()
    tableDumps.push(rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort())
  }
  return JSON.stringify(tableDumps)
}

/** Returns the names of temporary import files in the data folder. */
export const listTemporaryImportFiles = ({ server }: ImportHousehold) =>
  readdirSync(join(server.deps.config.dataDir, 'imports'))
