import * as userCalls from '../../src/lib/contract/admin-users.ts'
import * as calls from '../../src/lib/contract/auth.ts'
import * as invitation from '../../src/lib/contract/invitations.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as invitations from '../services/accounts/invitations.ts'
import * as users from '../services/accounts/users.ts'
import * as devices from '../services/auth/devices.ts'

export const accountRoutes: Route[] = [
  defineRoute(invitation.createInvitation, ({ body, ...context }) =>
    invitations.createInvitation(context, body),
  ),
  defineRoute(invitation.listInvitations, ({ query, ...context }) =>
    invitations.listInvitations(context, query),
  ),
  defineRoute(invitation.revokeInvitation, ({ params, ...context }) =>
    invitations.revokeInvitationById(context, params.id),
  ),
  defineRoute(userCalls.listUsers, ({ query, ...context }) => users.listUsers(context, query)),
  defineRoute(userCalls.createUser, ({ body, ...context }) => users.createUser(context, body)),
  defineRoute(calls.updateUser, ({ body, ...context }) => users.editUser(context, body)),
  defineRoute(userCalls.deleteUser, ({ params, ...context }) => users.deleteUser(context, params.id)),
  defineRoute(calls.deleteOwnAccount, (context) => users.deleteOwnAccount(context)),
  defineRoute(calls.listActivities, ({ query, ...context }) => devices.listActivities(context, query)),
  defineRoute(calls.listDevices, ({ query, ...context }) => devices.listDevices(context, query)),
  defineRoute(calls.logoutDevice, ({ body, ...context }) => devices.revokeDevice(context, body.device_id)),
]
