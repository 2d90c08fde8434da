import { computed } from 'nanostores'
import { callApi } from '../../client/call.ts'
import * as audit from '../../contract/admin-audit.ts'
import type { ReplyOf } from '../../contract/endpoint.ts'
import { perProfile } from '../per-profile.ts'
import { createReadStore } from '../query.ts'
import { showToast } from '../toast.ts'
import { createFiltersStore, parseFilterChoice, parsePaging } from './dashboard-view.ts'
import { getErrorMessageKey } from './run-action.ts'

export const AUDIT_OUTCOMES = ['ok', 'denied', 'failed'] as const
const TEXT_FILTER_NAMES = ['action', 'search', 'user', 'from', 'to'] as const
export const $auditEvents = createReadStore(
  audit.listAuditEvents,
  computed(createFiltersStore('audit'), (filters) => {
    if (!filters) return null
    const outcome = parseFilterChoice(filters, 'outcome', AUDIT_OUTCOMES)
    const textFilterEntries = TEXT_FILTER_NAMES.filter((name) => filters[name]).map((name) => [
      name,
      filters[name],
    ])
    return {
      query: {
        ...parsePaging(filters),
        ...(outcome && { outcome }),
        ...Object.fromEntries(textFilterEntries),
      },
    }
  }),
)

export const $auditVerification = perProfile<ReplyOf<typeof audit.verifyAuditChain> | null>(() => null)
export async function verifyAuditLog(): Promise<void> {
  try {
    $auditVerification.set(await callApi(audit.verifyAuditChain))
  } catch (error) {
    showToast(getErrorMessageKey(error), { kind: 'bad' })
  }
}
