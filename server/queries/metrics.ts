import type { Db } from '../db/open.ts'

export async function jobCounts(db: Db): Promise<{ kind: string; status: string; n: number }[]> {
  const rows = await db
    .selectFrom('job')
    .select(['kind', 'status'])
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .groupBy(['kind', 'status'])
    .orderBy('kind')
    .orderBy('status')
    .execute()
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}

export async function loginCounts(db: Db): Promise<{ outcome: string; n: number }[]> {
  const rows = await db
    .selectFrom('audit_event')
    .select('outcome')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('action', '=', 'login')
    .groupBy('outcome')
    .orderBy('outcome')
    .execute()
  return rows.map((row) => ({ ...row, n: Number(row.n) }))
}
