/** What an administrator does, and what is said of it: done with Undo where there is one, or why it failed. */
import { ApiError } from '../../client/errors.ts'
import type { Key } from '../../i18n/keys.ts'
import { type Toast, toast } from '../toast.ts'

/** Refusals that have words of their own, by `field:code` of the error object. */
const REASONS: Record<string, Key> = {
  'role:last_admin': 'dashboard:lastAdmin',
  'job:running': 'dashboard:alreadyRunning',
  'block:already_there': 'dashboard:alreadyBlocked',
  'cache:not_configured': 'dashboard:notSetUp',
}

export function reasonOf(error: unknown): Key {
  if (!(error instanceof ApiError)) return 'dashboard:failed'
  if (error.status === 0) return 'dashboard:offline'
  for (const [field, codes] of Object.entries(error.errors))
    for (const code of codes) {
      const known = REASONS[`${field}:${code}`]
      if (known) return known
    }
  if (error.status === 404) return 'dashboard:gone'
  if (error.status === 422 || error.status === 400) return 'dashboard:invalid'
  return 'dashboard:failed'
}

type Said = Partial<Pick<Toast, 'values' | 'undo'>>

/** Does it and says so: done, or why not. */
export async function act(done: Key, work: () => Promise<unknown>, said: Said = {}): Promise<void> {
  const refused = await submit(done, work, said)
  if (refused) toast(refused, { kind: 'bad' })
}

/** The same for a form that stays open: a refusal is for the form to show, over which no toast is seen. */
export async function submit(done: Key, work: () => Promise<unknown>, said: Said = {}): Promise<Key | null> {
  try {
    await work()
    toast(done, said)
    return null
  } catch (error) {
    return reasonOf(error)
  }
}
