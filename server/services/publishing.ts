/** What administrators do to titles. Each act shows in every read at once: the scope and the indexes follow the table. */
import type { AdminTitle } from '../../src/lib/contract/admin-titles.ts'
import type { Db } from '../db/open.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../http/caller.ts'
import type { RequestInfo } from '../http/request.ts'
import { invalid, Problem } from '../problem.ts'
import type { TitleRow, TitleType } from '../queries/catalogue.ts'
import {
  adminTitle,
  markDeleted,
  overdueTitles,
  purgeTitle,
  restore as restoreRows,
  setPublished,
  updateTitle,
} from '../queries/publishing.ts'
import { audit } from './audit.ts'
import { cardsOf, titleLanguage } from './cards.ts'
import { idOf } from './catalogue.ts'
import type { JobContext } from './job-queue.ts'
import { settingValue } from './settings.ts'

interface By {
  deps: Deps
  caller: Caller
  request: RequestInfo
}
interface Which {
  type: TitleType
  id: number
}
const PURGED_AT_ONCE = 20

async function titleOf(db: Db, { type, id }: Which): Promise<TitleRow> {
  const row = await adminTitle(db, id)
  if (!row || row.type !== type || row.deleted_at !== null) throw new Problem('not_found')
  return row
}

export async function publish(by: By, which: Which, published: boolean) {
  await titleOf(by.deps.database.primary, which)
  const { missing } = await publishMany(by, [String(which.id)], published)
  if (missing.length > 0) throw new Problem('not_found')
  return { id: String(which.id), published }
}

export async function remove(by: By, which: Which): Promise<void> {
  await titleOf(by.deps.database.primary, which)
  await removeMany(by, [String(which.id)])
}

/** Does the same to many titles in one transaction, with one audit line each; tells which were not there. */
async function toMany(
  { deps, caller, request }: By,
  { ids, action }: { ids: string[]; action: string },
  act: (trx: Db, ids: number[]) => Promise<number[]>,
): Promise<{ done: string[]; missing: string[] }> {
  const wanted = [...new Set(ids)].filter((id) => /^[1-9]\d{0,14}$/.test(id)).map(Number)
  const done = await deps.database.primary.transaction().execute(async (trx) => {
    const touched = await act(trx, wanted.concat(0))
    const who = { action, accountId: caller.account.account_id, sid: caller.login.sid }
    for (const id of touched) await audit(trx, { now: deps.now(), request }, { ...who, target: String(id) })
    return new Set(touched.map(String))
  })
  deps.bus.publish('catalogue', { kind: action, media_ids: [...done] })
  return { done: [...done], missing: ids.filter((id) => !done.has(id)) }
}

export async function publishMany(by: By, ids: string[], published: boolean) {
  const action = published ? 'publish' : 'unpublish'
  const { done, missing } = await toMany(by, { ids, action }, (trx, wanted) =>
    setPublished(trx, wanted, published, by.deps.now()),
  )
  return { changed: done, missing }
}

export async function removeMany(by: By, ids: string[]) {
  const now = by.deps.now()
  const undoMs = await undoTime(by.deps)
  const { done, missing } = await toMany(by, { ids, action: 'title_delete' }, (trx, wanted) =>
    markDeleted(trx, wanted, now),
  )
  return { deleted: done, missing, restorable_until: new Date(now + undoMs).toISOString() }
}

export async function restoreMany(by: By, ids: string[]) {
  const { done, missing } = await toMany(by, { ids, action: 'title_restore' }, (trx, wanted) =>
    restoreRows(trx, wanted, by.deps.now()),
  )
  return { restored: done, missing }
}

export async function restoreOne(by: By, id: string): Promise<AdminTitle> {
  const { missing } = await restoreMany(by, [id])
  if (missing.length > 0) throw new Problem('not_found')
  return one(by, id)
}

const undoTime = async ({ database }: Deps) => (await settingValue(database.primary, 'undo_seconds')) * 1_000

export async function one({ deps, caller }: Omit<By, 'request'>, id: string): Promise<AdminTitle> {
  const row = await adminTitle(deps.database.primary, idOf(id))
  if (!row) throw new Problem('not_found')
  const [card] = await cardsOf(deps, [row], titleLanguage(caller))
  const until = row.deleted_at === null ? null : row.deleted_at + (await undoTime(deps))
  return {
    id: String(row.title_id),
    type: row.type as TitleType,
    slug: row.slug,
    title: card?.title ?? row.original_title,
    original_title: row.original_title,
    year: row.year,
    imdb_id: row.imdb_id,
    poster_path: card?.poster_path ?? null,
    published: row.published === 1,
    blocked: row.blocked === 1,
    safe_for_kids: row.safe_for_kids === 1,
    parental_guide: JSON.parse(row.parental_guide) as AdminTitle['parental_guide'],
    edited: Object.keys(JSON.parse(row.edited) as object) as AdminTitle['edited'],
    source: row.source,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    restorable_until: until === null ? null : new Date(until).toISOString(),
  }
}

interface Change {
  published?: boolean | undefined
  safe_for_kids?: boolean | undefined
  parental_guide?: AdminTitle['parental_guide'] | undefined
}

/** What is set here stays set: imports leave it alone from then on. */
export async function update(by: By, id: string, change: Change): Promise<AdminTitle> {
  const { deps, caller, request } = by
  const { published, safe_for_kids, parental_guide } = change
  const categories = parental_guide?.map((entry) => entry.category) ?? []
  if (new Set(categories).size < categories.length) throw invalid('parental_guide', 'twice')
  await deps.database.primary.transaction().execute(async (trx) => {
    const row = await adminTitle(trx, idOf(id))
    if (!row || row.deleted_at !== null) throw new Problem('not_found')
    const edits = {
      ...(safe_for_kids !== undefined && { safe_for_kids: safe_for_kids ? 1 : 0 }),
      ...(parental_guide !== undefined && { parental_guide: JSON.stringify(parental_guide) }),
    }
    await updateTitle(trx, row.title_id, {
      ...edits,
      ...(published !== undefined && { published: published ? 1 : 0 }),
      edited: JSON.stringify({ ...(JSON.parse(row.edited) as object), ...edits }),
      updated_at: deps.now(),
    })
    const who = { accountId: caller.account.account_id, sid: caller.login.sid, target: id }
    await audit(trx, { now: deps.now(), request }, { action: 'title_edit', ...who })
  })
  return one(by, id)
}

/** The job that carries deletions out once they can no longer be undone. */
export async function purgeDeleted({ deps, signal, progress }: JobContext) {
  const { primary } = deps.database
  const before = deps.now() - (await undoTime(deps))
  let done = 0
  while (!signal.aborted) {
    const ids = await overdueTitles(primary, before, PURGED_AT_ONCE)
    if (ids.length === 0) break
    for (const id of ids) if (await purgeTitle(primary, id, before)) done += 1
    await progress(done, null)
  }
  return { message: String(done) }
}

export async function purgeIsDue(deps: Deps): Promise<boolean> {
  const { primary } = deps.database
  return (await overdueTitles(primary, deps.now() - (await undoTime(deps)), 1)).length > 0
}
