/** Backups while people write: nothing acknowledged is missing, nothing is half there; lists, downloads and the timetable. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { startDueJobs } from '../../../server/services/operations/maintenance.ts'
import { type Padded, startPadded } from './padded.ts'

const WRITES_A_SECOND = 200
/** More are offered, so that as many are done on a busy machine, too. */
const OFFERED = 300

let service: Padded
beforeAll(async () => {
  service = await startPadded()
}, 60_000)
afterAll(() => service.stop())

/** Writes from a process of its own, durably: two rows in one transaction, so that a copy holds both or neither. */
const WRITER = `
const db = new (require('node:sqlite').DatabaseSync)(process.argv[1])
db.exec('pragma busy_timeout = 5000; pragma synchronous = full')
db.exec('create table one (n integer primary key); create table two (n integer primary key)')
const [first, second] = ['one', 'two'].map((table) => db.prepare('insert into ' + table + ' values (?)'))
const acknowledged = []
const began = Date.now()
setInterval(() => {
  const due = (Date.now() - began) / 1000 * ${OFFERED}
  const until = Math.min(due, acknowledged.length + 50)
  while (acknowledged.length < until) {
    const n = acknowledged.length + 1
    db.exec('begin immediate')
    first.run(n)
    second.run(n)
    db.exec('commit')
    acknowledged.push(Date.now())
  }
}, 5)
process.on('SIGTERM', () => process.stdout.write(JSON.stringify({ began, acknowledged }), () => process.exit(0)))
process.stdout.write(' ')`

it('holds every write acknowledged before it began, whole, while 200 a second go on', async () => {
  const { file = '', sqlite } = service.server.database
  const writer = spawn(process.execPath, ['-e', WRITER, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  writer.stdout.on('data', (data: Buffer) => {
    said += data
  })
  await once(writer.stdout, 'data')
  await pause(1_000)
  const before = Date.now()
  const name = await service.made()
  const after = Date.now()
  await pause(200)
  writer.kill('SIGTERM')
  await once(writer, 'close')
  const { began, acknowledged } = JSON.parse(said) as { began: number; acknowledged: number[] }
  const rate = acknowledged.length / (((acknowledged.at(-1) ?? began) - began) / 1_000)
  expect(rate).toBeGreaterThan(WRITES_A_SECOND)
  expect(acknowledged.filter((at) => at > before && at < after).length).toBeGreaterThan(20)

  const copy = new DatabaseSync(service.fileOf(name), { readOnly: true })
  const held = (table: string) => copy.prepare(`select count(*) as n, max(n) as last from ${table}`).get()
  const [one, two] = [held('one'), held('two')] as { n: number; last: number }[]
  copy.close()
  expect(one).toEqual(two)
  expect(one?.n).toBe(one?.last)
  expect(one?.n).toBeGreaterThanOrEqual(acknowledged.filter((at) => at < before).length)
  sqlite?.exec('drop table one; drop table two')
}, 60_000)

it('lists what there is, newest first, with what it holds', async () => {
  const name = await service.made()
  const { body } = await service.admin.get('/api/admin/backups')
  expect(body).toMatchObject({ method: 'sqlite', folder: service.backups })
  expect(body.results[0]).toMatchObject({
    id: name,
    reason: 'manual',
    counts: { accounts: 1, profiles: 1, titles: 2 },
  })
  expect(body.results[0].bytes).toBe(statSync(service.fileOf(name)).size)
  expect(statSync(service.fileOf(name)).mode & 0o777).toBe(0o600)
  expect((await service.admin.get('/api/admin/overview')).body.last_backup.id).toBe(name)
  expect((await service.admin.delete(`/api/admin/backups/${name}`)).status).toBe(204)
  expect((await service.admin.delete(`/api/admin/backups/${name}`)).status).toBe(404)
  expect(readdirSync(service.backups).filter((file) => file.includes(name))).toEqual([])
})

it('downloads once, by an address of a minute, while whoever asked is an administrator', async () => {
  const { admin, server } = service
  const name = await service.made()
  const ask = async () => (await admin.post(`/api/admin/backups/${name}/link`)).body.url as string
  const url = await ask()
  const response = await server.request(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}.db"`)
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  expect(sha(await response.bytes())).toBe(sha(readFileSync(service.fileOf(name))))
  expect((await server.request(url)).status).toBe(404)
  expect((await server.request(`/api/admin/backups/${name}/file`)).status).toBe(404)
  expect((await server.request(`/api/admin/backups/${name}/file?token=x`)).status).toBe(404)
  const other = await ask()
  expect((await server.request(other.replace(name, 'marquee-20200101T000000000Z-manual'))).status).toBe(404)
  const late = await ask()
  server.advance(61_000)
  expect((await server.request(late)).status).toBe(404)
  const demoted = await ask()
  const account = server.database.primary.updateTable('account')
  await account.set({ role: 'user' }).execute()
  expect((await server.request(demoted)).status).toBe(404)
  await account.set({ role: 'admin' }).execute()
  expect((await admin.post('/api/admin/backups/none/link')).status).toBe(404)
  expect((await admin.get('/api/admin/audit?action=backup_download')).body.total_results).toBe(1)
})

it('makes one when its time has come, and keeps as many as it was told', async () => {
  const { admin, server } = service
  await admin.post('/api/settings', { key: 'backup_every_hours', value: 1 })
  await admin.post('/api/settings', { key: 'backup_keep', value: 2 })
  const scheduled = () => readdirSync(service.backups).filter((file) => /schedule\.db$/.test(file))
  for (const expected of [1, 2, 2]) {
    server.advance(3_700_000)
    await startDueJobs(server.deps)
    await findJobWorker(server.deps)?.tick()
    await service.idle()
    expect(scheduled()).toHaveLength(expected)
  }
  await startDueJobs(server.deps)
  await service.idle()
  expect(scheduled()).toHaveLength(2)
  await admin.login('admin@example.com')
  await admin.post('/api/settings', { key: 'backup_every_hours', value: 0 })
  expect((await admin.get('/api/admin/backups')).body.next_at).toBeNull()
}, 60_000)
