/** A server with the demo catalogue, an adult and a child; files go up as a browser would send them. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../../server/db/database.ts'
import { seedDemoCatalogue } from '../../../server/first-run.ts'
import { waitForIdleQueue } from '../../../server/services/history-import/import-queue.ts'
import { Device } from '../../support/client.ts'
import { addAccount, startServer, type TestServer } from '../../support/server.ts'

export interface Household {
  server: TestServer
  adult: Device
  kid: Device
  adultId: string
  kidId: string
  /** The adult acts as a new profile. A household has eight at most: of those made here, the oldest goes. */
  fresh: (name: string) => Promise<string>
}

export async function household(database?: Database, { catalogue = true } = {}): Promise<Household> {
  const server = await startServer({
    ...(database && { database }),
    env: { DEMO: '1', DATA_DIR: `data/local/test-import-${process.pid}` },
  })
  if (catalogue) await seedDemoCatalogue(server.deps)
  await addAccount(server, 'alice@example.com', 'admin')
  const adult = new Device(server)
  await adult.login('alice@example.com')
  const adultId = (await adult.post('/api/profile', { name: 'Alice' })).body.profile_id
  const kidId = (await adult.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
  adult.profileId = adultId
  const kid = new Device(server)
  await kid.login('alice@example.com')
  kid.profileId = kidId
  const made: string[] = []
  const fresh = async (name: string) => {
    const oldest = made.length >= 4 ? made.shift() : undefined
    if (oldest) {
      await server.database.primary.deleteFrom('profile').where('profile_id', '=', oldest).execute()
    }
    adult.profileId = adultId
    const { body } = await adult.post('/api/profile', { name })
    made.push(body.profile_id)
    adult.profileId = body.profile_id
    return body.profile_id as string
  }
  return { server, adult, kid, adultId, kidId, fresh }
}

export async function upload(device: Device, name: string, content: string | Uint8Array<ArrayBuffer>) {
  const response = await device.server.request(
    `/api/profile/${device.profileId}/import?name=${encodeURIComponent(name)}`,
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

/** The dry run when it has ended. */
export async function dryRun(device: Device, name: string, content: string | Uint8Array<ArrayBuffer>) {
  const { status, body } = await upload(device, name, content)
  if (status !== 202) throw new Error(`${status} ${JSON.stringify(body)}`)
  await waitForIdleQueue(device.server.database)
  return look(device, body.import_id)
}

/** With the rows of every outcome, or of one. */
export async function look(device: Device, importId: string, outcome?: string) {
  const path = `/api/profile/${device.profileId}/import/${importId}?limit=100`
  if (outcome) return (await device.get(`${path}&outcome=${outcome}`)).body
  const all = []
  let body = null
  for (const one of ['matched', 'ambiguous', 'unmatched', 'ignored', 'skipped']) {
    body = (await device.get(`${path}&outcome=${one}`)).body
    all.push(...(body.list?.results ?? []))
  }
  return { ...body, list: { ...body.list, results: all } }
}

export async function act(device: Device, importId: string, what: 'apply' | 'undo', body: unknown = {}) {
  const answer = await device.post(`/api/profile/${device.profileId}/import/${importId}/${what}`, body)
  if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
  await waitForIdleQueue(device.server.database)
  return look(device, importId)
}

/** A whole import. */
export async function bring(device: Device, name: string, content: string | Uint8Array<ArrayBuffer>) {
  const { import_id } = await dryRun(device, name, content)
  return act(device, import_id, 'apply')
}

export async function exported(device: Device, format = 'json'): Promise<string> {
  const response = await device.server.request(`/api/profile/${device.profileId}/export?format=${format}`, {
    headers: { Authorization: `Bearer ${device.accessToken}`, 'X-Profile-Id': device.profileId ?? '' },
  })
  if (response.status !== 200) throw new Error(String(response.status))
  return response.text()
}

/** Everything a profile has, as one text. */
export async function tables(server: TestServer, profileId: string): Promise<string> {
  const { primary } = server.database
  const parts: unknown[] = []
  for (const table of ['progress', 'play', 'watchlist_entry', 'feedback', 'interaction'] as const) {
    const rows = await primary
      .selectFrom(table as 'progress')
      .selectAll()
      .where('profile_id', '=', profileId)
      .execute()
    parts.push(rows.map((row) => JSON.stringify(Object.entries(row).sort())).sort())
  }
  return JSON.stringify(parts)
}

/** Nothing of ours stays behind, open or in the data folder. */
export const leftovers = ({ server }: Household) => readdirSync(join(server.deps.config.dataDir, 'imports'))
