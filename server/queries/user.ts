/** Accounts as an administrator sees them. */
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

interface Filters {
  search?: string | undefined
  role?: string | undefined
  blocked?: boolean | undefined
  page: number
  limit: number
}

export async function listAccounts(db: Db, { search, role, blocked, page, limit }: Filters) {
  let query = db.selectFrom('account')
  if (role) query = query.where('role', '=', role)
  if (blocked !== undefined) query = query.where('blocked', '=', blocked ? 1 : 0)
  if (search)
    query = query.where(
      sql<boolean>`email like ${`%${search.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`} escape '\\'`,
    )
  const rows = await query
    .selectAll('account')
    .select((eb) => [
      eb
        .selectFrom('profile')
        .whereRef('profile.account_id', '=', 'account.account_id')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('profiles'),
      eb
        .selectFrom('login')
        .whereRef('login.account_id', '=', 'account.account_id')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .as('devices'),
      eb
        .selectFrom('login')
        .whereRef('login.account_id', '=', 'account.account_id')
        .select((inner) => inner.fn.max('last_active_at').as('at'))
        .as('last_active'),
    ])
    .orderBy('created_at')
    .orderBy('account_id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}
