import type { Deps } from '../deps.ts'
import { titlesByIds } from '../queries/catalogue.ts'
import { accountOfLogin } from '../queries/login.ts'
import { profilesOfAccount } from '../queries/profile.ts'
import type { MediaClaim } from './stream.ts'

/** Answers are kept so long: a revoked device stops within it. */
const KEPT_MS = 1_000
const kept = new Map<string, { until: number; answer: boolean }>()

/** Whether the login behind a signed address still lives and the profile acting on it may still see the title. */
export async function mayStillWatch(deps: Deps, claim: MediaClaim): Promise<boolean> {
  const key = `${claim.sid} ${claim.titleId}`
  const before = kept.get(key)
  if (before && before.until > deps.now()) return before.answer
  const answer = await ask(deps, claim)
  if (kept.size > 1_000) kept.clear()
  kept.set(key, { until: deps.now() + KEPT_MS, answer })
  return answer
}

async function ask(deps: Deps, { sid, titleId }: MediaClaim): Promise<boolean> {
  const found = await accountOfLogin(deps.database.primary, sid, deps.now())
  if (!found || found.account.blocked) return false
  const profiles = await profilesOfAccount(deps.database.primary, found.account.account_id)
  const acting = profiles.find((one) => one.profile_id === found.login.active_profile_id)
  const kids = acting ? acting.kids === 1 : !profiles.some((one) => !one.kids && !one.pin_hash)
  return (await titlesByIds(deps.database.reader, { kids }, [titleId])).length === 1
}
