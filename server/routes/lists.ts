import * as listCalls from '../../src/lib/contract/lists.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { changeListTitles, moveListTitle } from '../services/lists/list-titles.ts'
import * as lists from '../services/lists/lists.ts'

export const listRoutes: Route[] = [
  defineRoute(listCalls.listNamedLists, ({ query, ...context }) => lists.listNamedLists(context, query)),
  defineRoute(listCalls.createNamedList, ({ body, ...context }) => lists.createNamedList(context, body)),
  defineRoute(listCalls.listHomeLists, (context) => lists.loadHomeLists(context)),
  defineRoute(listCalls.getNamedList, ({ params, query, ...context }) =>
    lists.loadNamedList(context, params.listId, query),
  ),
  defineRoute(listCalls.changeNamedList, ({ params, body, ...context }) =>
    lists.changeNamedList(context, params.listId, body),
  ),
  defineRoute(listCalls.deleteNamedList, ({ params, ...context }) =>
    lists.deleteNamedList(context, params.listId),
  ),
  defineRoute(listCalls.restoreNamedList, ({ params, ...context }) =>
    lists.restoreNamedList(context, params.listId),
  ),
  defineRoute(listCalls.changeListTitles, ({ params, body, ...context }) =>
    changeListTitles(context, params.listId, body.titles),
  ),
  defineRoute(listCalls.moveListTitle, ({ params, body, ...context }) =>
    moveListTitle(context, params.listId, body),
  ),
]
