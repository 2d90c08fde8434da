/** Backups are put in place again; damaged ones are refused, and the old data stays. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
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
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkBackup } from '../../../server/db/backup.ts'
import { DATABASE_FILE_NAME, openSqliteDatabase, SEARCH_FILE_NAME } from '../../../server/db/database.ts'
import { verifyAuditChain } from '../../../server/services/operations/audit.ts'
import { type Padded, startPadded } from './padded.ts'

describe('restoring', () => {
  const run = promisify(execFile)
  let service: Padded
  let good: string
  let folder: string
  const target = () => join(folder, DATABASE_FILE_NAME)
  const restore = (file: string) =>
    run(process.execPath, ['scripts/restore.ts', file], { env: { ...process.env, DATA_DIR: folder } })
  const sha = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
  beforeAll(async () => {
    service = await startPadded()
    good = service.fileOf(await service.made())
    folder = mkdtempSync(join(tmpdir(), 'marquee-restore-'))
    writeFileSync(join(folder, 'search-1.db'), 'an index of an earlier version')
    const old = openSqliteDatabase(target())
    if (old.searchDatabase instanceof DatabaseSync)
      old.searchDatabase.exec('create table old_index (word text)')
    old.sqlite?.exec("create table old_data (word text); insert into old_data values ('kept')")
    await old.close()
  }, 60_000)
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await service.stop()
  })

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
    expect(readdirSync(folder).filter((file) => /^search-\d\.db$/.test(file))).toEqual([SEARCH_FILE_NAME])
    const { stdout } = await restore(good)
    const kept = /before is (.*)\.\n/.exec(stdout)?.[1] ?? ''
    const old = new DatabaseSync(kept, { readOnly: true })
    expect(old.prepare('select word from old_data').get()).toEqual({ word: 'kept' })
    old.close()
    expect(existsSync(join(folder, SEARCH_FILE_NAME))).toBe(false)
    const restored = openSqliteDatabase(target())
    const { n } = await restored.primary
      .selectFrom('title')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    expect(n).toBe(2)
    expect((await verifyAuditChain({ database: restored, now: Date.now }, { whole: true })).verified).toBe(
      true,
    )
    await restored.close()
    expect(await checkBackup(good)).toMatchObject({ ok: true })
  })

  it('replaces a database that is too damaged to be opened', async () => {
    writeFileSync(target(), 'x'.repeat(100_000))
    expect(readdirSync(folder).filter((file) => /^search-\d\.db$/.test(file))).toEqual([SEARCH_FILE_NAME])
    const { stdout } = await restore(good)
    expect(readFileSync(/before is (.*)\.\n/.exec(stdout)?.[1] ?? '', 'utf8')).toBe('x'.repeat(100_000))
    expect(await checkBackup(target())).toMatchObject({ ok: true })
  })
})
