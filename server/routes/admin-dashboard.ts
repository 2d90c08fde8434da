import * as auditCalls from '../../src/lib/contract/admin-audit.ts'
import * as backupCalls from '../../src/lib/contract/admin-backups.ts'
import * as importCalls from '../../src/lib/contract/admin-imports.ts'
import { getOverview } from '../../src/lib/contract/admin-overview.ts'
import * as titleCalls from '../../src/lib/contract/admin-titles.ts'
import * as userCalls from '../../src/lib/contract/admin-users.ts'
import { type Route, route } from '../http/route.ts'
import * as audit from '../services/audit.ts'
import * as backups from '../services/backups.ts'
import * as devices from '../services/devices.ts'
import * as imports from '../services/imports.ts'
import { overview } from '../services/overview.ts'
import * as titles from '../services/publishing.ts'
import * as users from '../services/users.ts'

export const dashboardRoutes: Route[] = [
  route(getOverview, ({ deps }) => overview(deps)),
  route(userCalls.listUserDevices, ({ params, query, ...context }) =>
    devices.userDevices(context, params.id, query),
  ),
  route(userCalls.signOutUserDevice, ({ params, ...context }) =>
    devices.revoke(context, params.device_id, params.id),
  ),
  route(userCalls.signOutUser, ({ params, ...context }) => users.signOut(context, params.id)),
  route(titleCalls.getAdminTitle, ({ params, ...context }) => titles.one(context, params.id)),
  route(titleCalls.updateTitle, ({ params, body, ...context }) => titles.update(context, params.id, body)),
  route(titleCalls.publishTitles, ({ body, ...context }) =>
    titles.publishMany(context, body.ids, body.published),
  ),
  route(titleCalls.deleteTitles, ({ body, ...context }) => titles.removeMany(context, body.ids)),
  route(titleCalls.restoreTitles, ({ body, ...context }) => titles.restoreMany(context, body.ids)),
  route(titleCalls.restoreTitle, ({ params, ...context }) => titles.restoreOne(context, params.id)),
  route(importCalls.listImports, ({ query, ...context }) => imports.list(context, query)),
  route(importCalls.startImport, ({ body, ...context }) => imports.start(context, body)),
  route(backupCalls.listBackups, (context) => backups.list(context)),
  route(backupCalls.makeBackup, (context) => backups.make(context)),
  route(backupCalls.linkBackup, ({ params, ...context }) => backups.link(context, params.id)),
  route(backupCalls.deleteBackup, ({ params, ...context }) => backups.remove(context, params.id)),
  route(auditCalls.listAudit, ({ query, deps }) => audit.list(deps, query)),
  route(auditCalls.verifyAudit, async ({ deps }) => {
    const { verified, events, brokenAt, checkedAt } = await audit.verify(deps, { whole: true })
    return {
      verified,
      events,
      broken_at: brokenAt === null ? null : String(brokenAt),
      checked_at: new Date(checkedAt).toISOString(),
    }
  }),
]
