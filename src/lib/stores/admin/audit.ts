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
const TEXT_FILTER_NAMES = ['action', 'search', 'user'] as const
/**
 * Returns the start of the day that is `addedDays` days after `date`, as an ISO timestamp. The day starts at midnight
 * in the time zone of this device, because the table displays local times. Returns undefined if `date` is missing or
 * invalid.
 */
function getStartOfDay(date: string | undefined, addedDays: 0 | 1): string | undefined {
  const start = new Date(`${date}T00:00`)
  start.setDate(start.getDate() + addedDays)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}

export const $auditEvents = createReadStore(
  audit.listAuditEvents,
  computed(createFiltersStore('audit'), (filters) => {
    if (!filters) return null
    const outcome = parseFilterChoice(filters, 'outcome', AUDIT_OUTCOMES)
    const textFilterEntries = TEXT_FILTER_NAMES.filter((name) => filters[name]).map((name) => [
      name,
      filters[name],
    ])
    const from = getStartOfDay(filters['from'], 0)
    const until = getStartOfDay(filters['to'], 1)
    return {
      query: {
        ...parsePaging(filters),
        ...(from && { from }),
        ...(until && { until }),
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
