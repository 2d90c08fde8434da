import type { Db } from '../db/open.ts'

export async function countNames(db: Db): Promise<number> {
  let total = 0
  for (const table of ['title_name', 'person_name'] as const) {
    const { n } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    total += Number(n)
  }
  return total
}

interface Batch {
  table: 'title_name' | 'person_name'
  /** The last id done. */
  after: number
  limit: number
  fold: (text: string) => string
}

/** Folds the names of the next ids; `last` is null when there were none. Writes only names that change. */
export async function refoldNames(
  db: Db,
  { table, after, limit, fold }: Batch,
): Promise<{ last: number | null; rows: number }> {
  return db.transaction().execute(async (trx) => {
    const key = table === 'title_name' ? 'title_id' : 'person_id'
    const ids = await trx
      .selectFrom(table)
      .select(`${key} as id` as never)
      .distinct()
      .where(key as never, '>', after as never)
      .orderBy(key as never)
      .limit(limit)
      .execute()
    const last = (ids.at(-1) as { id: number } | undefined)?.id ?? null
    if (last === null) return { last, rows: 0 }
    const rows = await trx
      .selectFrom(table)
      .select(['lang', 'text', 'folded', `${key} as id` as never])
      .where(key as never, '>', after as never)
      .where(key as never, '<=', last as never)
      .execute()
    for (const row of rows as unknown as { id: number; lang: string; text: string; folded: string }[]) {
      const folded = fold(row.text)
      if (folded === row.folded) continue
      await trx
        .updateTable(table)
        .set({ folded })
        .where(key as never, '=', row.id as never)
        .where('lang', '=', row.lang)
        .where('text', '=', row.text)
        .execute()
    }
    return { last, rows: rows.length }
  })
}
