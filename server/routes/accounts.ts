import * as account from '../../src/lib/contract/account.ts'
import * as userCalls from '../../src/lib/contract/admin-users.ts'
import * as auth from '../../src/lib/contract/auth.ts'
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
  defineRoute(auth.updateUser, ({ body, ...context }) => users.editUser(context, body)),
  defineRoute(userCalls.deleteUser, ({ params, ...context }) => users.deleteUser(context, params.id)),
  defineRoute(account.deleteOwnAccount, (context) => users.deleteOwnAccount(context)),
  defineRoute(account.listActivities, ({ query, ...context }) => devices.listActivities(context, query)),
  defineRoute(account.listDevices, ({ query, ...context }) => devices.listDevices(context, query)),
  defineRoute(account.logoutDevice, ({ body, ...context }) => devices.revokeDevice(context, body.device_id)),
]
