import * as calls from '../../src/lib/contract/bin.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as bin from '../services/bin/bin.ts'

export const binRoutes: Route[] = [
  defineRoute(calls.listBin, (context) => bin.listBin(context)),
  defineRoute(calls.restoreBinItem, ({ params, ...context }) => bin.restoreBinItem(context, params)),
  defineRoute(calls.eraseBinItem, ({ params, ...context }) =>
    bin.eraseBinItem(context, params, context.isPasswordProven),
  ),
]
