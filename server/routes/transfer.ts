import * as calls from '../../src/lib/contract/transfer.ts'
import { type Route, route } from '../http/route.ts'
import * as exports from '../services/history-export/download.ts'
import * as rows from '../services/history-import/rows.ts'
import * as runs from '../services/history-import/runs.ts'

export const transferRoutes: Route[] = [
  route(calls.startImport, ({ query, raw, ...by }) => runs.start(by, raw, query.name)),
  route(calls.listImports, ({ query, ...by }) => runs.list(by, query)),
  route(calls.getImport, ({ params, query, ...by }) => rows.view(by, params.import_id, query)),
  route(calls.resolveImportRow, ({ params, body, ...by }) =>
    rows.resolve(by, { importId: params.import_id, n: params.n }, body.media_id),
  ),
  route(calls.applyImport, ({ params, body, ...by }) => runs.applyRun(by, params.import_id, body.owners)),
  route(calls.undoImport, ({ params, ...by }) => runs.undoRun(by, params.import_id)),
  route(calls.exportProfile, ({ query, ...by }) => exports.ofProfile(by, query.format)),
  route(calls.exportAccount, ({ query, ...by }) => exports.ofAccount(by, query.format)),
]
