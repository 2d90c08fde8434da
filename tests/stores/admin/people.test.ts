/** The dashboard's sections for accounts, invitations and the audit log. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AuditEvent } from '../../../src/lib/contract/admin-audit.ts'
import type { AccountSummary } from '../../../src/lib/contract/admin-users.ts'
import { insertTestAccount } from '../../support/server.ts'
import { signInHousehold } from '../../support/store-environment.ts'
import { TestClient } from '../../support/test-client.ts'
import { waitFor } from '../../support/wait-for.ts'

const { actAs, switchTo, credentials, network, server } = await signInHousehold(
  'http://marquee.example/dashboard/',
)
const { $dashboardView, changeDashboardFilters, openDashboardSection } = await import(
  '../../../src/lib/stores/admin/dashboard-view.ts'
)
const usersStore = await import('../../../src/lib/stores/admin/users.ts')
const { $invitations, revokeInvitation, createInvitation } = await import(
  '../../../src/lib/stores/admin/invitations.ts'
)
const { $auditEvents, $auditVerification, verifyAuditLog } = await import(
  '../../../src/lib/stores/admin/audit.ts'
)
const tableLayouts = await import('../../../src/lib/stores/admin/table-layouts.ts')
const { $toast } = await import('../../../src/lib/stores/toast.ts')

const stores = [usersStore.$users, usersStore.$userDevices, $invitations, $auditEvents, $toast]
for (const $store of stores) $store.listen(() => {})
const waitUntilSettled = async <T>(promise: Promise<T>) => {
  const settledValue = await promise
  await network.waitUntilIdle()
  return settledValue
}
const openSection = async (section: 'users' | 'invitations' | 'audit', filters = {}) => {
  openDashboardSection(section, filters)
  await waitFor(() => expect($dashboardView.get().section).toBe(section))
  await network.waitUntilIdle()
}
const pressUndo = async () => {
  $toast.get()?.undo?.()
  await network.waitUntilIdle()
}
const findAccount = (email: string) =>
  usersStore.$users.get().data?.results.find((account) => account.email === email) as AccountSummary
let accountCount = 0
/** Adds an account and opens the dashboard section that lists the accounts. */
const addUser = async () => {
  accountCount += 1
  const email = `user-${accountCount}@example.org`
  await insertTestAccount(server, email)
  await actAs('adult')
  await openSection('users')
  return email
}

beforeEach(() => actAs('adult'))

describe('accounts', () => {
  it('an account is created with a password, and a second account with the same email is rejected', async () => {
    await openSection('users')
    const newUser = { email: 'created@example.org', password: 'Lumiere1895', role: 'user' as const }
    expect(await waitUntilSettled(usersStore.createUser(newUser))).toBeNull()
    expect(findAccount('created@example.org')).toMatchObject({ role: 'user', blocked: false })
    expect($toast.get()?.key).toBe('dashboardpeople:created')
    expect(await usersStore.createUser(newUser)).toBe('dashboardpeople:emailTaken')
  })

  it('a password reset link can be created for an account', async () => {
    const email = await addUser()
    const resetLink = await usersStore.createPasswordResetLink(findAccount(email))
    expect(resetLink).toEqual({
      url: expect.stringContaining('/reset/?token='),
      expires_at: expect.any(String),
    })
  })

  it('the list of accounts can be filtered by role and searched by email', async () => {
    const email = await addUser()
    expect(findAccount(email)).toMatchObject({ role: 'user', blocked: false })
    changeDashboardFilters({ role: 'admin' })
    await network.waitUntilIdle()
    expect(usersStore.$users.get().data?.results.map((account) => account.email)).toEqual([credentials.email])
    changeDashboardFilters({ role: '', search: email, state: 'active' }, 'replace')
    await network.waitUntilIdle()
    expect(usersStore.$users.get().data?.results.map((account) => account.email)).toEqual([email])
  })

  it('making an account an administrator can be reverted with Undo', async () => {
    const email = await addUser()
    await waitUntilSettled(usersStore.setUserRole(findAccount(email), 'admin'))
    expect($toast.get()).toMatchObject({ key: 'dashboardpeople:promoted' })
    expect(findAccount(email).role).toBe('admin')
    await pressUndo()
    expect(findAccount(email).role).toBe('user')
  })

  it('removing the administrator role from the last administrator fails with an error message', async () => {
    await openSection('users')
    await waitUntilSettled(usersStore.setUserRole(findAccount(credentials.email), 'user'))
    expect($toast.get()).toMatchObject({ key: 'dashboard:lastAdmin', kind: 'bad' })
    expect(findAccount(credentials.email).role).toBe('admin')
  })

  it('blocking an account can be reverted with Undo', async () => {
    const email = await addUser()
    await waitUntilSettled(usersStore.setUserBlocked(findAccount(email), true))
    expect(findAccount(email).blocked).toBe(true)
    await pressUndo()
    expect(findAccount(email).blocked).toBe(false)
  })

  it('an account can be signed out on one device or on all devices', async () => {
    const email = await addUser()
    for (let deviceIndex = 0; deviceIndex < 2; deviceIndex++) await new TestClient(server).login(email)
    const { user_id } = findAccount(email)
    usersStore.$deviceListUserId.set(user_id)
    await network.waitUntilIdle()
    const listDevices = () => usersStore.$userDevices.get().data?.results ?? []
    expect(listDevices()).toHaveLength(2)
    await waitUntilSettled(usersStore.signOutDeviceOfUser(user_id, listDevices()[0]?.device_id ?? ''))
    expect(listDevices()).toHaveLength(1)
    await waitUntilSettled(usersStore.signOutAllDevices(findAccount(email)))
    expect(listDevices()).toEqual([])
    usersStore.$deviceListUserId.set(null)
  })

  it('deleting an account removes the account from the list and shows a message', async () => {
    const email = await addUser()
    await waitUntilSettled(usersStore.deleteUser(findAccount(email)))
    expect(findAccount(email)).toBeUndefined()
    expect($toast.get()).toMatchObject({ key: 'dashboardpeople:deleted' })
  })

  it('a failed request to block an account shows an error message', async () => {
    const email = await addUser()
    network.failNext(/PUT \/api\/auth\/user/, 0)
    await waitUntilSettled(usersStore.setUserBlocked(findAccount(email), true))
    expect($toast.get()).toMatchObject({ key: 'dashboard:offline', kind: 'bad' })
  })
})

describe('invitations', () => {
  it('an invitation can be created and revoked, and revoking an unknown invitation shows an error message', async () => {
    await openSection('invitations')
    const { url } = await waitUntilSettled(createInvitation({}))
    expect(url).toContain('/signup/')
    const [invitation] = $invitations.get().data?.results ?? []
    await waitUntilSettled(revokeInvitation(invitation?.invitation_id ?? ''))
    expect($toast.get()).toMatchObject({ key: 'dashboardpeople:revoked' })
    await waitUntilSettled(revokeInvitation('nothing'))
    expect($toast.get()).toMatchObject({ key: 'errors:gone', kind: 'bad' })
  })
})

describe('the audit log', () => {
  it.each(['America/New_York', 'UTC', 'Asia/Riyadh'])(
    'a day in the filters means the time from midnight to midnight in the device time zone %s, and an invalid day is ignored',
    async (timeZone) => {
      vi.stubEnv('TZ', timeZone)
      await openSection('audit', { from: '2026-11-01', to: '2026-11-01' })
      const { url } = network.requests.findLast((request) => request.url.includes('/audit')) ?? { url: '' }
      const query = new URL(url, 'http://marquee.example').searchParams
      // In New York, clocks change on this day, which therefore has 25 hours.
      const bounds = { from: new Date(2026, 10, 1), until: new Date(2026, 10, 2) }
      expect(Object.fromEntries(query)).toMatchObject({
        from: bounds.from.toISOString(),
        until: bounds.until.toISOString(),
      })
      expect($auditEvents.get()).toMatchObject({ data: { results: [] }, loading: false })
      await openSection('audit', { from: 'someday' })
      expect($auditEvents.get().data?.results.length).toBeGreaterThan(0)
      vi.unstubAllEnvs()
    },
  )

  it.each<[filter: string, listEvents: (events: AuditEvent[]) => AuditEvent[]]>([
    ['outcome', (events) => events.filter(({ outcome }) => outcome === 'failed')],
    ['action', (events) => events.filter(({ action }) => action === 'login')],
    ['user', (events) => events.filter(({ actor }) => actor?.email === credentials.email)],
    ['search', (events) => events.filter(({ actor }) => actor?.email?.startsWith('user-'))],
  ])(
    'the %s filter of the audit log, used alone, returns exactly the matching events',
    async (filter, selectMatchingEvents) => {
      const email = await addUser()
      const otherClient = new TestClient(server)
      await otherClient.login(email)
      await otherClient.post('/api/auth/login', { email, password: 'Wrong12345' })
      await otherClient.post('/api/auth/logout')
      const filterValues = {
        outcome: 'failed',
        action: 'login',
        user: findAccount(credentials.email).user_id,
        search: 'user-',
      }
      tableLayouts.$tableLayouts.set({ audit: { pageSize: 100 } })
      onTestFinished(() => tableLayouts.$tableLayouts.set({}))
      await openSection('audit')
      const allEvents = $auditEvents.get().data?.results ?? []
      const matchingEvents = selectMatchingEvents(allEvents)
      expect(matchingEvents.length).toBeGreaterThan(0)
      expect(matchingEvents.length).toBeLessThan(allEvents.length)
      changeDashboardFilters({ [filter]: filterValues[filter as keyof typeof filterValues] })
      await network.waitUntilIdle()
      expect($auditEvents.get().data?.results).toEqual(matchingEvents)
    },
  )

  it('verifying an intact audit log succeeds, and a failed request shows an error message', async () => {
    await verifyAuditLog()
    expect($auditVerification.get()).toMatchObject({ verified: true })
    network.failNext(/audit/, 500)
    await verifyAuditLog()
    expect($toast.get()).toMatchObject({ key: 'dashboard:failed', kind: 'bad' })
  })
})

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile removes the dashboard data of the adult without further requests', async () => {
    await addUser()
    await verifyAuditLog()
    usersStore.$deviceListUserId.set(findAccount(credentials.email).user_id)
    await network.waitUntilIdle()
    const switchPromise = switchTo('kid')
    for (const $store of [usersStore.$users, usersStore.$userDevices])
      expect($store.get().data).toBeUndefined()
    await switchPromise
    expect($auditVerification.get()).toBeNull()
    expect($dashboardView.get()).toEqual({ section: 'overview', filters: {} })
    expect(network.requests).toEqual([])
  })
})

describe('table layouts', () => {
  it('a table requests pages of the chosen size and stores its layout on the device', async () => {
    await openSection('users')
    expect(usersStore.$users.get().data?.limit).toBe(20)
    tableLayouts.setPageSize('users', 50)
    await network.waitUntilIdle()
    expect(usersStore.$users.get().data?.limit).toBe(50)
    tableLayouts.setColumnVisible('users', 'role', false)
    tableLayouts.setColumnVisible('users', 'since', false)
    tableLayouts.setColumnVisible('users', 'role', true)
    const storedText = localStorage.getItem('marquee-tables') ?? ''
    expect(tableLayouts.parseTableLayouts(storedText)).toEqual({
      users: { pageSize: 50, hiddenColumns: ['since'] },
    })
    tableLayouts.showAllColumns('users')
    expect(tableLayouts.$tableLayouts.get()).toEqual({ users: { pageSize: 50, hiddenColumns: [] } })
    tableLayouts.setPageSize('users', 20)
  })

  it.each([
    ['not JSON', '{', {}],
    ['a page size that is not offered', '{"users":{"pageSize":7}}', { users: {} }],
    [
      'known values',
      '{"users":{"pageSize":50,"hiddenColumns":["role"]}}',
      { users: { pageSize: 50, hiddenColumns: ['role'] } },
    ],
  ])('parsing stored table layouts keeps only valid values: %s', (_name, storedText, expectedLayouts) => {
    expect(tableLayouts.parseTableLayouts(storedText)).toEqual(expectedLayouts)
  })
})
