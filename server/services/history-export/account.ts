/** Reads the sections of an account export that are not viewing history (docs/importing-history.md). */
import type { Db } from '../../db/open.ts'
import { ACCOUNT_PARTS, type AccountPart, accountRows, type Form } from '../../queries/account-export.ts'
import { detailsOf } from '../audit.ts'
import { breather } from '../history-import/breathe.ts'
import type { Of } from './entries.ts'

export interface Whole {
  accountId: string
  /** True if the main profile can be entered. Invitations and the activity log are exported only then. */
  main: boolean
  profiles: readonly Of[]
}
interface AccountEntry {
  section: AccountPart
  entry: Record<string, unknown>
}

/** Sections that only the main profile may see, because they contain addresses of invited people (security.md, decision 6). */
const MAIN_PROFILE_SECTIONS: readonly AccountPart[] = ['invitations', 'activity']

/** Yields the entries, ordered by section and then by profile. */
export async function* restOf(
  db: Db,
  { accountId, main: canEnterMain, profiles }: Whole,
): AsyncGenerator<AccountEntry> {
  const yieldToEventLoop = breather()
  for (const section of Object.keys(ACCOUNT_PARTS) as AccountPart[]) {
    if (!canEnterMain && MAIN_PROFILE_SECTIONS.includes(section)) continue
    const { of, columns }: { of: string; columns: Record<string, Form> } = ACCOUNT_PARTS[section]
    const account = { profileId: accountId, audience: { kids: false } }
    const owners: readonly Of[] = of === 'profile' ? profiles : [account]
    for (const { profileId: ownerId, audience, name } of owners) {
      for await (const rows of accountRows(db, audience, ownerId, section)) {
        for (const { row, title } of rows) {
          const fields = Object.entries(columns).map(([column, form]) => [
            column,
            FORMATTERS[form](row[column]),
          ])
          const entry = { ...title, ...Object.fromEntries(fields) }
          yield {
            section,
            entry: of === 'profile' && section !== 'profiles' ? { ...entry, profile: name } : entry,
          }
          await yieldToEventLoop()
        }
      }
    }
  }
}

const FORMATTERS: Record<Form, (value: unknown) => unknown> = {
  plain: (value) => value,
  flag: (value) => value === 1,
  time: (value) => (Number(value) > 0 ? new Date(Number(value)).toISOString() : null),
  json: (value) => JSON.parse(String(value)),
  details: (value) => detailsOf({ details: value === null ? null : String(value) }),
}
