import * as auditCalls from '../../src/lib/contract/admin-audit.ts'
import * as backupCalls from '../../src/lib/contract/admin-backups.ts'
import * as importCalls from '../../src/lib/contract/admin-imports.ts'
import * as libraryCalls from '../../src/lib/contract/admin-library.ts'
import * as mediaServerCalls from '../../src/lib/contract/admin-media-servers.ts'
import { getOverview } from '../../src/lib/contract/admin-overview.ts'
import * as resolverCalls from '../../src/lib/contract/admin-resolvers.ts'
import * as streamCalls from '../../src/lib/contract/admin-streams.ts'
import * as titleCalls from '../../src/lib/contract/admin-titles.ts'
import * as userCalls from '../../src/lib/contract/admin-users.ts'
import { toIsoTime } from '../core/dates.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as users from '../services/accounts/users.ts'
import * as devices from '../services/auth/devices.ts'
import { loadAdminTitle } from '../services/catalogue/admin-title.ts'
import { listMatchingTitleIds } from '../services/catalogue/matching-titles.ts'
import * as titles from '../services/catalogue/publishing.ts'
import { editTitle, undoTitleEdit } from '../services/catalogue/title-editing.ts'
import { listTitlePosters, refreshTitle } from '../services/catalogue/title-refresh.ts'
import { addTitleFromFile, searchTmdbTitles } from '../services/library/add-title.ts'
import * as library from '../services/library/admin-library.ts'
import { startAddTitles, startLibraryScan } from '../services/library/library-jobs.ts'
import { chooseTitle, deleteChoice, restoreChoices } from '../services/library/title-choices.ts'
import * as mediaServers from '../services/media-servers/admin-media-servers.ts'
import * as audit from '../services/operations/audit.ts'
import * as backups from '../services/operations/backups.ts'
import * as imports from '../services/operations/imports.ts'
import { loadOverview } from '../services/operations/overview.ts'
import * as resolvers from '../services/operations/resolvers.ts'
import { describeRunningStreams, stopPlaybackSession } from '../services/playback/running-streams.ts'

export const dashboardRoutes: Route[] = [
  defineRoute(getOverview, ({ deps }) => loadOverview(deps)),
  defineRoute(userCalls.listUserDevices, ({ params, query, ...context }) =>
    devices.listAccountDevices(context, params.id, query),
  ),
  defineRoute(userCalls.signOutUserDevice, ({ params, ...context }) =>
    devices.revokeDevice(context, params.device_id, params.id),
  ),
  defineRoute(userCalls.signOutUser, ({ params, ...context }) => users.signOutUser(context, params.id)),
  defineRoute(titleCalls.getAdminTitle, ({ params, ...context }) => loadAdminTitle(context, params.id)),
  defineRoute(titleCalls.updateTitle, ({ params, body, ...context }) => editTitle(context, params.id, body)),
  defineRoute(titleCalls.undoTitleEdit, ({ params, ...context }) =>
    undoTitleEdit(context, params.id, params.field),
  ),
  defineRoute(titleCalls.refreshTitle, ({ params, ...context }) => refreshTitle(context, params.id)),
  defineRoute(titleCalls.listTitlePosters, ({ params, ...context }) => listTitlePosters(context, params.id)),
  defineRoute(titleCalls.listMatchingTitleIds, ({ query, deps }) => listMatchingTitleIds(deps, query)),
  defineRoute(titleCalls.publishTitles, ({ body, ...context }) =>
    titles.changeTitlesPublished(context, body.ids, body.published),
  ),
  defineRoute(titleCalls.deleteTitles, ({ body, ...context }) => titles.deleteTitles(context, body.ids)),
  defineRoute(titleCalls.listDeletedTitles, ({ query, ...context }) =>
    titles.listDeletedTitles(context, query),
  ),
  defineRoute(titleCalls.restoreTitles, ({ body, ...context }) => titles.restoreTitles(context, body.ids)),
  defineRoute(titleCalls.restoreTitle, ({ params, ...context }) => titles.restoreTitle(context, params.id)),
  defineRoute(libraryCalls.getLibrary, (context) => library.loadLibrary(context)),
  defineRoute(libraryCalls.listLibraryFiles, ({ query, ...context }) => library.listFiles(context, query)),
  defineRoute(libraryCalls.getLibraryFile, ({ params, ...context }) =>
    library.loadLibraryFile(context, params.id),
  ),
  defineRoute(libraryCalls.matchLibraryFile, ({ params, body, ...context }) =>
    chooseTitle(context, params.id, body),
  ),
  defineRoute(libraryCalls.unmatchLibraryFile, ({ params, ...context }) => deleteChoice(context, params.id)),
  defineRoute(libraryCalls.restoreLibraryChoices, ({ params, body, ...context }) =>
    restoreChoices(context, params.id, body.choices),
  ),
  defineRoute(libraryCalls.searchTmdbTitles, ({ query, ...context }) => searchTmdbTitles(context, query)),
  defineRoute(libraryCalls.addTitleFromFile, ({ params, body, ...context }) =>
    addTitleFromFile(context, params.id, body),
  ),
  defineRoute(libraryCalls.addTitlesOfFiles, (context) => startAddTitles(context)),
  defineRoute(libraryCalls.scanLibrary, (context) => startLibraryScan(context)),
  defineRoute(importCalls.listImportJobs, ({ query, ...context }) => imports.listImports(context, query)),
  defineRoute(importCalls.startImportJob, ({ body, ...context }) => imports.startImport(context, body)),
  defineRoute(backupCalls.listBackups, (context) => backups.listBackups(context)),
  defineRoute(backupCalls.startBackup, (context) => backups.startBackup(context)),
  defineRoute(backupCalls.createBackupLink, ({ params, ...context }) =>
    backups.createBackupLink(context, params.id),
  ),
  defineRoute(backupCalls.deleteBackup, ({ params, ...context }) => backups.deleteBackup(context, params.id)),
  defineRoute(resolverCalls.listResolvers, (context) => resolvers.listResolvers(context)),
  defineRoute(resolverCalls.changeResolvers, ({ body, ...context }) =>
    resolvers.changeResolvers(context, body.resolvers, body.version),
  ),
  defineRoute(resolverCalls.testResolver, ({ params, ...context }) =>
    resolvers.testResolver(context, params.id),
  ),
  defineRoute(mediaServerCalls.listMediaServers, (context) => mediaServers.listMediaServers(context)),
  defineRoute(mediaServerCalls.changeMediaServers, ({ body, ...context }) =>
    mediaServers.changeMediaServers(context, body.servers, body.version),
  ),
  defineRoute(mediaServerCalls.testMediaServer, ({ params, ...context }) =>
    mediaServers.testMediaServer(context, params.id),
  ),
  defineRoute(mediaServerCalls.listMediaServerItems, ({ query, ...context }) =>
    mediaServers.listMediaServerItems(context, query),
  ),
  defineRoute(mediaServerCalls.syncMediaServers, (context) => mediaServers.startMediaServerSync(context)),
  defineRoute(streamCalls.listStreams, ({ deps }) => describeRunningStreams(deps)),
  defineRoute(streamCalls.stopStream, ({ params, ...context }) => stopPlaybackSession(context, params.id)),
  defineRoute(auditCalls.listAuditEvents, ({ query, deps }) => audit.listAuditEvents(deps, query)),
  defineRoute(auditCalls.verifyAuditChain, async ({ deps }) => {
    const { verified, eventCount, brokenAuditId, checkedAtMs } = await audit.verifyAuditChain(deps, {
      fromStart: true,
    })
    return {
      verified,
      events: eventCount,
      broken_at: brokenAuditId === null ? null : String(brokenAuditId),
      checked_at: toIsoTime(checkedAtMs),
    }
  }),
]
