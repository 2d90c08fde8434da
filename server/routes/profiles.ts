import * as calls from '../../src/lib/contract/profiles.ts'
import { type Route, route } from '../http/route.ts'
import * as pin from '../services/pin.ts'
import * as profiles from '../services/profiles.ts'

export const profileRoutes: Route[] = [
  route(calls.listProfiles, ({ caller }) => ({ results: caller.profiles.map(profiles.profileOf) })),
  route(calls.getProfile, ({ caller }) => profiles.profileOf(caller.profile)),
  route(calls.createProfile, ({ body, ...by }) => profiles.create(by, body)),
  route(calls.updateProfile, ({ body, ...by }) => profiles.update(by, body)),
  route(calls.deleteProfile, ({ body, ...by }) => profiles.remove(by, body.password)),
  route(calls.lockProfile, ({ body, ...by }) => pin.lock(by, body.pin, body.password)),
  route(calls.unlockProfile, ({ body, ...by }) => pin.unlock(by, body.pin)),
  route(calls.updateLock, ({ body, ...by }) => pin.updateLock(by, body)),
  route(calls.removeLock, ({ body, ...by }) => pin.removeLock(by, body)),
]
