/** Reads the sections of an account export that are not viewing history (docs/importing-history.md). */

import { unpackGuideLimits } from '../../../src/lib/rules/maturity.ts'
import type { Db } from '../../db/database.ts'
import {
  ACCOUNT_EXPORT_SECTION_NAMES,
  ACCOUNT_EXPORT_SECTIONS,
  type AccountExportSection,
  type ExportColumnFormat,
  readAccountExportRows,
} from '../../queries/account-export.ts'
import { Audience } from '../../queries/title-scope.ts'
import { createEventLoopYield } from '../history-import/yield-to-event-loop.ts'
import { parseAuditDetails } from '../operations/audit.ts'
import { type ExportedProfile, toExportTime } from './history-entries.ts'

export interface AccountExport {
  accountId: string
  /** True if this device may enter the main profile. Otherwise, the MAIN_PROFILE_SECTIONS are not exported. */
  canEnterMainProfile: boolean
  profiles: readonly ExportedProfile[]
}
interface AccountExportEntry {
  section: AccountExportSection
  entry: Record<string, unknown>
}

/**
 * Sections that only the main profile may see. They contain email addresses of invited people (security.md,
 * decision 6), or titles that another profile may not see.
 */
const MAIN_PROFILE_SECTIONS: readonly AccountExportSection[] = ['invitations', 'activity', 'title_rules']

/**
 * Sections whose entries can name titles that the profile of the entry may not see: title rules and watch requests. If
 * this device may enter the main profile, such entries are exported too, because the main profile sees them in the
 * family settings.
 */
const HIDDEN_TITLE_SECTIONS: readonly AccountExportSection[] = ['title_rules', 'watch_requests']

/** Yields the entries, ordered by section and then by profile. */
export async function* readAccountEntries(
  db: Db,
  { accountId, canEnterMainProfile, profiles }: AccountExport,
): AsyncGenerator<AccountExportEntry> {
  const yieldToEventLoop = createEventLoopYield()
  for (const section of ACCOUNT_EXPORT_SECTION_NAMES) {
    if (!canEnterMainProfile && MAIN_PROFILE_SECTIONS.includes(section)) continue
    const { ownerKind, columns }: { ownerKind: string; columns: Record<string, ExportColumnFormat> } =
      ACCOUNT_EXPORT_SECTIONS[section]
    const accountAsOwner = { profileId: accountId, audience: Audience.unrestricted }
    const owners: readonly ExportedProfile[] = ownerKind === 'profile' ? profiles : [accountAsOwner]
    for (const { profileId: ownerId, audience: ownerAudience, name } of owners) {
      const audience =
        canEnterMainProfile && HIDDEN_TITLE_SECTIONS.includes(section) ? Audience.unrestricted : ownerAudience
      for await (const rows of readAccountExportRows(db, audience, ownerId, section)) {
        for (const { row, title } of rows) {
          const exportedRow = { ...title, ...formatColumns(row, columns) }
          const shouldIncludeProfileName = ownerKind === 'profile' && section !== 'profiles'
          yield { section, entry: shouldIncludeProfileName ? { ...exportedRow, profile: name } : exportedRow }
          await yieldToEventLoop()
        }
      }
    }
  }
}

const formatColumns = (row: Record<string, unknown>, columns: Record<string, ExportColumnFormat>) =>
  Object.fromEntries(
    Object.entries(columns).map(([column, format]) => [column, COLUMN_FORMATTERS[format](row[column])]),
  )

const COLUMN_FORMATTERS: Record<ExportColumnFormat, (value: unknown) => unknown> = {
  plain: (value) => value,
  flag: (value) => value === 1,
  time: toExportTime,
  guide: (value) => unpackGuideLimits(Number(value)),
  json: (value) => JSON.parse(String(value)),
  details: (value) => parseAuditDetails({ details: value === null ? null : String(value) }),
}
