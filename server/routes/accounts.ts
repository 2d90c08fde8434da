import * as calls from '../../src/lib/contract/auth.ts'
import * as invitation from '../../src/lib/contract/invitations.ts'
import { type Route, route } from '../http/route.ts'
import * as devices from '../services/devices.ts'
import * as invitations from '../services/invitations.ts'
import * as users from '../services/users.ts'

export const accountRoutes: Route[] = [
  route(invitation.invite, ({ body, ...by }) => invitations.invite(by, body)),
  route(invitation.listInvitations, ({ query, ...by }) => invitations.list(by, query)),
  route(invitation.revokeInvitation, ({ params, ...by }) => invitations.revoke(by, params.id)),
  route(calls.listUsers, ({ query, ...by }) => users.list(by, query)),
  route(calls.createUser, ({ body, ...by }) => users.create(by, body)),
  route(calls.updateUser, ({ body, ...by }) => users.update(by, body)),
  route(calls.deleteUser, ({ params, ...by }) => users.remove(by, params.id)),
  route(calls.deleteOwnAccount, ({ body, ...by }) => users.removeOwn(by, body.password)),
  route(calls.listActivities, ({ query, ...by }) => devices.activities(by, query)),
  route(calls.listDevices, ({ query, ...by }) => devices.devices(by, query)),
  route(calls.logoutDevice, ({ body, ...by }) => devices.revoke(by, body.device_id)),
]
