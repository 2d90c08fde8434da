import * as calls from '../../src/lib/contract/profiles.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { activateProfile } from '../services/auth/acting-profile.ts'
import * as pin from '../services/profiles/pin.ts'
import * as profiles from '../services/profiles/profiles.ts'

export const profileRoutes: Route[] = [
  defineRoute(calls.listProfiles, ({ caller }) => profiles.listProfiles(caller)),
  defineRoute(calls.leaveProfile, async ({ deps, caller }) => {
    await activateProfile(deps, caller, null)
  }),
  defineRoute(calls.getProfile, ({ caller }) => profiles.toProfile(caller.profile)),
  defineRoute(calls.createProfile, ({ body, ...context }) =>
    profiles.createProfile(context, body, context.isPasswordProven),
  ),
  defineRoute(calls.updateProfile, ({ body, ...context }) => profiles.editProfile(context, body)),
  defineRoute(calls.deleteProfile, (context) => profiles.removeProfile(context, context.isPasswordProven)),
  defineRoute(calls.setProfilePin, ({ body, ...context }) => pin.lockProfile(context, body.pin)),
  defineRoute(calls.unlockProfile, ({ body, ...context }) => pin.unlockProfile(context, body)),
  defineRoute(calls.updateProfilePin, ({ body, ...context }) => pin.changePin(context, body)),
  defineRoute(calls.removeProfilePin, ({ body, ...context }) =>
    pin.removePin(context, { pin: body.pin, isPasswordProven: context.isPasswordProven }),
  ),
]
