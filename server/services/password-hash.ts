/** argon2id from Node itself, behind a queue: 64 at once would hold two cores for a second (security.md). */
import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Problem } from '../problem.ts'
import { sameText } from './secret.ts'

const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
/** Half of the cores: whoever signs in must not take the event loop's time from everybody else. */
const AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2))
const WAITING = 32
const run = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

let running = 0
const queue: (() => void)[] = []

async function queued<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (queue.length >= WAITING) throw new Problem('overloaded', { retryAfter: 2 })
    await new Promise<void>((resolve) => queue.push(resolve))
  }
  running += 1
  try {
    return await work()
  } finally {
    running -= 1
    queue.shift()?.()
  }
}

/** A PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. Throws 503 when too many wait. */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await queued(() => run('argon2id', { message: password.normalize('NFC'), nonce, ...COST }))
  return `${prefix()}$${base64(nonce)}$${base64(tag)}`
}

/** Whether the password is the one; takes as long when there is no hash, so that nobody learns which accounts exist. */
export async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  const parsed = hash === null ? null : parse(hash)
  const nonce = parsed?.salt ?? Buffer.alloc(16)
  const cost = parsed?.cost ?? COST
  const tag = await queued(() => run('argon2id', { message: password.normalize('NFC'), nonce, ...cost }))
  return parsed !== null && sameText(base64(tag), parsed.hash)
}

/** Whether a stored hash was made with other costs than today's. */
export function needsRehash(hash: string): boolean {
  return !hash.startsWith(`${prefix()}$`)
}

const prefix = () => `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}`
const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function parse(phc: string) {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(phc)
  if (!found?.[4] || !found[5]) throw new Error('a stored password hash is damaged')
  const [memory, passes, parallelism] = [Number(found[1]), Number(found[2]), Number(found[3])]
  const tagLength = Buffer.from(found[5], 'base64').length
  return {
    cost: { memory, passes, parallelism, tagLength },
    salt: Buffer.from(found[4], 'base64'),
    hash: found[5],
  }
}
