/** Startup errors: the server prints one line and exits with code 1. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig, SettingError } from '../../server/core/config.ts'
import { convertDatabaseError, ensureDataDir } from '../../server/preflight.ts'
import { findFreePort } from '../support/test-service.ts'

const SERVER_SCRIPT = resolve('server/main.ts')
let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-start-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface ExitResult {
  exitCode: number | null
  output: string
}

const BASE_ENV = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  LOG_LEVEL: 'warn',
}

/**
 * Code that runs in the server process before the server starts. If the tests run as root, it changes the user of the
 * process to `nobody`. It loads the modules of the server first: `nobody` may not read the compile cache of root, and
 * loading without this cache takes several times as long.
 */
const BECOME_NOBODY_SOURCE = `
  await import('${pathToFileURL(resolve('server/app.ts'))}')
  await import('${pathToFileURL(resolve('server/create-deps.ts'))}')
  process.setgroups([])
  process.setgid(65534)
  process.setuid(65534)`
const NOBODY_ARGUMENTS =
  process.getuid?.() === 0
    ? ['--import', `data:text/javascript,${encodeURIComponent(BECOME_NOBODY_SOURCE)}`]
    : []

/**
 * Returns a command that limits the size of each file that the process writes, in KiB. A write beyond the limit fails
 * as on a full disk.
 */
const createFileLimitCommand = (sizeKib: number) => [
  'bash',
  '-c',
  `ulimit -f ${sizeKib} && exec "$@"`,
  'bash',
]

/** Starts the server with only the given environment and BASE_ENV, and resolves when it exits. */
function runServer(
  env: Record<string, string>,
  {
    cwd,
    nodeArguments = [],
    wrapperCommand = [],
  }: { cwd?: string; nodeArguments?: string[]; wrapperCommand?: string[] } = {},
): Promise<ExitResult> {
  return new Promise((resolve, reject) => {
    const [program = '', ...programArguments] = [
      ...wrapperCommand,
      process.execPath,
      ...nodeArguments,
      SERVER_SCRIPT,
    ]
    const serverProcess = spawn(program, programArguments, {
      env: { ...BASE_ENV, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
    })
    let output = ''
    for (const stream of [serverProcess.stdout, serverProcess.stderr])
      stream.on('data', (chunk) => (output += chunk))
    const killTimer = setTimeout(() => serverProcess.kill('SIGKILL'), 50_000)
    serverProcess.on('error', reject)
    serverProcess.on('close', (exitCode) => {
      clearTimeout(killTimer)
      resolve({ exitCode, output: output.trim() })
    })
  })
}

/** Expects exit code 1 and one line that contains `subject`, without a stack trace or the name of an error class. */
function expectOneErrorLine({ exitCode, output }: ExitResult, subject: string): void {
  expect([subject, exitCode], output).toEqual([subject, 1])
  expect(output.split('\n'), subject).toHaveLength(1)
  expect(output).toContain(subject)
  expect(output).toMatch(/[.:] ?\S*$|\.$/)
  expect(output).not.toMatch(/\bat .*:\d+:\d+|node:|Error:/)
}

const INVALID_SETTINGS: [string, string][] = [
  ['PORT', 'eighty'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['FFMPEG_PATH', '/nowhere/ffmpeg'],
  ['DATABASE_URL', 'mysql://db/x'],
  ['DATABASE_URL', 'nonsense'],
  ['REDIS_URL', 'http://redis'],
  ['PUBLIC_URL', 'home.example.org'],
  ['PUBLIC_URL', 'ftp://home.example.org'],
  ['PUBLIC_URL', 'https://home.example.org/films'],
  ['PUBLIC_URL', 'https://home.example.org/?films'],
  ['PUBLIC_URL', 'https://home.example.org/#films'],
  ['PUBLIC_URL', 'https://name@home.example.org'],
  ['IMAGE_BASE_URL', 'https://images.example.org/?size='],
  ['TMDB_API_URL', 'https://tmdb.example.org/3#v'],
  ['TRUSTED_PROXIES', 'nginx'],
  ['TRUSTED_PROXIES', '10.0.0.0/99'],
  ['EMBED_ORIGINS', '*'],
  ['EMBED_ORIGINS', 'https://a.example/path'],
  ['API_ORIGIN', 'api.example.org'],
  ['API_ORIGIN', 'https://example.org/marquee'],
  ['STREAM_MEDIA_ORIGINS', 'a.example'],
  ['PUSH_ORIGINS', 'a.example'],
  ['WORKERS', '0'],
  ['DEMO', 'yes'],
  ['LOG_LEVEL', 'loud'],
  ['KEYS_SECRET', 'short'],
]

it.each(INVALID_SETTINGS)(
  '%s=%s is rejected with one sentence that contains the name of the setting',
  (settingName, settingValue) => {
    const readInvalidConfig = () => readConfig({ PORT: '0', [settingName]: settingValue })
    expect(readInvalidConfig).toThrow(SettingError)
    expect(readInvalidConfig).toThrow(settingName)
    expect(readInvalidConfig).toThrow(/^[^\n]+[.:] ?\S*$/)
  },
)

it.each(['https://home.example.org', 'https://home.example.org/'])(
  'PUBLIC_URL=%s is accepted',
  (publicUrl) => {
    expect(readConfig({ PUBLIC_URL: publicUrl }).publicUrl.href).toBe('https://home.example.org/')
  },
)

it('readConfig removes the trailing slash of API_ORIGIN', () => {
  expect(readConfig({ API_ORIGIN: 'https://api.example.org:8443/' }).apiOrigin).toBe(
    'https://api.example.org:8443',
  )
})

it('the server exits with an error that names the invalid setting, before it creates the data folder', async () => {
  const dataDir = join(folder, 'wrong')
  expectOneErrorLine(await runServer({ PORT: 'eighty', DATA_DIR: dataDir }), 'PORT')
  expect(existsSync(dataDir)).toBe(false)
})

it('the server reads .env of the working folder, and environment variables take precedence', async () => {
  const cwd = join(folder, 'with-env-file')
  mkdirSync(cwd)
  writeFileSync(join(cwd, '.env'), 'PORT=eighty\nPUBLIC_URL=ftp://home.example.org\n')
  expectOneErrorLine(await runServer({ DATA_DIR: join(cwd, 'data') }, { cwd }), 'PORT')
  expectOneErrorLine(await runServer({ DATA_DIR: join(cwd, 'data'), PORT: '0' }, { cwd }), 'PUBLIC_URL')
})

it('the server exits with an error that contains the port when the port is in use', async () => {
  const port = await findFreePort()
  const portOwner = createServer()
  await new Promise<void>((resolve) => portOwner.listen(port, '127.0.0.1', resolve))
  try {
    const dataDir = join(folder, 'taken')
    const exitResult = await runServer({ PORT: String(port), DATA_DIR: dataDir, DEMO: '0' })
    expectOneErrorLine(exitResult, `PORT ${port} is taken`)
    expect(existsSync(dataDir)).toBe(false)
  } finally {
    portOwner.close()
  }
})

it('the server exits with an error if DATA_DIR is a file', async () => {
  const filePath = join(folder, 'file')
  writeFileSync(filePath, 'mine')
  expectOneErrorLine(await runServer({ PORT: '0', DATA_DIR: filePath, DEMO: '0' }), 'DATA_DIR')
})

it('the server exits with an error if DATA_DIR is not writable', async () => {
  const dataDir = join(folder, 'closed')
  mkdirSync(dataDir)
  chmodSync(dataDir, 0o555)
  chmodSync(folder, 0o755)
  // Root can write to every folder, so the server does not run as root.
  for (const path of [dataDir, join(dataDir, 'below')]) {
    const env = { PORT: '0', DATA_DIR: path, DEMO: '0' }
    expectOneErrorLine(await runServer(env, { nodeArguments: NOBODY_ARGUMENTS }), 'DATA_DIR')
  }
  expect(readdirSync(dataDir)).toEqual([])
})

it('a DATA_DIR whose path is too long for SQLite is rejected before it is created', () => {
  const dataDir = join(folder, ...Array.from({ length: 4 }, () => 'مجلد'.repeat(20)))
  expect(() => ensureDataDir(dataDir)).toThrow(/^DATA_DIR must be a path of at most \d+ bytes, not \d+\.$/)
  expect(readdirSync(folder).filter((name) => name.startsWith('مجلد'))).toEqual([])
})

it('the server exits with an error that names the remedy when the database cannot be written', async () => {
  const env = { PORT: '0', DATA_DIR: join(folder, 'full'), DEMO: '0' }
  const exitResult = await runServer(env, { wrapperCommand: createFileLimitCommand(100) })
  expectOneErrorLine(exitResult, 'DATA_DIR or the database cannot be written: ')
  expect(exitResult.output).toContain('Free some space on the disk')
})

it('the server reports keys.json as unreadable, and not as damaged, if the file cannot be read', async () => {
  const dataDir = join(folder, 'unreadable-keys')
  mkdirSync(join(dataDir, 'keys.json'), { recursive: true })
  const exitResult = await runServer({ PORT: '0', DATA_DIR: dataDir, DEMO: '0' })
  expectOneErrorLine(exitResult, 'keys.json in DATA_DIR cannot be read (EISDIR)')
  expect(exitResult.output).not.toContain('delete')
})

it('if the database is unreachable, the server exits with an error that does not contain the password', async () => {
  const url = `postgres://marquee:hidden-word@127.0.0.1:${await findFreePort()}/marquee`
  const exitResult = await runServer({
    PORT: '0',
    DATA_DIR: join(folder, 'nodb'),
    DATABASE_URL: url,
    DEMO: '0',
  })
  expectOneErrorLine(exitResult, 'DATABASE_URL')
  expect(exitResult.output).not.toContain('hidden-word')
})

it.each([
  ['57P03', 'the database system is starting up'],
  ['53300', 'sorry, too many clients already'],
  ['ECONNRESET', 'read ECONNRESET'],
])('for the database error %s, the start error names DATABASE_URL and the cause', (code, message) => {
  const error = Object.assign(new Error(message), { code })
  expect(convertDatabaseError(error, 'postgres://marquee:hidden-word@db/marquee')).toEqual(
    new SettingError(`DATABASE_URL: the server cannot be used at the moment: ${message}.`),
  )
})
