/**
 * The audit log on SQLite and PostgreSQL: its list and filters, and its hash chain, which stays valid after an account
 * is deleted.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectAuditActions } from '../../../server/queries/audit.ts'
import { deleteOldAuditEvents } from '../../../server/queries/audit-chain.ts'
import { verifyAuditChain } from '../../../server/services/operations/audit.ts'
import { DATABASES, insertTestAccount, TEST_PASSWORD } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { type AdminTestServer, startAdminTestServer } from './admin-test-server.ts'

const DAY_MS = 86_400_000

interface ListedAuditEvent {
  at: string
  action: string
  actor: { pseudonym: string; user_id: string | null; email: string | null } | null
  device_name: string | null
}

describe.each(DATABASES)('audit log on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  beforeAll(async () => {
    service = await startAdminTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => service.stop())
  /** Verifies the whole log like a process that has just started, without the results of earlier verifications. */
  const verifyLogInNewProcess = () => {
    const { database, deps } = service.server
    return verifyAuditChain({ database: { ...database }, now: deps.now }, { fromStart: true })
  }
  const deleteEventsBefore = (beforeMs: number) =>
    service.server.database.primary
      .transaction()
      .execute((trx) => deleteOldAuditEvents(trx, { beforeMs, nowMs: service.server.deps.now() }))
  const listRows = () =>
    service.server.database.primary.selectFrom('audit_event').selectAll().orderBy('audit_id').execute()
  const setEventTime = (row: { audit_id: number } | undefined, at = 0) =>
    service.server.database.primary
      .updateTable('audit_event')
      .set({ at })
      .where('audit_id', '=', row?.audit_id ?? 0)
      .execute()
  const listEvents = async (query = ''): Promise<ListedAuditEvent[]> =>
    (await service.admin.get(`/api/admin/audit?limit=100${query}`)).body.results

  it('lists events newest first and filters them by outcome, search text, user, action and date', async () => {
    const { server, admin } = service
    await insertTestAccount(server, 'bob@example.com')
    const bob = new TestClient(server)
    await bob.login('bob@example.com', 'wrong')
    await bob.login('bob@example.com')
    await admin.post('/api/settings', { key: 'invitation_days', value: 3 })
    const allEvents = await listEvents()
    expect(allEvents[0]).toMatchObject({ action: 'setting_change', actor: { email: 'admin@example.com' } })
    const failedEvents = await listEvents('&outcome=failed')
    expect(failedEvents).toHaveLength(1)
    expect(failedEvents[0]).toMatchObject({ action: 'login', actor: { email: 'bob@example.com' } })
    expect((await listEvents('&search=BOB')).map((event) => event.action)).toEqual(['login', 'login'])
    expect((await listEvents(`&user=${service.adminAccountId}&action=login`)).length).toBe(1)
    const [lastEvent] = allEvents
    const encodeTime = (timeMs: number) => encodeURIComponent(new Date(timeMs).toISOString())
    const lastEventMs = Date.parse(lastEvent?.at ?? '')
    const eventsOfSameTime = await listEvents(
      `&from=${encodeTime(lastEventMs)}&until=${encodeTime(lastEventMs + 1)}`,
    )
    expect(eventsOfSameTime).toContainEqual(lastEvent)
    expect(eventsOfSameTime.every(({ at }) => at === lastEvent?.at)).toBe(true)
    expect(await listEvents(`&until=${encodeTime(lastEventMs)}`)).not.toContainEqual(lastEvent)
    expect(await listEvents(`&until=${encodeTime(Date.parse('2020-01-01'))}`)).toEqual([])
    expect((await listEvents(`&from=${encodeTime(Date.parse('2020-01-01'))}`)).length).toBe(allEvents.length)
    const { body } = await admin.get('/api/admin/audit')
    expect(body.actions).toEqual([...new Set(allEvents.map((event) => event.action))].sort())
    expect(body.limit).toBe(20)
    expect(await selectAuditActions(server.database.primary)).toEqual(body.actions)
  })

  it('passes verification after an account is deleted, and no longer identifies that account', async () => {
    const { server, admin } = service
    const { account_id } = await insertTestAccount(server, 'carol@example.com')
    const carol = new TestClient(server)
    await carol.login('carol@example.com')
    const [eventBefore] = await listEvents('&search=carol')
    expect(eventBefore?.device_name).toBeTruthy()
    expect((await admin.post('/api/admin/audit/verify')).body).toMatchObject({
      verified: true,
      broken_at: null,
    })
    expect((await carol.delete('/api/auth/user-account', { password: TEST_PASSWORD })).status).toBe(204)
    const eventsAfter = (await listEvents()).filter(
      (event) => event.actor?.pseudonym === eventBefore?.actor?.pseudonym,
    )
    expect(eventsAfter.map((event) => event.action)).toEqual(['account_delete', 'login'])
    for (const event of eventsAfter) {
      expect(event.actor).toMatchObject({ user_id: null, email: null })
      expect(event.device_name).toBeNull()
    }
    const storedEvents = await server.database.primary.selectFrom('audit_event').selectAll().execute()
    expect(JSON.stringify(storedEvents)).not.toContain(account_id)
    expect((await admin.post('/api/admin/audit/verify')).body).toMatchObject({ verified: true })
  })

  it('records the deletion of an administrator account and passes verification afterwards', async () => {
    const { server, admin } = service
    const { account_id } = await insertTestAccount(server, 'dave@example.com', 'admin')
    const dave = new TestClient(server)
    await dave.login('dave@example.com')
    expect((await admin.delete(`/api/auth/user/${account_id}`)).status).toBe(204)
    expect((await listEvents('&action=user_delete'))[0]?.actor?.email).toBe('admin@example.com')
    expect((await verifyAuditChain(server.deps, { fromStart: true })).verified).toBe(true)
    expect((await verifyAuditChain(server.deps, { fromStart: false })).verified).toBe(true)
  })

  it.each([
    ['the outcome', { outcome: 'ok' }, { outcome: 'denied' }],
    ['the details', { details: null }, { details: '{"salt":"x","device_name":"another"}' }],
    ['the time', {}, { at: 1 }],
    ['the subject', {}, { subject: null }],
  ])('verification fails after a change of %s of an event', async (_field, _original, columnChange) => {
    const { primary } = service.server.database
    const eventRow = await primary
      .selectFrom('audit_event')
      .selectAll()
      .where('subject', 'is not', null)
      .orderBy('audit_id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const rowUpdate = primary.updateTable('audit_event').where('audit_id', '=', eventRow.audit_id)
    await rowUpdate.set(columnChange).execute()
    expect((await service.admin.post('/api/admin/audit/verify')).body).toMatchObject({
      verified: false,
      broken_at: String(eventRow.audit_id),
    })
    expect((await service.admin.get('/api/admin/overview')).body.warnings).toContain('audit_broken')
    const { audit_id: _id, ...originalValues } = eventRow
    await rowUpdate.set(originalValues).execute()
    expect((await service.admin.post('/api/admin/audit/verify')).body.verified).toBe(true)
  })

  it('verification fails when an event was deleted from the middle or the end', async () => {
    const { primary } = service.server.database
    const rows = await primary.selectFrom('audit_event').selectAll().orderBy('audit_id').execute()
    for (const row of [rows.at(3), rows.at(-1)]) {
      if (!row) throw new Error('fewer audit events than expected')
      await verifyAuditChain(service.server.deps, { fromStart: true })
      await primary.deleteFrom('audit_event').where('audit_id', '=', row.audit_id).execute()
      expect((await verifyAuditChain(service.server.deps, { fromStart: true })).verified).toBe(false)
      await primary.insertInto('audit_event').values(row).execute()
      expect((await verifyAuditChain(service.server.deps, { fromStart: true })).verified).toBe(true)
    }
  })

  it.each([
    ['the newest event', (ids: number[]) => ids.slice(-1)],
    ['the newest ten events', (ids: number[]) => ids.slice(-10)],
    ['the oldest event', (ids: number[]) => ids.slice(0, 1)],
    ['all events', (ids: number[]) => ids],
  ])('verification in a new process fails after the deletion of %s', async (_events, chooseDeletedIds) => {
    const { primary } = service.server.database
    const rows = await primary.selectFrom('audit_event').selectAll().orderBy('audit_id').execute()
    const deletedIds = chooseDeletedIds(rows.map((row) => row.audit_id))
    await primary.deleteFrom('audit_event').where('audit_id', 'in', deletedIds).execute()
    expect((await verifyLogInNewProcess()).verified).toBe(false)
    const { email } = await insertTestAccount(service.server, `${crypto.randomUUID()}@example.com`)
    await new TestClient(service.server).login(email)
    expect((await verifyLogInNewProcess()).verified).toBe(false)
    const { audit_id: newId } = await primary
      .selectFrom('audit_event')
      .select((eb) => eb.fn.max('audit_id').as('audit_id'))
      .executeTakeFirstOrThrow()
    const newRowQuery = primary.selectFrom('audit_event').selectAll().where('audit_id', '=', newId)
    const { hash, previous_hash } = await newRowQuery.executeTakeFirstOrThrow()
    expect([hash === previous_hash, previous_hash]).toEqual([false, rows.at(-1)?.hash])
    await primary
      .insertInto('audit_event')
      .values(rows.filter((row) => deletedIds.includes(row.audit_id)))
      .execute()
    expect((await verifyLogInNewProcess()).verified).toBe(true)
  })

  it('retention keeps an event of today although the clock was years behind when a later event was written', async () => {
    const rows = await listRows()
    await setEventTime(rows.at(-1), 1)
    expect(await deleteEventsBefore(service.server.deps.now() - DAY_MS)).toBe(0)
    expect(await listRows()).toHaveLength(rows.length)
    await setEventTime(rows.at(-1), rows.at(-1)?.at)
  })

  it('after the clock is set back two days, retention keeps the events whose time is in the future', async () => {
    const rows = await listRows()
    for (const row of rows.slice(0, -1)) await setEventTime(row, row.at + 2 * DAY_MS)
    expect(await deleteEventsBefore(service.server.deps.now() - DAY_MS)).toBe(0)
    expect(await listRows()).toHaveLength(rows.length)
    for (const row of rows) await setEventTime(row, row.at)
  })

  it('retention also deletes an event whose time is years in the future if the event stands between old events', async () => {
    const [firstRow, secondRow, thirdRow, ...otherRows] = await listRows()
    await setEventTime(firstRow, 1)
    await setEventTime(secondRow, service.server.deps.now() + 5 * 365 * DAY_MS)
    await setEventTime(thirdRow, 2)
    expect(await deleteEventsBefore(service.server.deps.now() - DAY_MS)).toBe(3)
    expect(await listRows()).toEqual(otherRows)
    expect((await verifyLogInNewProcess()).verified).toBe(true)
  })

  it('passes verification after retention deletes old events, and fails verification when another event is missing', async () => {
    const { primary } = service.server.database
    const rows = await primary.selectFrom('audit_event').selectAll().orderBy('audit_id').execute()
    const lastOldEvent = rows[4]
    if (!lastOldEvent) throw new Error('fewer audit events than expected')
    const beforeMs = Math.max(...rows.slice(0, 5).map((row) => row.at)) + 1
    const deletedCount = await deleteEventsBefore(beforeMs)
    expect(deletedCount).toBeGreaterThanOrEqual(5)
    expect(await verifyLogInNewProcess()).toMatchObject({
      verified: true,
      eventCount: rows.length - deletedCount,
    })
    await primary
      .deleteFrom('audit_event')
      .where('audit_id', '=', rows[deletedCount]?.audit_id ?? 0)
      .execute()
    expect((await verifyLogInNewProcess()).verified).toBe(false)
  })
})
