/**
 * The block list. The transaction that changes the list also hides or shows the matching titles and people
 * for all users.
 */

import type { BlockEntry } from '../../../src/lib/contract/admin.ts'
import { trimToVisibleText, validateVisibleText } from '../../../src/lib/rules/profile-name.ts'
import { toIsoTime } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { CATALOGUE_IMPORT_LOCK } from '../../importers/import-titles.ts'
import {
  applyBlockRule,
  type BlockRuleRow,
  deleteBlockRule,
  insertBlockRule,
  normaliseKeyword,
  selectBlockRuleLabel,
  selectBlockRules,
} from '../../queries/block-rule.ts'
import { selectTitlesInOrder } from '../../queries/browse.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import type { RequestContext } from '../context.ts'
import { recordCallerAction } from '../operations/audit.ts'
import { toPage } from '../page.ts'
import { loadCardsById } from './cards.ts'
import { parseId } from './titles.ts'

function toBlockEntry(row: BlockRuleRow & { label: string }): BlockEntry {
  return {
    id: String(row.block_id),
    type: row.type as BlockEntry['type'],
    media_id: row.media_id === null ? null : String(row.media_id),
    value: row.value,
    reason: row.reason,
    label: row.label,
    created_at: toIsoTime(row.created_at),
  }
}

export async function listBlockEntries(
  context: RequestContext,
  query: Parameters<typeof selectBlockRules>[1],
) {
  const { rows, total } = await selectBlockRules(context.deps.database.primary, query)
  return toPage(query, total, await translateLabels(context, rows.map(toBlockEntry)))
}

/** Labels titles with their names in the title language of the caller. A title in the bin keeps its original name. */
async function translateLabels(
  { deps, caller }: RequestContext,
  blockEntries: BlockEntry[],
): Promise<BlockEntry[]> {
  const titleIds = blockEntries.flatMap(({ type, media_id }) =>
    (type === 'movie' || type === 'tv') && media_id !== null ? [Number(media_id)] : [],
  )
  const titles = await selectTitlesInOrder(deps.database.primary, null, titleIds)
  const cardsById = await loadCardsById(deps, titles, getTitleLanguage(caller))
  return blockEntries.map((block) =>
    block.type === 'actor'
      ? block
      : { ...block, label: cardsById.get(Number(block.media_id))?.title ?? block.label },
  )
}

interface NewBlockEntry {
  type: BlockEntry['type']
  media_id?: string | undefined
  value?: string | undefined
  reason?: string | undefined
}

export async function createBlockEntry(context: RequestContext, input: NewBlockEntry): Promise<BlockEntry> {
  const { deps, caller } = context
  if (input.type === 'keyword' ? input.value === undefined : input.media_id === undefined) {
    throw createFieldProblem(input.type === 'keyword' ? 'value' : 'media_id', 'needed')
  }
  const block = await deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, CATALOGUE_IMPORT_LOCK)
    const media_id = input.type === 'keyword' ? null : parseId(input.media_id ?? '')
    const normalisedKeyword = input.type === 'keyword' ? requireKeyword(input.value ?? '') : null
    const label = await selectBlockRuleLabel(trx, { type: input.type, media_id, value: normalisedKeyword })
    if (label === undefined) throw new Problem('not_found')
    const row = await insertBlockRule(trx, {
      type: input.type,
      media_id,
      value: normalisedKeyword,
      reason: trimToVisibleText(input.reason ?? '') || null,
      created_by: caller.account.account_id,
      created_at: deps.now(),
    })
    if (!row) throw new Problem('conflict', { errors: { block: ['already_there'] } })
    await applyBlockRule(trx, row)
    await recordCallerAction(trx, context, { action: 'block_add', target: String(row.block_id) })
    return toBlockEntry({ ...row, label })
  })
  deps.bus.publish('catalogue', { kind: 'blocked' })
  const [translatedBlock = block] = await translateLabels(context, [block])
  return translatedBlock
}

export async function deleteBlockEntry(context: RequestContext, blockId: string): Promise<void> {
  const { deps } = context
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, CATALOGUE_IMPORT_LOCK)
    const row = await deleteBlockRule(trx, parseId(blockId))
    if (!row) throw new Problem('not_found')
    await applyBlockRule(trx, row)
    await recordCallerAction(trx, context, { action: 'block_remove', target: blockId })
  })
  deps.bus.publish('catalogue', { kind: 'unblocked' })
}

/** Returns the keyword in the form that titles store. Throws 422 when it has no visible characters. */
function requireKeyword(keyword: string): string {
  const visibleKeyword = validateVisibleText(keyword)
  if ('error' in visibleKeyword) throw createFieldProblem('value', visibleKeyword.error)
  return normaliseKeyword(visibleKeyword.text)
}
