/** What this device remembers of the last viewer, so that the site opens when the network is off (docs/offline.md). */
import type { User } from '../contract/auth.ts'

const USER = 'marquee-user'
const LEFT = 'marquee-left'
const READS = 'marquee-reads'
const PICTURES = 'marquee-pictures'

/** The caches of reads: one per account and profile; without a profile, all of them. */
export const readsOf = (account: string, profile: string | null) => `${READS} ${account} ${profile ?? '-'}`

export function rememberedUser(): User | null {
  try {
    return JSON.parse(globalThis.localStorage?.getItem(USER) ?? 'null') as User | null
  } catch {
    return null
  }
}

/** Another account than before: nothing of the one before stays. */
export function rememberUser(user: User): void {
  const before = rememberedUser()
  if (before && before.user_id !== user.user_id) forgetKept()
  globalThis.localStorage?.setItem(USER, JSON.stringify(user))
}

export function forgetUser(): void {
  globalThis.localStorage?.removeItem(USER)
  forgetKept()
}

/** Reads and pictures of everybody, or the reads of one profile. */
export function forgetKept(profile?: string): void {
  const mine = (name: string) =>
    profile === undefined ? name.startsWith(READS) || name === PICTURES : name.endsWith(` ${profile}`)
  void globalThis.caches
    ?.keys()
    .then((names) => Promise.all(names.filter(mine).map((name) => caches.delete(name))))
}

/** Signing out while the server could not hear it; it is told before anybody is let in again. */
export const leftUnheard = {
  get: () => globalThis.localStorage?.getItem(LEFT) === '1',
  set: () => globalThis.localStorage?.setItem(LEFT, '1'),
  clear: () => globalThis.localStorage?.removeItem(LEFT),
}
