/** The rest of an account's file: what is kept of it and of its profiles beside history (docs/importing-history.md). */
import type { Db } from '../../db/open.ts'
import { ACCOUNT_PARTS, type AccountPart, accountRows, type Form } from '../../queries/account-export.ts'
import { detailsOf } from '../audit.ts'
import { breather } from '../history-import/breathe.ts'
import type { Of } from './entries.ts'

export interface Whole {
  accountId: string
  /** The account's own, and what its devices did, are its main profile's to see. */
  main: boolean
  profiles: readonly Of[]
}
export interface Rest {
  part: AccountPart
  entry: Record<string, unknown>
}

/** What only the main profile may see (security.md, decision 6): addresses of those who were invited, and the log. */
const OF_MAIN: readonly AccountPart[] = ['invitations', 'activity']

/** By part, then by profile. */
export async function* restOf(db: Db, { accountId, main, profiles }: Whole): AsyncGenerator<Rest> {
  const breathe = breather()
  for (const part of Object.keys(ACCOUNT_PARTS) as AccountPart[]) {
    if (!main && OF_MAIN.includes(part)) continue
    const { of, columns }: { of: string; columns: Record<string, Form> } = ACCOUNT_PARTS[part]
    const account = { profileId: accountId, audience: { kids: false } }
    const owners: readonly Of[] = of === 'profile' ? profiles : [account]
    for (const { profileId: ownerId, audience, name } of owners) {
      for await (const rows of accountRows(db, audience, ownerId, part)) {
        for (const { row, title } of rows) {
          const said = Object.entries(columns).map(([column, form]) => [column, FORMS[form](row[column])])
          const entry = { ...title, ...Object.fromEntries(said) }
          yield { part, entry: of === 'profile' && part !== 'profiles' ? { ...entry, profile: name } : entry }
          await breathe()
        }
      }
    }
  }
}

const FORMS: Record<Form, (value: unknown) => unknown> = {
  plain: (value) => value,
  flag: (value) => value === 1,
  time: (value) => (Number(value) > 0 ? new Date(Number(value)).toISOString() : null),
  json: (value) => JSON.parse(String(value)),
  details: (value) => detailsOf({ details: value === null ? null : String(value) }),
}
