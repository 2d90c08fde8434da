/** A start that cannot be: one clear sentence, an exit code that is not 0, and nothing changed. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../support/running.ts'

const MAIN = 'server/main.ts'
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-start-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface End {
  code: number | null
  said: string
}

/** Starts the server with nothing of our own environment but what it needs to run. */
function start(env: Record<string, string>, who: { uid?: number; gid?: number } = {}): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...who,
    })
    let said = ''
    for (const out of [child.stdout, child.stderr]) out.on('data', (part) => (said += part))
    const slow = setTimeout(() => child.kill('SIGKILL'), 50_000)
    child.on('error', reject)
    child.on('exit', (code) => {
      clearTimeout(slow)
      resolve({ code, said: said.trim() })
    })
  })
}

/** One line that names what is wrong; no stack, no code. */
function expectSentence({ code, said }: End, about: string): void {
  expect([about, code], said).toEqual([about, 1])
  expect(said.split('\n'), about).toHaveLength(1)
  expect(said).toContain(about)
  expect(said).toMatch(/[.:] ?\S*$|\.$/)
  expect(said).not.toMatch(/\bat .*:\d+:\d+|node:|Error:/)
}

const WRONG: [string, string][] = [
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['DATABASE_URL', 'mysql://db/x'],
  ['DATABASE_URL', 'nonsense'],
  ['REDIS_URL', 'http://redis'],
  ['PUBLIC_URL', 'home.example.org'],
  ['PUBLIC_URL', 'ftp://home.example.org'],
  ['TRUSTED_PROXIES', 'nginx'],
  ['TRUSTED_PROXIES', '10.0.0.0/99'],
  ['EMBED_ORIGINS', '*'],
  ['EMBED_ORIGINS', 'https://a.example/path'],
  ['STREAM_MEDIA_ORIGINS', 'a.example'],
  ['WORKERS', '0'],
  ['DEMO', 'yes'],
  ['LOG_LEVEL', 'loud'],
  ['KEYS_SECRET', 'short'],
]

it('refuses each wrong setting by name before it touches anything', async () => {
  /* Four at a time: starting is most of the work. */
  for (let at = 0; at < WRONG.length; at += 4)
    await Promise.all(
      WRONG.slice(at, at + 4).map(async ([name, value], lane) => {
        const dataDir = join(folder, `wrong${at + lane}`)
        expectSentence(await start({ PORT: '0', DATA_DIR: dataDir, [name]: value }), name)
        expect([name, existsSync(dataDir)]).toEqual([name, false])
      }),
    )
}, 180_000)

it('says which port is taken', async () => {
  const port = await freePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  try {
    const dataDir = join(folder, 'taken')
    const end = await start({ PORT: String(port), DATA_DIR: dataDir, DEMO: '0' })
    expectSentence(end, `PORT ${port} is taken`)
    expect(existsSync(dataDir)).toBe(false)
  } finally {
    other.close()
  }
}, 30_000)

it('says that DATA_DIR is a file', async () => {
  const file = join(folder, 'file')
  writeFileSync(file, 'mine')
  expectSentence(await start({ PORT: '0', DATA_DIR: file, DEMO: '0' }), 'DATA_DIR')
}, 30_000)

it('says that DATA_DIR cannot be written', async () => {
  const dataDir = join(folder, 'closed')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o555)
  chmodSync(folder, 0o755)
  /* Root may write everywhere, so the server is started as nobody. */
  const who = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  for (const place of [dataDir, join(dataDir, 'below')])
    expectSentence(await start({ PORT: '0', DATA_DIR: place, DEMO: '0' }, who), 'DATA_DIR')
  expect(readdirSync(dataDir)).toEqual([])
}, 30_000)

it('says that the database cannot be reached, and keeps its password to itself', async () => {
  const url = `postgres://marquee:hidden-word@127.0.0.1:${await freePort()}/marquee`
  const end = await start({ PORT: '0', DATA_DIR: join(folder, 'nodb'), DATABASE_URL: url, DEMO: '0' })
  expectSentence(end, 'DATABASE_URL')
  expect(end.said).not.toContain('hidden-word')
}, 30_000)
