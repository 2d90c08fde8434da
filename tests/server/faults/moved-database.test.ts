/**
 * The file of a SQLite database is deleted, moved or replaced while the server runs. Everything that SQLite writes
 * then would be lost at the next start, so no write may be acknowledged.
 */
import { copyFileSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createWriteCaller } from '../../support/write-calls.ts'

let dataFolder = ''
let server: TestServer
let client: TestClient
const getPath = (name: string) => join(dataFolder, name)
beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'marquee-moved-'))
  server = await startTestServer({
    env: { DATA_DIR: dataFolder },
    database: openSqliteDatabase(getPath('marquee.db')),
  })
  client = new TestClient(server)
  const { accessToken, profileId } = await createWriteCaller(server)
  Object.assign(client, { accessToken, profileId })
}, 60_000)
afterEach(async () => {
  await server.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

const renameProfile = (name: string) => client.put(`/api/profile/${client.profileId}`, { name })
const loadStatus = async () => (await client.get('/api/health/ready')).body.status
const listBackups = () =>
  readdirSync(dataFolder).includes('backups')
    ? readdirSync(getPath('backups')).filter((name) => name.endsWith('.db'))
    : []
async function expectRejectedWrites() {
  const { status, headers } = await renameProfile('Lost')
  expect([status, headers.get('Retry-After')]).toEqual([503, '2'])
  expect((await client.get(`/api/profile/${client.profileId}`)).status).toBe(200)
  expect(await loadStatus()).toBe('degraded')
}
async function expectAcceptedWrites() {
  await waitFor(async () => expect(await loadStatus()).toBe('ok'))
  expect((await renameProfile('Stored')).status).toBe(200)
}

it('the server rejects writes with 503 while the database file is moved, and accepts writes when the file is back', async () => {
  renameSync(getPath('marquee.db'), getPath('moved.db'))
  await expectRejectedWrites()
  renameSync(getPath('moved.db'), getPath('marquee.db'))
  await expectAcceptedWrites()
}, 30_000)

it('the server rejects writes with 503 while another file has the path of the database', async () => {
  copyFileSync(getPath('marquee.db'), getPath('copy.db'))
  renameSync(getPath('marquee.db'), getPath('original.db'))
  renameSync(getPath('copy.db'), getPath('marquee.db'))
  await expectRejectedWrites()
  renameSync(getPath('original.db'), getPath('marquee.db'))
  await expectAcceptedWrites()
}, 30_000)

it.each(['marquee.db', 'marquee.db-wal'])(
  'after %s was deleted, the server rejects write requests with 503 and creates a backup that contains all acknowledged changes',
  async (name) => {
    expect((await renameProfile('Acknowledged')).status).toBe(200)
    rmSync(getPath(name))
    await expectRejectedWrites()
    await waitFor(() => expect(listBackups()).toHaveLength(1))
    const backup = new DatabaseSync(getPath(`backups/${listBackups()[0]}`), { readOnly: true })
    const profile = backup.prepare('select name from profile where profile_id = ?').get(client.profileId)
    backup.close()
    expect(profile?.['name']).toBe('Acknowledged')
    expect(server.logLines.filter((line) => line.includes('restore this backup'))).toHaveLength(1)
  },
  30_000,
)
