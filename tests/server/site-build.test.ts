/** The build of the site during `npm start`, and the server that waits for it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { acceptsConnections, findFreePort, waitUntilReady } from '../support/test-service.ts'

let folder = ''
let childProcess: ChildProcess | undefined
let output = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-build-'))
  childProcess = undefined
  output = ''
})
afterEach(async () => {
  if (childProcess && childProcess.exitCode === null && childProcess.signalCode === null) {
    childProcess.kill('SIGKILL')
    await once(childProcess, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a program whose exit code and output the tests check. */
function startProgram(
  args: string[],
  options: { cwd?: string; env?: Record<string, string>; ipc?: boolean },
) {
  const startedProcess = spawn(process.execPath, args, {
    cwd: options.cwd ?? resolve('.'),
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe', ...(options.ipc ? (['ipc'] as const) : [])],
  })
  for (const stream of [startedProcess.stdout, startedProcess.stderr])
    stream?.on('data', (chunk) => (output += chunk))
  childProcess = startedProcess
  return startedProcess
}

const waitForExitCode = async (startedProcess: ChildProcess): Promise<number | null> =>
  (await once(startedProcess, 'exit'))[0]

describe('npm start', () => {
  /** Creates a project whose packages are installed, and in which the build and the server are the given programs. */
  function createProject(buildSource: string, serverSource: string): void {
    for (const name of ['scripts', 'server', 'dist', 'node_modules/.bin'])
      mkdirSync(join(folder, name), { recursive: true })
    for (const name of ['start.mjs', 'install.mjs', 'site-build.mjs'])
      cpSync(`scripts/${name}`, join(folder, 'scripts', name))
    const nodePackage = {
      version: '26.0.0',
      os: process.platform,
      cpu: process.arch,
      bin: { node: 'bin/node' },
    }
    const lockedPackages = JSON.stringify({ packages: { 'node_modules/node-package': nodePackage } })
    for (const name of ['package-lock.json', 'node_modules/.package-lock.json'])
      writeFileSync(join(folder, name), lockedPackages)
    symlinkSync(process.execPath, join(folder, 'node_modules/.bin/node'))
    writeFileSync(join(folder, 'scripts/site-sources.ts'), `console.log('{"files":[],"config":{}}')`)
    writeFileSync(join(folder, 'scripts/build.ts'), buildSource)
    writeFileSync(join(folder, 'server/main.ts'), serverSource)
  }
  const getStampPath = () => join(folder, 'dist/.stamp')
  const startProject = () => startProgram(['scripts/start.mjs'], { cwd: folder })

  const WAITING_SERVER_SOURCE = `
    console.log('server started', process.argv.slice(2).join())
    process.once('message', () => console.log('server continues'))`

  it('starts the server during the build, and the server continues to run after the build', async () => {
    createProject(
      `import { existsSync } from 'node:fs'
       const timer = setInterval(() => existsSync('started') && (clearInterval(timer), console.log('built')), 20)`,
      `import { writeFileSync } from 'node:fs'
       ${WAITING_SERVER_SOURCE}
       writeFileSync('started', '')`,
    )
    expect(await waitForExitCode(startProject())).toBe(0)
    await expect
      .poll(() => output)
      .toMatch(/server started --wait-for-site[\s\S]*built[\s\S]*server continues/)
    expect(existsSync(getStampPath())).toBe(true)
  })

  it('starts the server without waiting when the site is current', async () => {
    createProject(`console.log('built')`, WAITING_SERVER_SOURCE)
    await waitForExitCode(startProject())
    output = ''
    expect(await waitForExitCode(startProject())).toBe(0)
    await expect.poll(() => output).toBe('server started \n')
  })

  it('stops the server and exits with the code of the build when the build fails', async () => {
    createProject('process.exit(3)', WAITING_SERVER_SOURCE)
    writeFileSync(getStampPath(), 'hash of an earlier build')
    expect(await waitForExitCode(startProject())).toBe(3)
    expect(output).not.toContain('server continues')
    expect(existsSync(getStampPath())).toBe(false)
  })

  it('stops the build and the programs that the build started when the server cannot start', async () => {
    createProject(
      `import { spawnSync } from 'node:child_process'
       spawnSync(process.execPath, ['-e', 'fs.writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000)'])`,
      `import { existsSync } from 'node:fs'
       setInterval(() => existsSync('pid') && process.exit(1), 20)`,
    )
    expect(await waitForExitCode(startProject())).toBe(1)
    const programProcessId = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    await expect.poll(() => isRunning(programProcessId)).toBe(false)
    expect(existsSync(getStampPath())).toBe(false)
  })
})

function isRunning(processId: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${processId}/status`, 'utf8'))
  } catch {
    return false
  }
}

describe('a server with --wait-for-site', () => {
  async function startServer() {
    const port = await findFreePort()
    const env = {
      PORT: String(port),
      DATA_DIR: folder,
      DEMO: '0',
      LOG_LEVEL: 'error',
      PASSWORD_HASH_COST: 'test',
    }
    const server = startProgram(['server/main.ts', '--wait-for-site'], { env, ipc: true })
    await expect.poll(() => existsSync(join(folder, 'first-sign-in.txt')), { timeout: 50_000 }).toBe(true)
    return { port, server }
  }

  it('prepares the database first and listens when the site is built', async () => {
    const { port, server } = await startServer()
    expect(await acceptsConnections(port)).toBe(false)
    server.send('site is built', () => server.disconnect())
    await waitUntilReady(() => acceptsConnections(port), 50_000)
    await expect.poll(() => output).toContain(`is at http://127.0.0.1:${port}`)
  })

  it('exits when npm start ends before the site is built', async () => {
    const { server } = await startServer()
    server.disconnect()
    expect(await waitForExitCode(server)).toBe(1)
  })
})
