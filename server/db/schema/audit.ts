/** Tables of the audit log. */
import type { Generated } from 'kysely'
import type { TimestampMs } from './column-types.ts'

export interface AuditTables {
  /** Pseudonym of an account in the audit log. It is deleted with the account, so that the events become anonymous. */
  audit_subject: { account_id: string; subject: string }
  audit_event: {
    audit_id: Generated<number>
    at: TimestampMs
    request_id: string
    subject: string | null
    action: string
    target: string | null
    outcome: string
    /**
     * JSON: a salt, and details such as sid, profile, device and IP address. Set to null when the account is deleted.
     * The hash chain covers only the hash of the details.
     */
    details: string | null
    details_hash: string
    previous_hash: string
    hash: string
  }
  /**
   * A single row that is changed together with the audit log. It contains the number of appended events and the
   * number of events that retention has deleted. It also contains the hashes of the newest event and of the newest
   * deleted event. The row shows whether events are missing at either end of the log.
   */
  audit_anchor: {
    anchor_id: number
    appended_count: number
    last_hash: string
    removed_count: number
    removed_hash: string
  }
}
