import * as calls from '../../src/lib/contract/profiles.ts'
import { type Route, route } from '../http/route.ts'
import * as pin from '../services/pin.ts'
import * as profiles from '../services/profiles.ts'

export const profileRoutes: Route[] = [
  route(calls.listProfiles, ({ caller }) => ({ results: caller.profiles.map(profiles.profileOf) })),
  route(calls.getProfile, ({ caller }) => profiles.profileOf(caller.profile)),
  route(calls.createProfile, ({ body, ...context }) => profiles.create(context, body)),
  route(calls.updateProfile, ({ body, ...context }) => profiles.update(context, body)),
  route(calls.deleteProfile, ({ body, ...context }) => profiles.remove(context, body.password)),
  route(calls.lockProfile, ({ body, ...context }) => pin.lock(context, body.pin, body.password)),
  route(calls.unlockProfile, ({ body, ...context }) => pin.unlock(context, body.pin)),
  route(calls.updateLock, ({ body, ...context }) => pin.updateLock(context, body)),
  route(calls.removeLock, ({ body, ...context }) => pin.removeLock(context, body)),
]
