import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

const secret = z.string().check(z.regex(/^[A-Za-z0-9_-]{43,}$/))
const file = z.strictObject({
  /** Newest first; older ones still verify, so that a rotation signs nobody out. */
  access: z.array(z.strictObject({ kid: z.string(), secret })).check(z.minLength(1)),
  refresh: secret,
  pepper: secret,
  media: secret,
})

/** Secrets of the installation, base64url, 32 bytes or more each. Never in the database. */
export type Keys = z.infer<typeof file>

const random = () => randomBytes(32).toString('base64url')

export function createKeys(): Keys {
  return {
    access: [{ kid: randomBytes(6).toString('hex'), secret: random() }],
    refresh: random(),
    pepper: random(),
    media: random(),
  }
}

/** The same keys for every process that is given the same secret, on whatever machine (HKDF, RFC 5869). */
export function deriveKeys(secret: string): Keys {
  const key = (name: string) =>
    Buffer.from(hkdfSync('sha256', secret, 'marquee', name, 32)).toString('base64url')
  return {
    access: [{ kid: key('kid').slice(0, 12), secret: key('access') }],
    refresh: key('refresh'),
    pepper: key('pepper'),
    media: key('media'),
  }
}

/** Tells keys apart without giving anything of them away. */
export function fingerprintOf(keys: Keys): string {
  return createHmac('sha256', keys.pepper).update(`fingerprint:${keys.refresh}`).digest('base64url')
}

/**
 * Reads `keys.json` in the data folder, or creates it (mode 0600): of processes that start together, one does, and the
 * others read it. Throws in plain words when it is damaged.
 */
export function loadKeys(dataDir: string): Keys {
  const path = join(dataDir, 'keys.json')
  if (!existsSync(path)) create(path, dataDir)
  try {
    return z.parse(file, JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Error(
      'keys.json in DATA_DIR is damaged: restore it from a backup, or remove it to sign everybody out.',
      { cause: error },
    )
  }
}

/** Written whole under another name first: nobody reads half a file, and a link never replaces what is there. */
function create(path: string, dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${JSON.stringify(createKeys(), null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
}
