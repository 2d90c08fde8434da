/** User administration: search, ending logins, blocking, roles, and protection of the last administrator. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, insertTestAccount, TEST_PASSWORD } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { type AdminTestServer, startAdminTestServer } from './admin-test-server.ts'

describe.each(DATABASES)('user administration on %s', (_name, openTestDatabase) => {
  let service: AdminTestServer
  beforeAll(async () => {
    service = await startAdminTestServer({ database: await openTestDatabase() })
  }, 60_000)
  afterAll(() => service.stop())

  async function addUser(email: string, role: 'admin' | 'user' = 'user') {
    const account = await insertTestAccount(service.server, email, role)
    const device = new TestClient(service.server)
    await device.login(email)
    const { body } = await device.post('/api/profile', { name: 'Main' })
    device.profileId = body.profile_id
    return { id: account.account_id, device }
  }

  it('finds accounts by email, role and blocked state', async () => {
    const { admin } = service
    const { id } = await addUser('erin_100%@example.com')
    await addUser('erin-other@example.com', 'admin')
    const findEmails = async (query: string) =>
      ((await admin.get(`/api/auth/users?${query}`)).body.results as { email: string }[]).map(
        (user) => user.email,
      )
    expect(await findEmails('search=ERIN')).toEqual(['erin_100%@example.com', 'erin-other@example.com'])
    expect(await findEmails(`search=${encodeURIComponent('_100%')}`)).toEqual(['erin_100%@example.com'])
    expect(await findEmails('search=erin&role=admin')).toEqual(['erin-other@example.com'])
    await admin.put('/api/auth/user', { user_id: id, blocked: true })
    expect(await findEmails('search=erin&blocked=true')).toEqual(['erin_100%@example.com'])
    expect(await findEmails('search=erin&blocked=false')).toEqual(['erin-other@example.com'])
  })

  it('lists the devices of an account, and signs out one device or all devices', async () => {
    const { admin, server } = service
    const { id, device } = await addUser('finn@example.com')
    const secondDevice = new TestClient(server)
    await secondDevice.login('finn@example.com')
    const devicesPath = `/api/admin/users/${id}/devices`
    const { body } = await admin.get(devicesPath)
    expect(body).toMatchObject({ total_results: 2 })
    for (const listedDevice of body.results) expect(listedDevice.current).toBe(false)
    const endedDeviceId = body.results[0].device_id
    expect(
      (await admin.delete(`/api/admin/users/${service.adminAccountId}/devices/${endedDeviceId}`)).status,
    ).toBe(404)
    expect((await admin.delete(`${devicesPath}/${endedDeviceId}`)).status).toBe(204)
    const statuses = [
      (await device.get('/api/auth/me')).status,
      (await secondDevice.get('/api/auth/me')).status,
    ]
    expect(statuses.sort()).toEqual([200, 401])
    expect((await admin.post(`/api/admin/users/${id}/sign-out`)).status).toBe(204)
    expect((await device.get('/api/auth/me')).status).toBe(401)
    expect((await secondDevice.get('/api/auth/me')).status).toBe(401)
    expect((await admin.get(devicesPath)).body.total_results).toBe(0)
    expect((await admin.get('/api/admin/users/none/devices')).status).toBe(404)
    expect((await admin.post('/api/admin/users/none/sign-out')).status).toBe(404)
  })

  it('counts and lists only the devices whose login has not expired', async () => {
    const { admin, server } = service
    const { id } = await addUser('hana@example.com')
    await new TestClient(server).login('hana@example.com')
    const expiredLogin = await server.database.primary
      .selectFrom('login')
      .select('sid')
      .where('account_id', '=', id)
      .executeTakeFirstOrThrow()
    await server.database.primary
      .updateTable('login')
      .set({ expires_at: server.deps.now() })
      .where('sid', '=', expiredLogin.sid)
      .execute()
    expect((await admin.get('/api/auth/users?search=hana')).body.results).toMatchObject([{ devices: 1 }])
    expect((await admin.get(`/api/admin/users/${id}/devices`)).body.total_results).toBe(1)
  })

  it('applies a block or a role change of an account immediately, even to a valid access token', async () => {
    const { admin } = service
    const { id, device } = await addUser('gus@example.com', 'admin')
    expect((await device.get('/api/admin/overview')).status).toBe(200)
    await admin.put('/api/auth/user', { user_id: id, role: 'user' })
    expect((await device.get('/api/admin/overview')).status).toBe(403)
    expect((await device.get('/api/auth/me')).body.role).toBe('user')
    await admin.put('/api/auth/user', { user_id: id, blocked: true })
    expect((await device.get('/api/auth/me')).status).toBe(401)
    expect((await device.post('/api/auth/refresh')).status).toBe(401)
    expect((await device.login('gus@example.com')).status).toBe(401)
    await admin.put('/api/auth/user', { user_id: id, blocked: false })
    expect((await device.login('gus@example.com')).status).toBe(200)
  })

  it('records each kind of change of an account in the audit log', async () => {
    const { admin, adminAccountId } = service
    const { id } = await addUser('ida@example.com')
    const changeUserAndListActions = async (change: Record<string, unknown>) => {
      const path = '/api/admin/audit?limit=100'
      const { total_results: formerTotal } = (await admin.get(path)).body
      expect((await admin.put('/api/auth/user', change)).status).toBe(200)
      const { total_results: newTotal, results } = (await admin.get(path)).body
      return results.slice(0, newTotal - formerTotal).map(({ action }: { action: string }) => action)
    }
    const preferences = { title_language: 'fr' }
    expect(await changeUserAndListActions({ user_id: id, role: 'admin' })).toEqual(['user_role'])
    expect(await changeUserAndListActions({ user_id: id, blocked: false })).toEqual(['user_block'])
    expect(await changeUserAndListActions({ user_id: id, preferences })).toEqual(['user_preferences'])
    expect(await changeUserAndListActions({ user_id: id, role: 'user', blocked: true, preferences })).toEqual(
      ['user_preferences', 'user_block', 'user_role'],
    )
    expect(await changeUserAndListActions({ user_id: adminAccountId, preferences })).toEqual([])
    expect(await changeUserAndListActions({ preferences })).toEqual([])
  })

  it.each([
    ['becomes a user', (id: string) => service.admin.put('/api/auth/user', { user_id: id, role: 'user' })],
    ['is blocked', (id: string) => service.admin.put('/api/auth/user', { user_id: id, blocked: true })],
    ['is deleted', (id: string) => service.admin.delete(`/api/auth/user/${id}`)],
  ])(
    'the invitations of an administrator become invalid when the administrator %s',
    async (descriptionOfChange, endAdministratorRights) => {
      const name = descriptionOfChange.replace(/\W/g, '-')
      const { id, device } = await addUser(`${name}@example.com`, 'admin')
      const createInvitation = async (client: TestClient) =>
        (await client.post('/api/auth/register/invite', { role: 'admin' })).body
      const endedInvitation = await createInvitation(device)
      const otherInvitation = await createInvitation(service.admin)
      expect((await endAdministratorRights(id)).status).toBeLessThan(300)
      const registerAccount = (token: string, email: string) =>
        new TestClient(service.server).send(
          'POST',
          '/api/auth/register',
          { email, password: TEST_PASSWORD },
          { Authorization: `Bearer ${token}` },
        )
      expect((await registerAccount(endedInvitation.token, `again-${name}@example.com`)).status).toBe(401)
      expect((await registerAccount(otherInvitation.token, `other-${name}@example.com`)).status).toBe(201)
      const { results } = (await service.admin.get('/api/auth/invitations?limit=100')).body
      const findInvitationState = ({ invitation_id }: { invitation_id: string }) =>
        results.find((row: { invitation_id: string }) => row.invitation_id === invitation_id)?.state
      expect([findInvitationState(endedInvitation), findInvitationState(otherInvitation)]).toEqual([
        'revoked',
        'used',
      ])
    },
  )

  it('keeps one administrator when all administrators demote, block and delete one another at the same time', async () => {
    const { admin, server } = service
    const { numUpdatedRows: demotedCount } = await server.database.primary
      .updateTable('account')
      .set({ role: 'user' })
      .where('role', '=', 'admin')
      .where('account_id', '!=', service.adminAccountId)
      .executeTakeFirstOrThrow()
    expect(demotedCount).toBeGreaterThan(0n)
    const otherAdmins = [await addUser('h1@example.com', 'admin'), await addUser('h2@example.com', 'admin')]
    const admins = [{ id: service.adminAccountId, device: admin }, ...otherAdmins]
    /* Every administrator demotes, blocks and deletes every administrator, including themselves. */
    await Promise.all(
      admins.flatMap(({ device }) =>
        admins.flatMap(({ id }) => [
          device.put('/api/auth/user', { user_id: id, role: 'user' }),
          device.put('/api/auth/user', { user_id: id, blocked: true }),
          device.delete(`/api/auth/user/${id}`),
          device.delete('/api/auth/user-account', { password: TEST_PASSWORD }),
        ]),
      ),
    )
    const remainingAdmins = await server.database.primary
      .selectFrom('account')
      .select('email')
      .where('role', '=', 'admin')
      .where('blocked', '=', 0)
      .execute()
    expect(remainingAdmins).toHaveLength(1)
  }, 60_000)
})
