import type { Db } from '../db/database.ts'

interface JobCount {
  kind: string
  status: string
  count: number
}

/** Number of jobs by kind and status. */
export async function selectJobCounts(db: Db): Promise<JobCount[]> {
  const rows = await db
    .selectFrom('job')
    .select(['kind', 'status'])
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .groupBy(['kind', 'status'])
    .orderBy('kind')
    .orderBy('status')
    .execute()
  return rows.map(({ kind, status, count }): JobCount => ({ kind, status, count: Number(count) }))
}

interface LoginCount {
  outcome: string
  count: number
}

/** Number of sign-in attempts in the audit log by outcome. */
export async function selectLoginCounts(db: Db): Promise<LoginCount[]> {
  const rows = await db
    .selectFrom('audit_event')
    .select('outcome')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('action', '=', 'login')
    .groupBy('outcome')
    .orderBy('outcome')
    .execute()
  return rows.map(({ outcome, count }): LoginCount => ({ outcome, count: Number(count) }))
}
