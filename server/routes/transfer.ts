import * as calls from '../../src/lib/contract/history-transfer.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as exports from '../services/history-export/download.ts'
import * as rows from '../services/history-import/import-rows.ts'
import * as runs from '../services/history-import/import-runs.ts'
import { createImportRun } from '../services/history-import/upload-import.ts'

export const transferRoutes: Route[] = [
  defineRoute(calls.startHistoryImport, ({ query, rawRequest, ...context }) =>
    createImportRun(context, rawRequest, query.name),
  ),
  defineRoute(calls.listHistoryImports, ({ query, ...context }) => runs.listImportRuns(context, query)),
  defineRoute(calls.getHistoryImport, ({ params, query, ...context }) =>
    rows.loadImportWithRows(context, params.import_id, query),
  ),
  defineRoute(calls.resolveHistoryImportRow, ({ params, body, ...context }) =>
    rows.assignImportRow(context, { importId: params.import_id, n: params.n }, body.media_id),
  ),
  defineRoute(calls.applyHistoryImport, ({ params, body, ...context }) =>
    runs.startApplyingImport(context, params.import_id, body.owners),
  ),
  defineRoute(calls.undoHistoryImport, ({ params, ...context }) =>
    runs.startUndoingImport(context, params.import_id),
  ),
  defineRoute(calls.exportProfile, ({ query, ...context }) =>
    exports.createProfileExport(context, query.format),
  ),
  defineRoute(calls.exportAccount, ({ query, ...context }) =>
    exports.createAccountExport(context, query.format),
  ),
]
