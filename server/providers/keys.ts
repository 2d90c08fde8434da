import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** Reads `keys.json` in the data folder, or creates it (mode 0600). Throws in plain words when it is damaged. */
export function loadKeys(dataDir: string): Keys {
  const path = join(dataDir, 'keys.json')
  if (!existsSync(path)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const keys = createKeys()
    writeFileSync(path, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    return keys
  }
  try {
    return z.parse(file, JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new Error(
      'keys.json in DATA_DIR is damaged: restore it from a backup, or remove it to sign everybody out.',
      {
        cause: error,
      },
    )
  }
}
