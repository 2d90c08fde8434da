import { atom, computed } from 'nanostores'
import { call } from '../../client/call.ts'
import * as audit from '../../contract/admin-audit.ts'
import type { ReplyOf } from '../../contract/endpoint.ts'
import { read } from '../query.ts'
import { toast } from '../toast.ts'
import { reasonOf } from './act.ts'
import { choiceOf, filtersIn, pageOf } from './view.ts'

export const OUTCOMES = ['ok', 'denied', 'failed'] as const
const TEXT_FILTERS = ['action', 'search', 'user', 'from', 'to'] as const
export const $audit = read(
  audit.listAudit,
  computed(filtersIn('audit'), (filters) => {
    if (!filters) return null
    const outcome = choiceOf(filters, 'outcome', OUTCOMES)
    const textFilters = TEXT_FILTERS.filter((name) => filters[name]).map((name) => [name, filters[name]])
    return {
      query: { page: pageOf(filters), ...(outcome && { outcome }), ...Object.fromEntries(textFilters) },
    }
  }),
)

export const $verdict = atom<ReplyOf<typeof audit.verifyAudit> | null>(null)
export async function verifyAudit(): Promise<void> {
  try {
    $verdict.set(await call(audit.verifyAudit))
  } catch (error) {
    toast(reasonOf(error), { kind: 'bad' })
  }
}
