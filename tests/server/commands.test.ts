/** Commands with wrong arguments or settings: each says what is wrong, exits with 1 and changes nothing. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../server/db/database.ts'
import { findFreePort } from '../support/test-service.ts'

let folder = ''
let unreachableUrl = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-commands-'))
  await openSqliteDatabase(join(folder, 'marquee.db')).close()
  unreachableUrl = `postgres://marquee:hidden-word@127.0.0.1:${await findFreePort()}/marquee`
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function runScript(name: string, scriptArguments: readonly string[], dataDir: string) {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', REDIS_URL: '' }
  const script = spawn(process.execPath, [`scripts/${name}.ts`, ...scriptArguments], { env })
  let output = ''
  for (const stream of [script.stdout, script.stderr]) stream.on('data', (chunk) => (output += chunk))
  return new Promise<{ exitCode: number | null; output: string }>((resolve, reject) => {
    script.on('error', reject)
    script.on('close', (exitCode) => resolve({ exitCode, output }))
  })
}

describe.concurrent('a command', () => {
  it.each([
    ['restore', [], 'FILE is missing; nothing was changed.\nnpm run restore -- FILE'],
    ['create-admin', ['--email', 'a@b.org', '--password', 'Lumiere', '1895'], 'Unknown argument "1895".\n'],
    ['import', ['constructor'], 'Unknown source constructor.\n'],
    ['backup', [], /^DATA_DIR \S+ contains no marquee\.db\.\n$/],
  ])(
    '%s %j exits with 1, prints the error and creates no database',
    async (name, args, message) => {
      const dataDir = join(folder, `${name}-${args.length}`)
      const { exitCode, output } = await runScript(name, args, dataDir)
      expect([exitCode, output]).toEqual([
        1,
        typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
      ])
      expect(existsSync(join(dataDir, 'marquee.db'))).toBe(false)
    },
    60_000,
  )

  it('move-database prints an error that names --to, and not the password, when the target cannot be reached', async () => {
    const { exitCode, output } = await runScript(
      'move-database',
      ['--from', 'sqlite', '--to', unreachableUrl],
      folder,
    )
    expect([exitCode, output]).toEqual([
      1,
      expect.stringMatching(/^--to: no server responds at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\.\n$/),
    ])
  }, 60_000)
})
