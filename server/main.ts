/** Opens everything in order, serves, and stops gracefully. */
import { mkdirSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { createApp } from './app.ts'
import { type Config, loadConfig, SettingError } from './config.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import type { Deps } from './deps.ts'
import { createLog } from './http/log.ts'
import { loadKeys } from './providers/keys.ts'

/** Running requests get this long after SIGTERM. */
const DRAIN_MS = 8_000

export async function openDeps(config: Config): Promise<{ deps: Deps; stop: () => void }> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  let stopping = false
  const database = openDatabase({ dataDir: config.dataDir, url: config.databaseUrl })
  await migrate(database)
  const deps: Deps = {
    config,
    database,
    keys: loadKeys(config.dataDir),
    log: createLog(config.logLevel),
    now: Date.now,
    stopping: () => stopping,
  }
  return {
    deps,
    stop: () => {
      stopping = true
    },
  }
}

async function main(): Promise<void> {
  const config = loadConfig()
  const { deps, stop } = await openDeps(config)
  const app = createApp(deps)
  const server = serve({ fetch: app.fetch, hostname: config.host, port: config.port })
  server.on('error', (error: NodeJS.ErrnoException) => fail(listenError(error, config)))
  server.on('listening', () => deps.log.info('listening', { address: config.publicUrl.href }))
  let signals = 0
  const leave = () => {
    signals += 1
    if (signals > 1) process.exit(1)
    stop()
    server.close(() => deps.database.close().then(() => process.exit(0)))
    setTimeout(() => process.exit(0), DRAIN_MS).unref()
  }
  process.on('SIGTERM', leave)
  process.on('SIGINT', leave)
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): string {
  if (error.code === 'EADDRINUSE')
    return `PORT ${port} is taken. Stop what uses it, or set PORT to another number.`
  if (error.code === 'EACCES') return `PORT ${port} may not be used by this user. Set PORT to 1024 or more.`
  if (error.code === 'EADDRNOTAVAIL') return `HOST ${host} is not an address of this machine.`
  return `The server could not start: ${error.message}`
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

if (import.meta.main) {
  main().catch((error: unknown) => {
    if (error instanceof SettingError) fail(error.message)
    const { code, path, message } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
      fail(`DATA_DIR cannot be written: ${path ?? message}`)
    fail(message)
  })
}
