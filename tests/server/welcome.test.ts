/** The first start of an installation: the message with the first sign-in, and starts that were interrupted. */
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../server/core/config.ts'
import { prepareFirstRun } from '../../server/first-run.ts'
import { importTitles } from '../../server/importers/import-titles.ts'
import { countAccounts } from '../../server/queries/account.ts'
import { describeFirstSignIn, describeNetworkAccess, printWelcome } from '../../server/welcome.ts'
import { DATABASES, startTestServer } from '../support/server.ts'
import { createMovieRecord } from './admin/admin-test-server.ts'

const CREDENTIALS = { email: 'admin@marquee.local', password: 'ABCD-efgh-1234', pin: '4711' }

describe('the message with the password and the PIN of the first sign-in', () => {
  it('shows the password and the PIN on a terminal', () => {
    const message = describeFirstSignIn('/data', CREDENTIALS, true).join('\n')
    expect(message).toContain(CREDENTIALS.password)
    expect(message).toContain(CREDENTIALS.pin)
  })

  it('shows only the path of the sign-in file when the output is not a terminal, because logs are stored', () => {
    const message = describeFirstSignIn('/data', CREDENTIALS, false).join('\n')
    expect(message).toContain('/data/first-sign-in.txt')
    expect(message).not.toContain(CREDENTIALS.password)
    expect(message).not.toContain(CREDENTIALS.pin)
  })
})

it.each([
  ['::1', []],
  ['192.0.2.7', ['plain-http']],
])('the start with HOST=%s logs these warnings: %j', async (HOST, expectedWarnings) => {
  const server = await startTestServer({ env: { HOST } })
  printWelcome(server.deps, null)
  const events = server.logLines.map((line) => JSON.parse(line) as { level: string; event: string })
  expect(events.filter(({ level }) => level === 'warn').map(({ event }) => event)).toEqual(expectedWarnings)
  await server.close()
})

describe.each(DATABASES)('an interrupted first start on %s', (_name, openTestDatabase) => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'marquee-first-start-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const startServer = async (DEMO: string) =>
    startTestServer({ database: await openTestDatabase(), env: { DATA_DIR: folder, DEMO } })

  it('creates no account when the sign-in file cannot be written, and the next start writes the file', async () => {
    const server = await startServer('0')
    const filePath = join(folder, 'first-sign-in.txt')
    try {
      mkdirSync(filePath)
      await expect(prepareFirstRun(server.deps)).rejects.toThrow()
      expect(await countAccounts(server.database.primary)).toBe(0)
      rmdirSync(filePath)
      const firstSignIn = await prepareFirstRun(server.deps)
      expect(readFileSync(filePath, 'utf8')).toContain(`Password: ${firstSignIn?.password}\n`)
      expect(await countAccounts(server.database.primary)).toBe(1)
      expect(await prepareFirstRun(server.deps)).toBeNull()
    } finally {
      await server.close()
    }
  })

  it('the next start repeats the first start, and imports the missing titles of the demo catalogue', async () => {
    const server = await startServer('1')
    const countTitles = async () =>
      (await server.database.primary.selectFrom('title').select('title_id').execute()).length
    try {
      await importTitles(server.deps, [{ location: '0', record: createMovieRecord(1) }], { source: 'demo' })
      expect(await countTitles()).toBe(1)
      expect(await prepareFirstRun(server.deps)).not.toBeNull()
      expect(await countTitles()).toBeGreaterThan(100)
    } finally {
      await server.close()
    }
  }, 60_000)
})

describe('the message about access from other devices', () => {
  const describeAccess = (env: Record<string, string>, addresses = ['192.168.1.10']) =>
    describeNetworkAccess(readConfig({ PORT: '4321', ...env }), addresses).join('\n')

  it('tells how to make a server available to other devices if only this machine can reach it', () => {
    expect(describeAccess({})).toContain('HOST=0.0.0.0 PUBLIC_URL=http://192.168.1.10:4321 npm start')
  })

  it.each(['0.0.0.0', '::'])('with HOST=%s, lists the network addresses of this machine', (HOST) => {
    expect(readConfig({ HOST, PORT: '4321' }).publicUrl.href).toBe('http://localhost:4321/')
    const message = describeAccess({ HOST }, ['192.168.1.10', '10.0.0.2'])
    expect(message).toContain('http://192.168.1.10:4321 or http://10.0.0.2:4321')
    expect(message).toContain('PUBLIC_URL')
  })

  it('the message about access from other devices is absent if PUBLIC_URL is set, if HOST is one network address, or if the machine has no network', () => {
    expect(describeAccess({ PUBLIC_URL: 'https://films.example.org' })).toBe('')
    expect(describeAccess({ HOST: '0.0.0.0' }, [])).toBe('')
    expect(describeAccess({ HOST: '192.168.1.10' })).toBe('')
  })
})
