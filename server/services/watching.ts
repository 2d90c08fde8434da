/** Whether somebody may still watch: asked before the first byte, and again and again while bytes flow. */
import type { Deps } from '../deps.ts'
import { liveLogin } from '../queries/caller.ts'
import { titlesByIds } from '../queries/catalogue.ts'
import type { MediaClaim } from './stream-claim.ts'

export type Watching = Pick<MediaClaim, 'sid' | 'profileId' | 'titleId'>

/** Answers are kept so long; with the look that running streams take, a revoked device stops within five seconds. */
const KEPT_MS = 1_000
const MOST_KEPT = 5_000
const kept = new WeakMap<Deps, Map<string, { until: number; answer: Promise<boolean> }>>()

export const watchingKey = ({ sid, profileId, titleId }: Watching) => `${sid} ${profileId} ${titleId}`

/** Whether the login behind a signed address still lives, and its profiles may still see the title. */
export function mayStillWatch(deps: Deps, watching: Watching): Promise<boolean> {
  const answers = kept.get(deps) ?? new Map<string, { until: number; answer: Promise<boolean> }>()
  kept.set(deps, answers)
  const key = watchingKey(watching)
  const before = answers.get(key)
  if (before && before.until > deps.now()) return before.answer
  const answer = ask(deps, watching)
  if (answers.size >= MOST_KEPT) answers.clear()
  answers.set(key, { until: deps.now() + KEPT_MS, answer })
  answer.catch(() => answers.delete(key))
  return answer
}

/** The profile that asked has to be there still; the one that acts on the device by now may only narrow what it sees. */
async function ask(deps: Deps, { sid, profileId, titleId }: Watching): Promise<boolean> {
  const found = await liveLogin(deps.database.primary, sid, deps.now())
  if (!found || found.account.blocked) return false
  const { profiles } = found
  const asking = profiles.find((one) => one.profile_id === profileId)
  if (profileId !== null && !asking) return false
  const acting = profiles.find((one) => one.profile_id === found.login.active_profile_id)
  const named = acting ?? asking
  const kids = named
    ? named.kids === 1 || asking?.kids === 1
    : !profiles.some((one) => !one.kids && !one.pin_hash)
  return (await titlesByIds(deps.database.reader, { kids }, [titleId])).length === 1
}
