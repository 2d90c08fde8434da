/** A read replica, used only while it is known to be no more than a moment behind. */
import type { Pool } from './postgres.ts'

const LOOK_MS = 500
/** A look that does not come back ends the trust after this. */
const TRUST_MS = 1_000
const WORDS = {
  position: 'select pg_current_wal_lsn()::text as position',
  reached: 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached',
}

export interface Replica {
  /** True while the replica has replayed all that the primary had written 1.5 s ago, or less. */
  fresh(): boolean
  stop(): void
}

/**
 * Asks the primary every half second how far it wrote, and the replica half a second later whether it got there. A server
 * that does not know these questions (a distributed one, say) is never trusted: reads go to the primary then.
 */
export function watchReplica(primary: Pool, replica: Pool): Replica {
  let trustedUntil = 0
  let position: string | null = null
  let looking = false
  const look = async () => {
    if (looking) return
    looking = true
    try {
      if (position !== null) {
        const { rows } = await replica.query<{ reached: boolean | null }>(WORDS.reached, [position])
        trustedUntil = rows[0]?.reached ? performance.now() + TRUST_MS : 0
      }
      position = (await primary.query<{ position: string }>(WORDS.position)).rows[0]?.position ?? null
    } catch {
      trustedUntil = 0
      position = null
    } finally {
      looking = false
    }
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  void look()
  return { fresh: () => performance.now() < trustedUntil, stop: () => clearInterval(timer) }
}
