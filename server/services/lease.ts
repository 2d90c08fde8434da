/** Work that only one process of the installation does at a time. The database decides, never Redis, which may forget. */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../db/open.ts'
import { giveLease, takeLease } from '../queries/lease.ts'

const HELD_MS = 15_000
const LOOK_MS = 250
const me = randomUUID()

/** Runs `work` unless another process runs work of this name now: then undefined. Within this process, ask once at a time. */
export async function alone<T>(db: Db, name: string, work: () => Promise<T>): Promise<T | undefined> {
  const take = () => takeLease(db, { name, holder: me, forMs: HELD_MS })
  if (!(await take())) return undefined
  const longer = setInterval(() => void take().catch(() => {}), HELD_MS / 3)
  longer.unref()
  try {
    return await work()
  } finally {
    clearInterval(longer)
    await giveLease(db, name, me).catch(() => {})
  }
}

/** The same, waiting until nobody else is at it. */
export async function aloneInTurn<T>(db: Db, name: string, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await alone(db, name, async () => ({ value: await work() }))
    if (done) return done.value
    await pause(LOOK_MS)
  }
}
