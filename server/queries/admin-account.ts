/** Accounts with the details that administrators see. */

import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type PageRequest, selectPage } from './page.ts'
import { containsText } from './text-match.ts'

interface AccountFilters extends PageRequest {
  search?: string | undefined
  role?: string | undefined
  blocked?: boolean | undefined
}

/**
 * Returns a page of accounts. Each account has the number of its profiles, the number of its devices whose login has
 * not expired at `nowMs`, and the time of its last activity.
 */
export async function selectAccountsForAdmin(
  db: Db,
  { search, role, blocked, page, limit }: AccountFilters,
  nowMs: number,
) {
  let query = db.selectFrom('account')
  if (role) query = query.where('role', '=', role)
  if (blocked !== undefined) query = query.where('blocked', '=', blocked ? 1 : 0)
  if (search) query = query.where(containsText(db, sql.ref('email'), search))
  const rowsQuery = query
    .selectAll('account')
    .select((eb) => [
      eb
        .selectFrom('profile')
        .whereRef('profile.account_id', '=', 'account.account_id')
        .where('profile.deleted_at', 'is', null)
        .select((subquery) => subquery.fn.countAll<number>().as('count'))
        .as('profiles'),
      eb
        .selectFrom('login')
        .whereRef('login.account_id', '=', 'account.account_id')
        .where('login.expires_at', '>', nowMs)
        .select((subquery) => subquery.fn.countAll<number>().as('count'))
        .as('devices'),
      eb
        .selectFrom('login')
        .whereRef('login.account_id', '=', 'account.account_id')
        .select((subquery) => subquery.fn.max('last_active_at').as('at'))
        .as('last_active'),
    ])
    .orderBy('created_at')
    .orderBy('account_id')
  return selectPage(rowsQuery, query, { page, limit })
}
