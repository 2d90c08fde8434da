import * as calls from '../../src/lib/contract/auth.ts'
import * as invitation from '../../src/lib/contract/invitations.ts'
import { type Route, route } from '../http/route.ts'
import * as devices from '../services/devices.ts'
import * as invitations from '../services/invitations.ts'
import * as users from '../services/users.ts'

export const accountRoutes: Route[] = [
  route(invitation.invite, ({ body, ...context }) => invitations.invite(context, body)),
  route(invitation.listInvitations, ({ query, ...context }) => invitations.list(context, query)),
  route(invitation.revokeInvitation, ({ params, ...context }) => invitations.revoke(context, params.id)),
  route(calls.listUsers, ({ query, ...context }) => users.list(context, query)),
  route(calls.createUser, ({ body, ...context }) => users.create(context, body)),
  route(calls.updateUser, ({ body, ...context }) => users.update(context, body)),
  route(calls.deleteUser, ({ params, ...context }) => users.remove(context, params.id)),
  route(calls.deleteOwnAccount, ({ body, ...context }) => users.removeOwn(context, body.password)),
  route(calls.listActivities, ({ query, ...context }) => devices.activities(context, query)),
  route(calls.listDevices, ({ query, ...context }) => devices.devices(context, query)),
  route(calls.logoutDevice, ({ body, ...context }) => devices.revoke(context, body.device_id)),
]
