import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { SettingError } from '../core/config.ts'
import { copyOwner, createPrivateFolder } from '../core/file-owner.ts'
import { completePartialFile, getPartialPath, syncToDisk } from '../core/partial-file.ts'

export const KEYS_FILE_NAME = 'keys.json'

const secretSchema = z.string().check(z.regex(/^[A-Za-z0-9_-]{43,}$/))
const keysFileSchema = z.strictObject({
  /** The newest key is the first. Older keys still verify tokens, so that a rotation of the keys signs nobody out. */
  access: z.array(z.strictObject({ kid: z.string(), secret: secretSchema })).check(z.minLength(1)),
  refresh: secretSchema,
  pepper: secretSchema,
  media: secretSchema,
  /** Id of the database that these keys belong to. It is recorded at the first start. */
  database_id: z.optional(z.string()),
})

/** Secrets of the installation: base64url, at least 32 bytes each. They are never stored in the database. */
export type InstallationKeys = z.infer<typeof keysFileSchema>

const createSecret = () => randomBytes(32).toString('base64url')

export function createKeys(): InstallationKeys {
  return {
    access: [{ kid: randomBytes(6).toString('hex'), secret: createSecret() }],
    refresh: createSecret(),
    pepper: createSecret(),
    media: createSecret(),
  }
}

/** Derives the keys from one secret, so that processes on several machines share them (HKDF, RFC 5869). */
export function deriveKeys(secret: string): InstallationKeys {
  const deriveKey = (keyName: string) =>
    Buffer.from(hkdfSync('sha256', secret, 'marquee', keyName, 32)).toString('base64url')
  return {
    access: [{ kid: deriveKey('kid').slice(0, 12), secret: deriveKey('access') }],
    refresh: deriveKey('refresh'),
    pepper: deriveKey('pepper'),
    media: deriveKey('media'),
  }
}

/** Returns a value by which keys can be compared. It reveals nothing about the keys. */
export function fingerprintKeys(keys: InstallationKeys): string {
  return createHmac('sha256', keys.pepper).update(`fingerprint:${keys.refresh}`).digest('base64url')
}

/**
 * Reads `keys.json` in the data folder, or creates it (mode 0600). If several processes start together, one of them
 * creates the file and the others read it. Throws if the file cannot be read or is damaged.
 */
export function loadKeys(dataDir: string): InstallationKeys {
  const path = getKeysPath(dataDir)
  if (!existsSync(path)) createKeysFile(path, dataDir)
  return readKeysFile(path)
}

const getKeysPath = (dataDir: string) => join(dataDir, KEYS_FILE_NAME)

function readKeysFile(path: string): InstallationKeys {
  let fileText: string
  try {
    fileText = readFileSync(path, 'utf8')
  } catch (error) {
    // The file may be intact. If the message said that it is damaged, operators would delete it.
    const { code } = error as NodeJS.ErrnoException
    throw new SettingError(
      `keys.json in DATA_DIR cannot be read (${code}). The server must be able to read it.`,
      { cause: error },
    )
  }
  try {
    return z.parse(keysFileSchema, JSON.parse(fileText))
  } catch (error) {
    throw new Error(
      'keys.json in DATA_DIR is damaged: restore it from a backup, or delete it to sign out all users.',
      { cause: error },
    )
  }
}

/**
 * Returns the id of the database to which the keys in the data folder belong. Returns null when the folder has no
 * keys, or when the id is not recorded.
 */
export function readRecordedDatabaseId(dataDir: string): string | null {
  const path = getKeysPath(dataDir)
  return existsSync(path) ? (readKeysFile(path).database_id ?? null) : null
}

/**
 * Records in an existing keys file to which database the keys belong. Null removes the record, so that the
 * next start records the database that it finds.
 */
export function recordDatabaseId(dataDir: string, databaseId: string | null): void {
  const path = getKeysPath(dataDir)
  if (!existsSync(path)) return
  const { database_id: recordedId = null, ...keys } = readKeysFile(path)
  if (recordedId === databaseId) return
  const partialPath = getPartialPath(path)
  try {
    const keysFileContent = { ...keys, ...(databaseId !== null && { database_id: databaseId }) }
    const jsonText = `${JSON.stringify(keysFileContent, null, 2)}\n`
    writeFileSync(partialPath, jsonText, { mode: 0o600 })
    copyOwner(path, partialPath)
    completePartialFile(partialPath, path)
  } finally {
    rmSync(partialPath, { force: true })
  }
}

/**
 * Writes a partial file and creates `path` as a hard link to it. So no process can read an incomplete file, and an
 * existing file is never replaced.
 */
function createKeysFile(path: string, dataDir: string): void {
  createPrivateFolder(dataDir)
  const partialPath = getPartialPath(path)
  try {
    writeFileSync(partialPath, `${JSON.stringify(createKeys(), null, 2)}\n`, { mode: 0o600, flush: true })
    copyOwner(dataDir, partialPath)
    linkSync(partialPath, path)
    syncToDisk(dataDir)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(partialPath, { force: true })
  }
}
