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
  route(userCalls.listUserDevices, ({ params, query, ...by }) => devices.userDevices(by, params.id, query)),
  route(userCalls.signOutUserDevice, ({ params, ...by }) => devices.revoke(by, params.device_id, params.id)),
  route(userCalls.signOutUser, ({ params, ...by }) => users.signOut(by, params.id)),
  route(titleCalls.getAdminTitle, ({ params, ...by }) => titles.one(by, params.id)),
  route(titleCalls.updateTitle, ({ params, body, ...by }) => titles.update(by, params.id, body)),
  route(titleCalls.publishTitles, ({ body, ...by }) => titles.publishMany(by, body.ids, body.published)),
  route(titleCalls.deleteTitles, ({ body, ...by }) => titles.removeMany(by, body.ids)),
  route(titleCalls.restoreTitles, ({ body, ...by }) => titles.restoreMany(by, body.ids)),
  route(titleCalls.restoreTitle, ({ params, ...by }) => titles.restoreOne(by, params.id)),
  route(importCalls.listImports, ({ query, ...by }) => imports.list(by, query)),
  route(importCalls.startImport, ({ body, ...by }) => imports.start(by, body)),
  route(backupCalls.listBackups, (by) => backups.list(by)),
  route(backupCalls.makeBackup, (by) => backups.make(by)),
  route(backupCalls.linkBackup, ({ params, ...by }) => backups.link(by, params.id)),
  route(backupCalls.deleteBackup, ({ params, ...by }) => backups.remove(by, params.id)),
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
