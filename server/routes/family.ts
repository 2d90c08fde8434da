import * as calls from '../../src/lib/contract/family.ts'
import { listHiddenTitles, setTitleHidden } from '../../src/lib/contract/hidden-titles.ts'
import { defineRoute, type Route } from '../http/route.ts'
import * as groups from '../services/family/groups.ts'
import * as hiddenTitles from '../services/family/hidden-titles.ts'
import { toProfileLimits } from '../services/family/limit-columns.ts'
import { changeLimits } from '../services/family/limits.ts'
import * as titleRules from '../services/family/title-rules.ts'

export const familyRoutes: Route[] = [
  defineRoute(calls.getProfileLimits, ({ caller }) => toProfileLimits(caller.profile)),
  defineRoute(calls.updateProfileLimits, ({ body, ...context }) => changeLimits(context, body)),
  defineRoute(calls.listTitleRules, (context) => titleRules.listTitleRules(context)),
  defineRoute(calls.setTitleRule, ({ params, body, ...context }) =>
    titleRules.changeTitleRule(context, params, body.rule, body.expires_at),
  ),
  defineRoute(listHiddenTitles, (context) => hiddenTitles.listHiddenTitles(context)),
  defineRoute(setTitleHidden, ({ params, body, ...context }) =>
    hiddenTitles.setTitleHidden(context, params, body.hidden),
  ),
  defineRoute(calls.listRulesOfTitle, ({ params, ...context }) =>
    titleRules.listRulesOfTitle(context, params.mediaId),
  ),
  defineRoute(calls.startGroup, ({ body, ...context }) => groups.startGroup(context, body.members)),
  defineRoute(calls.endGroup, (context) => groups.endGroup(context)),
]
