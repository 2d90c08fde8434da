/**
 * Starts the server from exactly the files that the container image contains, read-only and as an unprivileged user.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  assembleContainerTree,
  followImports,
  makeContainerTreeWritable,
  readContainerfile,
} from '../support/container-tree.ts'
import { HttpTestClient } from '../support/http-test-client.ts'
import { readFirstSignIn } from '../support/server-processes.ts'
import { findFreePort, waitUntilReady } from '../support/test-service.ts'

/** Programs that operators run in the container: the server and the commands of docs/operating.md. */
const ENTRY_FILES = [
  'server/main.ts',
  ...[
    'backup',
    'restore',
    'create-admin',
    'allow-passwords',
    'verify-audit',
    'move-database',
    'import',
    'seed',
  ].map((name) => `scripts/${name}.ts`),
]
/** Matches the shared libraries that the base image (gcr.io/distroless/cc-debian13) contains. */
const BASE_LIBRARY_PATTERN =
  /^(linux-vdso|ld-linux.*|libc|libdl|libm|libpthread|librt|libgcc_s|libstdc\+\+|libgomp)$/
const CONTAINER_USER_ID = 65532

const containerImage = readContainerfile()
const folder = mkdtempSync(join(tmpdir(), 'marquee-container-'))
const [root, dataDir] = [join(folder, 'app'), join(folder, 'data')]
let server: ChildProcess
let port = 0
let serverOutput = ''

beforeAll(async () => {
  chmodSync(folder, 0o755)
  mkdirSync(dataDir, { mode: 0o700 })
  assembleContainerTree(containerImage, root)
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(dataDir, CONTAINER_USER_ID, CONTAINER_USER_ID)
  port = await findFreePort()
  server = spawn(process.execPath, containerImage.command, {
    cwd: root,
    env: {
      ...containerImage.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot && { uid: CONTAINER_USER_ID, gid: CONTAINER_USER_ID }),
  })
  for (const stream of [server.stdout, server.stderr]) stream?.on('data', (chunk) => (serverOutput += chunk))
  await waitUntilReady(async () => {
    if (server.exitCode !== null) throw new Error(`the server ended: ${serverOutput}`)
    return (await new HttpTestClient(`http://127.0.0.1:${port}`).get('/api/health/ready')).status === 200
  }, 120_000)
}, 150_000)

afterAll(() => {
  server?.kill('SIGKILL')
  makeContainerTreeWritable(root)
  rmSync(folder, { recursive: true, force: true })
})

it('the container image contains every file that the server and its commands import', () => {
  const missingFiles = [...followImports(ENTRY_FILES).files].filter(
    (file) => !containerImage.copiedPaths.some((path) => file === path || file.startsWith(`${path}/`)),
  )
  expect(missingFiles).toEqual([])
})

it('every package that the server and its commands import is in the dependencies of package.json', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object }
  const { packages } = followImports(ENTRY_FILES)
  expect(packages.size).toBeGreaterThan(3)
  expect([...packages].filter((name) => !Object.hasOwn(dependencies, name))).toEqual([])
})

it.runIf(process.platform === 'linux')(
  'the container image contains every shared library that Node.js needs',
  () => {
    const libraries = execFileSync('ldd', [process.execPath], { encoding: 'utf8' })
      .split('\n')
      .map((line) => /([^/\s]+)\.so\.\d+/.exec(line.trim())?.[1] ?? '')
      .filter(Boolean)
    expect(libraries).toContain('libc')
    expect(
      libraries.filter(
        (name) => !BASE_LIBRARY_PATTERN.test(name) && !containerImage.libraries.includes(name),
      ),
    ).toEqual([])
  },
)

it('the server starts from a read-only tree as an unprivileged user, and accepts a sign-in', async () => {
  const client = new HttpTestClient(`http://127.0.0.1:${port}`)
  const { email, password } = readFirstSignIn([dataDir])
  expect((await client.login(email, password)).status).toBe(200)
  expect((await client.get('/api/movies?limit=1')).body.total_results).toBeGreaterThan(0)
  expect((await client.get('/api/metrics')).status).toBe(404)
  expect(serverOutput).not.toMatch(/EACCES|EROFS|ERR_MODULE_NOT_FOUND/)
})
