import * as calls from '../../src/lib/contract/transfer.ts'
import { type Route, route } from '../http/route.ts'
import * as exports from '../services/history-export/download.ts'
import * as rows from '../services/history-import/rows.ts'
import * as runs from '../services/history-import/runs.ts'

export const transferRoutes: Route[] = [
  route(calls.startImport, ({ query, raw, ...context }) => runs.start(context, raw, query.name)),
  route(calls.listImports, ({ query, ...context }) => runs.list(context, query)),
  route(calls.getImport, ({ params, query, ...context }) => rows.view(context, params.import_id, query)),
  route(calls.resolveImportRow, ({ params, body, ...context }) =>
    rows.resolve(context, { importId: params.import_id, n: params.n }, body.media_id),
  ),
  route(calls.applyImport, ({ params, body, ...context }) =>
    runs.applyRun(context, params.import_id, body.owners),
  ),
  route(calls.undoImport, ({ params, ...context }) => runs.undoRun(context, params.import_id)),
  route(calls.exportProfile, ({ query, ...context }) => exports.ofProfile(context, query.format)),
  route(calls.exportAccount, ({ query, ...context }) => exports.ofAccount(context, query.format)),
]
