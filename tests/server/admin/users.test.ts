/** What administrators do to people: found, signed out, blocked, given a role; the last administrator stays. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Device } from '../../support/client.ts'
import { addAccount, DATABASES, PASSWORD } from '../../support/server.ts'
import { type Service, startService } from './service.ts'

describe.each(DATABASES)('on %s', (_name, open) => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ database: await open() })
  }, 60_000)
  afterAll(() => service.stop())

  async function person(email: string, role: 'admin' | 'user' = 'user') {
    const account = await addAccount(service.server, email, role)
    const device = new Device(service.server)
    await device.login(email)
    const { body } = await device.post('/api/profile', { name: 'Main' })
    device.profileId = body.profile_id
    return { id: account.account_id, device }
  }

  it('finds people by address, role and block', async () => {
    const { admin } = service
    const { id } = await person('erin_100%@example.com')
    await person('erin-other@example.com', 'admin')
    const found = async (query: string) =>
      ((await admin.get(`/api/auth/users?${query}`)).body.results as { email: string }[]).map(
        (one) => one.email,
      )
    expect(await found('search=ERIN')).toEqual(['erin_100%@example.com', 'erin-other@example.com'])
    expect(await found(`search=${encodeURIComponent('_100%')}`)).toEqual(['erin_100%@example.com'])
    expect(await found('search=erin&role=admin')).toEqual(['erin-other@example.com'])
    await admin.put('/api/auth/user', { user_id: id, blocked: true })
    expect(await found('search=erin&blocked=true')).toEqual(['erin_100%@example.com'])
    expect(await found('search=erin&blocked=false')).toEqual(['erin-other@example.com'])
  })

  it('lists devices, ends one, ends all, at once', async () => {
    const { admin, server } = service
    const { id, device } = await person('finn@example.com')
    const second = new Device(server)
    await second.login('finn@example.com')
    const devices = `/api/admin/users/${id}/devices`
    const { body } = await admin.get(devices)
    expect(body).toMatchObject({ total_results: 2 })
    for (const one of body.results) expect(one.current).toBe(false)
    const ended = body.results[0].device_id
    expect((await admin.delete(`/api/admin/users/${service.adminId}/devices/${ended}`)).status).toBe(404)
    expect((await admin.delete(`${devices}/${ended}`)).status).toBe(204)
    const states = [(await device.get('/api/auth/me')).status, (await second.get('/api/auth/me')).status]
    expect(states.sort()).toEqual([200, 401])
    expect((await admin.post(`/api/admin/users/${id}/sign-out`)).status).toBe(204)
    expect((await device.get('/api/auth/me')).status).toBe(401)
    expect((await second.get('/api/auth/me')).status).toBe(401)
    expect((await admin.get(devices)).body.total_results).toBe(0)
    expect((await admin.get('/api/admin/users/none/devices')).status).toBe(404)
    expect((await admin.post('/api/admin/users/none/sign-out')).status).toBe(404)
  })

  it('blocks and demotes at once, whatever token is still good', async () => {
    const { admin } = service
    const { id, device } = await person('gus@example.com', 'admin')
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

  it('keeps one administrator under any race', async () => {
    const { admin, server } = service
    const rest = await server.database.primary
      .updateTable('account')
      .set({ role: 'user' })
      .where('account_id', '!=', service.adminId)
      .execute()
    expect(rest.length).toBeGreaterThan(0)
    const others = [await person('h1@example.com', 'admin'), await person('h2@example.com', 'admin')]
    const all = [{ id: service.adminId, device: admin }, ...others]
    /* Everybody tries to be rid of everybody, themselves included, in every way there is. */
    await Promise.all(
      all.flatMap(({ device }) =>
        all.flatMap(({ id }) => [
          device.put('/api/auth/user', { user_id: id, role: 'user' }),
          device.put('/api/auth/user', { user_id: id, blocked: true }),
          device.delete(`/api/auth/user/${id}`),
          device.delete('/api/auth/user-account', { password: PASSWORD }),
        ]),
      ),
    )
    const left = await server.database.primary
      .selectFrom('account')
      .select('email')
      .where('role', '=', 'admin')
      .where('blocked', '=', 0)
      .execute()
    expect(left).toHaveLength(1)
  }, 60_000)
})
