/** The audience of a caller: which titles its acting profile may see (security.md, decision 5). */
import type { RequestInfo } from '../../core/request-info.ts'
import type { ActiveLogin } from '../../queries/caller.ts'
import type { Audience } from '../../queries/title-scope.ts'
import type { Deps } from '../deps.ts'
import { resolveActingProfile } from './acting-profile.ts'
import type { Caller, Viewer } from './caller.ts'

/**
 * Returns the viewer of a login: the acting profile and its audience.
 * @throws Problem with status 403 when the request names a profile that may not act.
 */
export async function resolveViewer(login: ActiveLogin, request: RequestInfo, deps: Deps): Promise<Viewer> {
  const caller = await resolveActingProfile(login, {}, request, deps)
  return { ...caller, audience: getAudience(caller) }
}

/**
 * Returns the audience of the acting profile. Without one, the audience is kids, unless the caller can enter a profile
 * for adults (security.md, decision 5).
 */
function getAudience({ acting, profiles }: Caller): Audience {
  if (acting) return { kids: acting.kids === 1 }
  return { kids: !profiles.some((profile) => profile.enterable && !profile.kids) }
}
