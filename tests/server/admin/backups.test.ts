/** Backups while people write: nothing acknowledged is missing, nothing is half there; damaged ones are refused. */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkBackup } from '../../../server/db/backup.ts'
import { DATABASE_FILE, openSqliteDatabase } from '../../../server/db/open.ts'
import { verify } from '../../../server/services/audit.ts'
import { startDue } from '../../../server/services/housekeeping.ts'
import { workerOf } from '../../../server/services/job-queue.ts'
import { addMovies, movie, type Service, startService } from './service.ts'

/** Big enough that the copy takes a while, with writes in the middle of it. */
const PADDING_MB = 48
const WRITES_A_SECOND = 200
/** More are offered, so that as many are done on a busy machine, too. */
const OFFERED = 300

let service: Service
let backups: string
beforeAll(async () => {
  service = await startService()
  backups = join(service.folder, 'backups')
  await addMovies(service, [movie(1), movie(2)])
  const { sqlite } = service.server.database
  sqlite?.exec('create table padding (bytes text)')
  const pad = sqlite?.prepare('insert into padding values (hex(randomblob(500000)))')
  for (let at = 0; at < PADDING_MB; at++) pad?.run()
}, 60_000)
afterAll(() => service.stop())

const fileOf = (name: string | null) => join(backups, `${name}.db`)
async function made(): Promise<string> {
  const job = await service.ended(await service.admin.post('/api/admin/backups'))
  expect(job).toMatchObject({ status: 'done' })
  return job.message ?? ''
}

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
  const name = await made()
  const after = Date.now()
  await pause(200)
  writer.kill('SIGTERM')
  await once(writer, 'close')
  const { began, acknowledged } = JSON.parse(said) as { began: number; acknowledged: number[] }
  const rate = acknowledged.length / (((acknowledged.at(-1) ?? began) - began) / 1_000)
  expect(rate).toBeGreaterThan(WRITES_A_SECOND)
  expect(acknowledged.filter((at) => at > before && at < after).length).toBeGreaterThan(20)

  const copy = new DatabaseSync(fileOf(name), { readOnly: true })
  const held = (table: string) => copy.prepare(`select count(*) as n, max(n) as last from ${table}`).get()
  const [one, two] = [held('one'), held('two')] as { n: number; last: number }[]
  copy.close()
  expect(one).toEqual(two)
  expect(one?.n).toBe(one?.last)
  expect(one?.n).toBeGreaterThanOrEqual(acknowledged.filter((at) => at < before).length)
  sqlite?.exec('drop table one; drop table two')
}, 60_000)

it('lists what there is, newest first, with what it holds', async () => {
  const name = await made()
  const { body } = await service.admin.get('/api/admin/backups')
  expect(body).toMatchObject({ method: 'sqlite', folder: backups })
  expect(body.results[0]).toMatchObject({
    id: name,
    reason: 'manual',
    counts: { accounts: 1, profiles: 1, titles: 2 },
  })
  expect(body.results[0].bytes).toBe(statSync(fileOf(name)).size)
  expect(statSync(fileOf(name)).mode & 0o777).toBe(0o600)
  expect((await service.admin.get('/api/admin/overview')).body.last_backup.id).toBe(name)
  expect((await service.admin.delete(`/api/admin/backups/${name}`)).status).toBe(204)
  expect((await service.admin.delete(`/api/admin/backups/${name}`)).status).toBe(404)
  expect(readdirSync(backups).filter((file) => file.includes(name))).toEqual([])
})

it('downloads once, by an address of a minute, while whoever asked is an administrator', async () => {
  const { admin, server } = service
  const name = await made()
  const ask = async () => (await admin.post(`/api/admin/backups/${name}/link`)).body.url as string
  const url = await ask()
  const response = await server.request(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${name}.db"`)
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  expect(sha(await response.bytes())).toBe(sha(readFileSync(fileOf(name))))
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
  const scheduled = () => readdirSync(backups).filter((file) => /schedule\.db$/.test(file))
  for (const expected of [1, 2, 2]) {
    server.advance(3_700_000)
    await startDue(server.deps)
    await workerOf(server.deps)?.tick()
    await service.idle()
    expect(scheduled()).toHaveLength(expected)
  }
  await startDue(server.deps)
  await service.idle()
  expect(scheduled()).toHaveLength(2)
  await admin.login('admin@example.com')
  await admin.post('/api/settings', { key: 'backup_every_hours', value: 0 })
  expect((await admin.get('/api/admin/backups')).body.next_at).toBeNull()
}, 60_000)

describe('restoring', () => {
  const run = promisify(execFile)
  let good: string
  let folder: string
  const target = () => join(folder, DATABASE_FILE)
  const restore = (file: string) =>
    run(process.execPath, ['scripts/restore.ts', file], { env: { ...process.env, DATA_DIR: folder } })
  const sha = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
  beforeAll(async () => {
    good = fileOf(await made())
    folder = mkdtempSync(join(tmpdir(), 'marquee-restore-'))
    const old = openSqliteDatabase(target())
    old.sqlite?.exec("create table old_data (word text); insert into old_data values ('kept')")
    await old.close()
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.each([
    ['cut short', (file: string) => truncateSync(file, statSync(file).size - 300_000)],
    [
      'overwritten in the middle',
      (file: string) => {
        const bytes = readFileSync(file)
        bytes.fill(0xa5, 200_000, 260_000)
        writeFileSync(file, bytes)
      },
    ],
    ['no database', (file: string) => writeFileSync(file, 'hello'.repeat(9_999))],
    ['empty', (file: string) => writeFileSync(file, '')],
    [
      'somebody else’s database',
      (file: string) => {
        rmSync(file)
        new DatabaseSync(file).exec('create table account (id integer)')
      },
    ],
    [
      'of a newer version',
      (file: string) => {
        new DatabaseSync(file).exec(
          "insert into kysely_migration (name, timestamp) values ('9999_later', 'x')",
        )
      },
    ],
  ])('refuses one that is %s, and the old data stays', async (_what, spoil) => {
    const bad = join(folder, 'bad.db')
    copyFileSync(good, bad)
    spoil(bad)
    const before = sha(target())
    await expect(restore(bad)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/nothing was changed\.\n$/),
    })
    expect(sha(target())).toBe(before)
    expect(readdirSync(folder).filter((file) => /restore|new/.test(file))).toEqual([])
  })

  it('refuses while a server has the database open', async () => {
    const open = openSqliteDatabase(target())
    await open.primary
      .selectFrom('old_data' as never)
      .selectAll()
      .execute()
    await expect(restore(good)).rejects.toMatchObject({ stderr: expect.stringContaining('stop it first') })
    await open.close()
  })

  it('puts a good one in place, and keeps the old database whole', async () => {
    const { stdout } = await restore(good)
    const kept = /before is (.*)\.\n/.exec(stdout)?.[1] ?? ''
    const old = new DatabaseSync(kept, { readOnly: true })
    expect(old.prepare('select word from old_data').get()).toEqual({ word: 'kept' })
    old.close()
    expect(existsSync(join(folder, 'search-1.db'))).toBe(false)
    const restored = openSqliteDatabase(target())
    const { n } = await restored.primary
      .selectFrom('title')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(n).toBe(2)
    expect((await verify({ database: restored, now: Date.now }, { whole: true })).verified).toBe(true)
    await restored.close()
    expect(await checkBackup(good)).toMatchObject({ ok: true })
  })

  it('replaces a database that is too damaged to be opened', async () => {
    writeFileSync(target(), 'x'.repeat(100_000))
    const { stdout } = await restore(good)
    expect(readFileSync(/before is (.*)\.\n/.exec(stdout)?.[1] ?? '', 'utf8')).toBe('x'.repeat(100_000))
    expect(await checkBackup(target())).toMatchObject({ ok: true })
  })
})
