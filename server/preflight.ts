/**
 * Checks at startup that the port, the data folder and the database can be used. Each failure is reported as a short
 * message for the operator.
 */
import { accessSync, constants, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { type Config, SettingError } from './core/config.ts'
import { isDatabaseUnavailable, isStorageFault } from './core/database-unavailable.ts'
import { createPrivateFolder } from './core/file-owner.ts'

/** Throws `SettingError` when the server cannot listen on the port. */
export async function checkPortAvailable({ host, port }: Config): Promise<void> {
  const probeServer = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probeServer.once('error', reject)
      probeServer.listen({ host, port, exclusive: true }, resolve)
    })
  } catch (error) {
    throw new SettingError(describeListenError(error as NodeJS.ErrnoException, { host, port }))
  }
  await new Promise((resolve) => probeServer.close(resolve))
}

/** Returns the message that the operator sees when the server cannot listen on its port. */
export function describeListenError(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<Config, 'host' | 'port'>,
): string {
  if (error.code === 'EADDRINUSE')
    return `PORT ${port} is taken. Stop the program that uses it, or set PORT to another number.`
  if (error.code === 'EACCES') return `PORT ${port} may not be used by this user. Set PORT to 1024 or more.`
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine.`
  return `The server could not start: ${error.message}`
}

/**
 * SQLite opens paths of at most 512 bytes. The longest path in the data folder, a journal of a partial backup, has up
 * to 160 bytes after the data folder.
 */
const MAX_DATA_DIR_BYTES = 350

/**
 * Creates the folder if it is missing. Throws `SettingError` when its path is too long, or when it cannot be created or
 * written.
 */
export function ensureDataDir(dataDir: string): void {
  if (Buffer.byteLength(dataDir) > MAX_DATA_DIR_BYTES)
    throw new SettingError(
      `DATA_DIR must be a path of at most ${MAX_DATA_DIR_BYTES} bytes, not ${Buffer.byteLength(dataDir)}.`,
    )
  try {
    createPrivateFolder(dataDir)
    accessSync(dataDir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOTDIR' || statSync(dataDir, { throwIfNoEntry: false })?.isFile())
      throw new SettingError(`DATA_DIR ${dataDir} is not a folder.`)
    throw new SettingError(`DATA_DIR ${dataDir} cannot be written (${code}).`)
  }
}

const UNREACHABLE_ERROR_CODES = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]
/** SQLSTATE codes, in this order: wrong password, rejected role, unknown database. */
const REJECTED_SQLSTATES = ['28P01', '28000', '3D000']

/**
 * Returns a `SettingError` that explains why PostgreSQL cannot be used, or the error itself for any other cause.
 * The message never contains the database URL, because the URL holds the password. `settingName` is the variable or the
 * option that contains the URL.
 */
export function convertDatabaseError(
  error: unknown,
  url: string | undefined,
  settingName = 'DATABASE_URL',
): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!url) return error
  const { hostname, port } = new URL(url)
  if (UNREACHABLE_ERROR_CODES.includes(code))
    return new SettingError(`${settingName}: no server responds at ${hostname}:${port || 5432} (${code}).`)
  if (REJECTED_SQLSTATES.includes(code))
    return new SettingError(`${settingName}: the server rejects the connection: ${message}.`)
  if (isDatabaseUnavailable(error) && !isStorageFault(error))
    return new SettingError(`${settingName}: the server cannot be used at the moment: ${message}.`)
  return error
}

/** Returns the message that the operator sees after an error that ends the server or a command. */
export function describeFatalError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path, message } = error as NodeJS.ErrnoException
  if (error instanceof SettingError) return message
  if (isStorageFault(error) || isStorageFault(error.cause))
    return `DATA_DIR or the database cannot be written: ${message}. Free some space on the disk or make it writable, then try again.`
  if (code === 'EACCES' || code === 'EPERM') return `DATA_DIR cannot be written: ${path ?? message}`
  return message
}
