/** What administrators do to titles. */
import type { Deps } from '../deps.ts'
import type { Caller } from '../http/caller.ts'
import type { RequestInfo } from '../http/request.ts'
import { Problem } from '../problem.ts'
import type { TitleType } from '../queries/catalogue.ts'
import { deleteTitle, setPublished } from '../queries/publishing.ts'
import { audit } from './audit.ts'

interface By {
  deps: Deps
  caller: Caller
  request: RequestInfo
}
interface Which {
  type: TitleType
  id: number
}

export async function publish({ deps, caller, request }: By, which: Which, published: boolean) {
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!(await setPublished(trx, which, published, deps.now()))) throw new Problem('not_found')
    await audit(
      trx,
      { now: deps.now(), request },
      {
        action: published ? 'publish' : 'unpublish',
        target: String(which.id),
        accountId: caller.account.account_id,
        sid: caller.login.sid,
      },
    )
  })
  deps.bus.publish('catalogue', { kind: published ? 'published' : 'hidden', media_id: String(which.id) })
  return { id: String(which.id), published }
}

export async function remove({ deps, caller, request }: By, which: Which): Promise<void> {
  await deps.database.primary.transaction().execute(async (trx) => {
    if (!(await deleteTitle(trx, which))) throw new Problem('not_found')
    await audit(
      trx,
      { now: deps.now(), request },
      {
        action: 'title_delete',
        target: String(which.id),
        accountId: caller.account.account_id,
        sid: caller.login.sid,
      },
    )
  })
  deps.bus.publish('catalogue', { kind: 'deleted', media_id: String(which.id) })
}
