/** What a start needs from the machine, asked before anything is touched: each lack ends it with one sentence. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { type Config, SettingError } from './config.ts'

/** Throws `SettingError` when the port cannot be listened on. */
export async function requirePort({ host, port }: Config): Promise<void> {
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen({ host, port, exclusive: true }, resolve)
    })
  } catch (error) {
    throw new SettingError(listenError(error as NodeJS.ErrnoException, { host, port }))
  }
  await new Promise((resolve) => probe.close(resolve))
}

export function listenError(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
): string {
  if (error.code === 'EADDRINUSE')
    return `PORT ${port} is taken. Stop what uses it, or set PORT to another number.`
  if (error.code === 'EACCES') return `PORT ${port} may not be used by this user. Set PORT to 1024 or more.`
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine.`
  return `The server could not start: ${error.message}`
}

/** Makes the folder when it is not there. Throws `SettingError` when it cannot be made or written. */
export function requireDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOTDIR' || statSync(dataDir, { throwIfNoEntry: false })?.isFile())
      throw new SettingError(`DATA_DIR ${dataDir} is not a folder.`)
    throw new SettingError(`DATA_DIR ${dataDir} cannot be written (${code}).`)
  }
}

const UNREACHABLE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']
/** SQLSTATE: no such role or wrong password, no such database. */
const REFUSED = ['28P01', '28000', '3D000']

/** The failure of a first question to PostgreSQL, in words; the address of a database holds its password and is not told. */
export function databaseError(error: unknown, url: string | undefined): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!url) return error
  const { hostname, port } = new URL(url)
  if (UNREACHABLE.includes(code))
    return new SettingError(`DATABASE_URL: nothing answers at ${hostname}:${port || 5432} (${code}).`)
  if (REFUSED.includes(code)) return new SettingError(`DATABASE_URL: the database refuses it: ${message}.`)
  return error
}
