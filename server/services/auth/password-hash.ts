/**
 * Hashes passwords with argon2id of Node.js. A queue limits the concurrent hashes, because 64 concurrent hashes
 * would block two cores for a second (security.md). A requester is an account, an invitation, or the network
 * address of a device that is not signed in. The requesters take turns, so that none of them blocks the others.
 */
import { type Argon2Parameters, argon2, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Problem } from '../../core/problem.ts'
import type { Deps } from '../deps.ts'
import { timingSafeEqualText } from './secret.ts'

const COST_PARAMETERS = {
  full: { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 },
  test: { memory: 8, passes: 1, parallelism: 1, tagLength: 32 },
} as const
type HashDeps = { config: Pick<Deps['config'], 'passwordHashCost'> }
const getCostParameters = ({ config }: HashDeps) => COST_PARAMETERS[config.passwordHashCost]
/**
 * Maximum number of hashes that run at the same time: half of the cores, so that sign-ins do not slow down other
 * requests.
 */
const MAX_CONCURRENT_HASHES = Math.max(1, Math.floor(availableParallelism() / 2))
const MAX_QUEUED_HASHES = 32
const runArgon2 = promisify(argon2) as (
  algorithm: 'argon2id',
  parameters: Argon2Parameters,
) => Promise<Buffer>

interface QueuedHash {
  start: () => void
  reject: (problem: Problem) => void
}

let runningHashCount = 0
let queuedHashCount = 0
/** Queued hashes by requester. The requester whose hash starts next comes first. */
const queuedHashesByRequester = new Map<string, QueuedHash[]>()
const createOverloadedProblem = () => new Problem('overloaded', { retryAfterSeconds: 2 })

async function runQueuedHash<T>(requesterKey: string, computeHash: () => Promise<T>): Promise<T> {
  if (runningHashCount < MAX_CONCURRENT_HASHES) runningHashCount += 1
  else await waitForHashTurn(requesterKey)
  try {
    return await computeHash()
  } finally {
    const nextHash = dequeueHash()
    // The next queued hash starts here, and the number of running hashes stays the same. A new request
    // therefore cannot start before the queued hash.
    if (nextHash) nextHash.start()
    else runningHashCount -= 1
  }
}

function waitForHashTurn(requesterKey: string): Promise<void> {
  const queuedHashes = queuedHashesByRequester.get(requesterKey) ?? []
  if (queuedHashCount >= MAX_QUEUED_HASHES) rejectHashOfBusiestRequester(queuedHashes.length + 1)
  queuedHashesByRequester.set(requesterKey, queuedHashes)
  queuedHashCount += 1
  return new Promise((start, reject) => queuedHashes.push({ start, reject }))
}

/**
 * Rejects the newest hash of the requester with the most queued hashes, so that one requester cannot keep others from
 * signing in. `requesterHashCount` is the number of queued hashes of the requester who asks for a new hash, including
 * the new one. Throws 503 if no other requester has more queued hashes.
 */
function rejectHashOfBusiestRequester(requesterHashCount: number): void {
  let busiestRequesterHashes: QueuedHash[] = []
  for (const queuedHashes of queuedHashesByRequester.values())
    if (queuedHashes.length > busiestRequesterHashes.length) busiestRequesterHashes = queuedHashes
  if (busiestRequesterHashes.length <= requesterHashCount) throw createOverloadedProblem()
  queuedHashCount -= 1
  busiestRequesterHashes.pop()?.reject(createOverloadedProblem())
}

/**
 * Removes and returns the next hash of the first requester, and moves that requester to the end of the queue. Returns
 * undefined when no hash is queued.
 */
function dequeueHash(): QueuedHash | undefined {
  for (const [requesterKey, queuedHashes] of queuedHashesByRequester) {
    const nextHash = queuedHashes.shift()
    queuedHashCount -= 1
    queuedHashesByRequester.delete(requesterKey)
    if (queuedHashes.length > 0) queuedHashesByRequester.set(requesterKey, queuedHashes)
    return nextHash
  }
  return undefined
}

/**
 * Returns a PHC string: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. `requesterKey` is the id of the account or invitation,
 * or the key of the network address, that asks for the hash. When the queue is full, a hash of the requester with the
 * most queued hashes is rejected with 503.
 */
export async function hashPassword(deps: HashDeps, requesterKey: string, password: string): Promise<string> {
  const nonce = randomBytes(16)
  const tag = await runQueuedHash(requesterKey, () =>
    runArgon2('argon2id', { message: password.normalize('NFC'), nonce, ...getCostParameters(deps) }),
  )
  return `${createHashPrefix(deps)}$${encodeBase64(nonce)}$${encodeBase64(tag)}`
}

/**
 * True when the password matches. The check takes the same time without a hash (null, or empty for an account without a
 * password). The response time therefore does not reveal which accounts exist. When the queue is full, a hash of the
 * requester with the most queued hashes is rejected with 503.
 */
export async function verifyPassword(
  deps: HashDeps,
  requesterKey: string,
  { password, hash }: { password: string; hash: string | null },
): Promise<boolean> {
  const parsedHash = hash === null || hash === '' ? null : parsePhcString(hash)
  const nonce = parsedHash?.salt ?? Buffer.alloc(16)
  const cost = parsedHash?.cost ?? getCostParameters(deps)
  const tag = await runQueuedHash(requesterKey, () =>
    runArgon2('argon2id', { message: password.normalize('NFC'), nonce, ...cost }),
  )
  return parsedHash !== null && timingSafeEqualText(encodeBase64(tag), parsedHash.hash)
}

/** True when the cost parameters of a stored hash differ from the current cost parameters. */
export function needsRehash(deps: HashDeps, hash: string): boolean {
  return !hash.startsWith(`${createHashPrefix(deps)}$`)
}

function createHashPrefix(deps: HashDeps): string {
  const { memory, passes, parallelism } = getCostParameters(deps)
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}`
}
const encodeBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function parsePhcString(phcString: string) {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(phcString)
  if (!match?.[4] || !match[5]) throw new Error('stored password hash is malformed')
  const [memory, passes, parallelism] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const tagLength = Buffer.from(match[5], 'base64').length
  return {
    cost: { memory, passes, parallelism, tagLength },
    salt: Buffer.from(match[4], 'base64'),
    hash: match[5],
  }
}
