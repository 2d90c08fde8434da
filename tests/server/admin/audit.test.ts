/** The audit log on both databases: who did what, in a chain of hashes that survives the going of an account. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectAuditActions } from '../../../server/queries/audit.ts'
import { verifyAuditChain } from '../../../server/services/operations/audit.ts'
import { Device } from '../../support/client.ts'
import { addAccount, DATABASES, PASSWORD } from '../../support/server.ts'
import { type Service, startService } from './service.ts'

interface Event {
  action: string
  actor: { pseudonym: string; user_id: string | null; email: string | null } | null
  device_name: string | null
}

describe.each(DATABASES)('on %s', (_name, open) => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ database: await open() })
  }, 60_000)
  afterAll(() => service.stop())
  const events = async (query = ''): Promise<Event[]> =>
    (await service.admin.get(`/api/admin/audit?limit=100${query}`)).body.results

  it('says who did what, newest first, and filters', async () => {
    const { server, admin } = service
    await addAccount(server, 'bob@example.com')
    const bob = new Device(server)
    await bob.login('bob@example.com', 'wrong')
    await bob.login('bob@example.com')
    await admin.post('/api/settings', { key: 'invitation_days', value: 3 })
    const all = await events()
    expect(all[0]).toMatchObject({ action: 'setting_change', actor: { email: 'admin@example.com' } })
    const failed = await events('&outcome=failed')
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatchObject({ action: 'login', actor: { email: 'bob@example.com' } })
    expect((await events('&search=BOB')).map((one) => one.action)).toEqual(['login', 'login'])
    expect((await events(`&user=${service.adminId}&action=login`)).length).toBe(1)
    const today = new Date().toISOString().slice(0, 10)
    expect((await events(`&from=${today}&to=${today}`)).length).toBe(all.length)
    expect(await events('&to=2020-01-01')).toEqual([])
    const { body } = await admin.get('/api/admin/audit')
    expect(body.actions).toEqual([...new Set(all.map((one) => one.action))].sort())
    expect(body.limit).toBe(20)
    expect(await selectAuditActions(server.database.primary)).toEqual(body.actions)
  })

  it('verifies, and goes on verifying after an account is gone, which nobody can name any more', async () => {
    const { server, admin } = service
    const { account_id } = await addAccount(server, 'carol@example.com')
    const carol = new Device(server)
    await carol.login('carol@example.com')
    const [before] = await events('&search=carol')
    expect(before?.device_name).toBeTruthy()
    expect((await admin.post('/api/admin/audit/verify')).body).toMatchObject({
      verified: true,
      broken_at: null,
    })
    expect((await carol.delete('/api/auth/user-account', { password: PASSWORD })).status).toBe(204)
    const after = (await events()).filter((one) => one.actor?.pseudonym === before?.actor?.pseudonym)
    expect(after.map((one) => one.action)).toEqual(['account_delete', 'login'])
    for (const one of after) {
      expect(one.actor).toMatchObject({ user_id: null, email: null })
      expect(one.device_name).toBeNull()
    }
    const stored = await server.database.primary.selectFrom('audit_event').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(account_id)
    expect((await admin.post('/api/admin/audit/verify')).body).toMatchObject({ verified: true })
  })

  it('keeps what an administrator deleted, and verifies', async () => {
    const { server, admin } = service
    const { account_id } = await addAccount(server, 'dave@example.com', 'admin')
    const dave = new Device(server)
    await dave.login('dave@example.com')
    expect((await admin.delete(`/api/auth/user/${account_id}`)).status).toBe(204)
    expect((await events('&action=user_delete'))[0]?.actor?.email).toBe('admin@example.com')
    expect((await verifyAuditChain(server.deps, { whole: true })).verified).toBe(true)
    expect((await verifyAuditChain(server.deps, { whole: false })).verified).toBe(true)
  })

  it.each([
    ['an outcome', { outcome: 'ok' }, { outcome: 'denied' }],
    ['details', { details: null }, { details: '{"salt":"x","device_name":"another"}' }],
    ['a time', {}, { at: 1 }],
    ['whose it was', {}, { subject: null }],
  ])('notices that %s was changed', async (_what, _from, change) => {
    const { primary } = service.server.database
    const row = await primary
      .selectFrom('audit_event')
      .selectAll()
      .where('subject', 'is not', null)
      .orderBy('audit_id')
      .limit(1)
      .executeTakeFirstOrThrow()
    const mine = primary.updateTable('audit_event').where('audit_id', '=', row.audit_id)
    await mine.set(change).execute()
    expect((await service.admin.post('/api/admin/audit/verify')).body).toMatchObject({
      verified: false,
      broken_at: String(row.audit_id),
    })
    expect((await service.admin.get('/api/admin/overview')).body.warnings).toContain('audit_broken')
    const { audit_id: _id, ...whole } = row
    await mine.set(whole).execute()
    expect((await service.admin.post('/api/admin/audit/verify')).body.verified).toBe(true)
  })

  it('notices that an event was taken out, in the middle or at the end', async () => {
    const { primary } = service.server.database
    const rows = await primary.selectFrom('audit_event').selectAll().orderBy('audit_id').execute()
    for (const row of [rows.at(3), rows.at(-1)]) {
      if (!row) throw new Error('too few')
      await verifyAuditChain(service.server.deps, { whole: true })
      await primary.deleteFrom('audit_event').where('audit_id', '=', row.audit_id).execute()
      expect((await verifyAuditChain(service.server.deps, { whole: true })).verified).toBe(false)
      await primary.insertInto('audit_event').values(row).execute()
      expect((await verifyAuditChain(service.server.deps, { whole: true })).verified).toBe(true)
    }
  })
})
