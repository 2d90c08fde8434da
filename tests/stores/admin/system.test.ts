/** The dashboard's sections for the overview, jobs, caches, backups, imports and settings. */
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { signInHousehold } from '../../support/store-environment.ts'

const { actAs, switchTo, browser, network, server } = await signInHousehold(
  'http://marquee.example/dashboard/',
)
const { $dashboardView, changeDashboardFilters, openDashboardSection, syncViewWithUrl } = await import(
  '../../../src/lib/stores/admin/dashboard-view.ts'
)
const { $overview } = await import('../../../src/lib/stores/admin/overview.ts')
const jobs = await import('../../../src/lib/stores/admin/jobs.ts')
const { $backups, deleteBackup, linkBackup, makeBackup } = await import(
  '../../../src/lib/stores/admin/backups.ts'
)
const { $importJobs, startImporter } = await import('../../../src/lib/stores/admin/imports.ts')
const { $resolvers, keepResolver, saveResolvers, testResolver } = await import(
  '../../../src/lib/stores/admin/resolvers.ts'
)
const { $identityProviders, keepIdentityProvider, saveIdentityProviders, testIdentityProvider } =
  await import('../../../src/lib/stores/admin/identity-providers.ts')
const mediaServers = await import('../../../src/lib/stores/admin/media-servers.ts')
const { $mediaServers } = mediaServers
const { $settings, saveSetting, testConnection } = await import('../../../src/lib/stores/admin/settings.ts')
const { getErrorMessageKey, submitAdminForm } = await import('../../../src/lib/stores/admin/run-action.ts')
const { ApiError } = await import('../../../src/lib/client/errors.ts')
const { $runningStreams, stopRunningStream } = await import('../../../src/lib/stores/admin/streams.ts')
const { $toast } = await import('../../../src/lib/stores/toast.ts')

const stores = [
  $overview,
  jobs.$jobs,
  jobs.$searchSync,
  jobs.$backupJob,
  $backups,
  $importJobs,
  $runningStreams,
  $settings,
  $resolvers,
  $identityProviders,
  $mediaServers,
  mediaServers.$mediaServerItems,
  mediaServers.$mediaServerSync,
  $toast,
]
for (const $store of stores) $store.listen(() => {})
const openSection = async (section: Parameters<typeof openDashboardSection>[0], filters = {}) => {
  openDashboardSection(section, filters)
  await network.waitUntilIdle()
}
/** Waits until the jobs that were started have ended, and loads their results. */
const finishJobs = async () => {
  await findJobWorker(server.deps)?.whenIdle()
  jobs.refetchJobs()
  await network.waitUntilIdle()
}

beforeEach(async () => {
  await actAs('adult')
})

describe('identity providers', () => {
  it('are added, changed without their secret, tested and removed, and each kind of failure has its own message', async () => {
    await openSection('settings')
    expect($identityProviders.get().data?.results).toEqual([])
    const provider = { id: 'home', name: 'Home', issuer: 'http://127.0.0.1:1', client_id: 'marquee' }
    expect(await saveIdentityProviders([{ ...provider, client_secret: 'secret' }])).toBeNull()
    await network.waitUntilIdle()
    const [entry] = $identityProviders.get().data?.results ?? []
    if (!entry) throw new Error('no provider')
    expect(await saveIdentityProviders([{ ...keepIdentityProvider(entry), name: 'Renamed' }])).toBeNull()
    await network.waitUntilIdle()
    expect($identityProviders.get().data?.results).toMatchObject([{ name: 'Renamed', has_secret: true }])
    expect((await testIdentityProvider('home')).result).toBe('unreachable')
    const insecure = { ...provider, issuer: 'http://login.example.com' }
    expect(await saveIdentityProviders([insecure])).toBe('dashboardsystem:invalidIssuer')
    expect(await saveIdentityProviders([])).toBeNull()
  })
})

describe('stream resolvers', () => {
  it('are listed in their order without addresses, and the list changes when a resolver is added or moved', async () => {
    await openSection('settings')
    expect($resolvers.get().data?.results).toEqual([])
    const addresses = ['http://127.0.0.1:1/key/manifest.json', 'http://127.0.0.1:2/api']
    for (const address of addresses) {
      const unchanged = ($resolvers.get().data?.results ?? []).map(keepResolver)
      expect(
        await saveResolvers([...unchanged, { address, media_origins: [], public_hosts: true }]),
      ).toBeNull()
      await network.waitUntilIdle()
    }
    const results = $resolvers.get().data?.results ?? []
    expect(results.map(({ origin, protocol }) => [origin, protocol])).toEqual([
      ['http://127.0.0.1:1', 'stremio'],
      ['http://127.0.0.1:2', 'marquee'],
    ])
    expect(await testResolver(results[0]?.id ?? '')).toEqual({ result: 'unreachable' })
    await saveResolvers(results.toReversed().map(keepResolver))
    await network.waitUntilIdle()
    expect($resolvers.get().data?.results.map(({ id }) => id)).toEqual(
      results.toReversed().map(({ id }) => id),
    )
    expect(await saveResolvers([{ address: 'nonsense', media_origins: [], public_hosts: false }])).toBe(
      'dashboard:invalid',
    )
    await saveResolvers([])
  })

  it('a media server is added, tested, synchronised on request and removed, and its token is not stored in the browser', async () => {
    await openSection('settings')
    const added = {
      kind: 'plex',
      address: 'http://127.0.0.1:1',
      token: 'secret',
      report_progress: false,
    } as const
    expect(await mediaServers.saveMediaServers([added])).toBeNull()
    await finishJobs()
    mediaServers.refetchMediaServers()
    await network.waitUntilIdle()
    const [server] = $mediaServers.get().data?.results ?? []
    expect(server).toMatchObject({ origin: 'http://127.0.0.1:1', problem: 'connection_refused' })
    expect(await mediaServers.testMediaServer(server?.id ?? '')).toMatchObject({
      result: 'connection_refused',
    })
    expect(await mediaServers.saveMediaServers([{ ...added, address: 'ftp://x' }])).toBe(
      'dashboardsystem:invalidAddress',
    )
    await openSection('library', { source: mediaServers.SERVERS_SOURCE })
    expect(mediaServers.$mediaServerItems.get().data?.results).toEqual([])
    await mediaServers.startMediaServerSync()
    await finishJobs()
    expect(mediaServers.$mediaServerSync.get().data?.results[0]?.status).toBe('failed')
    await mediaServers.saveMediaServers([])
    await network.waitUntilIdle()
    expect($mediaServers.get().data?.results).toEqual([])
    expect(server && mediaServers.keepMediaServer(server)).toEqual({ id: server?.id, report_progress: false })
  })

  it('a secret is saved without Undo, and a service is tested', async () => {
    await openSection('settings')
    const token = $settings.get().data?.results.find(({ key }) => key === 'tmdb_api_token')
    expect(token).toMatchObject({ kind: 'secret', value: '', is_set: false })
    if (token) await saveSetting(token, 'abc')
    expect($toast.get()).not.toHaveProperty('undo')
    if (token) await saveSetting(token, '')
    expect(await testConnection('mail')).toMatchObject({ result: 'not_configured' })
  })
})

describe('running streams', () => {
  it('the overview loads the streams and the state of ffmpeg; a stream that has ended is reported as gone', async () => {
    await openSection('overview')
    expect($runningStreams.get().data).toMatchObject({
      results: [],
      ffmpeg: { status: 'missing', version: null },
    })
    await stopRunningStream('ended')
    expect($toast.get()?.key).toBe('dashboard:gone')
  })
})

describe('the view', () => {
  it('the dashboard view is stored in the query of the page, and follows Back and URL changes', async () => {
    browser.document.presentSelectors.add('[data-dashboard]')
    await openSection('users', { search: 'x' })
    expect(browser.history.url.search).toBe('?section=users&search=x')
    changeDashboardFilters({ page: '2' })
    expect(browser.history.url.search).toBe('?section=users&search=x&page=2')
    browser.history.back()
    await vi.waitFor(() => expect($dashboardView.get().filters).toEqual({ search: 'x' }))
    changeDashboardFilters({ search: 'xy' }, 'replace')
    browser.history.replaceState(browser.history.state, '', '/dashboard/?section=jobs')
    syncViewWithUrl()
    expect($dashboardView.get().section).toBe('jobs')
    browser.document.presentSelectors.clear()
  })

  it('opening a section keeps the profile in the state of the browser history', async () => {
    browser.history.replaceState({ index: 0, profile: 'p1' }, '')
    await openSection('audit')
    expect(browser.history.state).toMatchObject({ profile: 'p1', index: 1 })
  })
})

describe('the overview', () => {
  it('the overview is loaded', async () => {
    await openSection('overview')
    expect($overview.get().data).toMatchObject({ people: { accounts: 1, profiles: 3 } })
  })

  it('the overview shows an error', async () => {
    network.failNext(/overview/, 422)
    await actAs('adult')
    await openSection('overview')
    expect($overview.get()).toMatchObject({ error: { status: 422 } })
  })
})

describe('jobs', () => {
  it('a started job is listed as done, and hidden by a filter for failed jobs', async () => {
    await openSection('caches')
    await jobs.startCacheJob('search')
    expect($toast.get()).toMatchObject({ key: 'dashboardsystem:started' })
    await finishJobs()
    expect(jobs.$searchSync.get().data?.results[0]).toMatchObject({ kind: 'search_sync', status: 'done' })
    expect(jobs.isJobActive(jobs.$searchSync.get().data?.results[0])).toBe(false)
    await openSection('jobs', { kind: 'search_sync', status: 'failed' })
    expect(jobs.$jobs.get().data?.results).toEqual([])
  })

  it('starting a job shows an error when its service is not configured', async () => {
    await jobs.startCacheJob('cloudflare')
    expect($toast.get()).toMatchObject({ key: 'dashboard:notSetUp', kind: 'bad' })
  })

  it('cancelling a job shows that it is being cancelled or has ended', async () => {
    await openSection('jobs')
    await jobs.startCacheJob('search')
    await jobs.cancelJob(jobs.$jobs.get().data?.results[0]?.job_id ?? 'nothing')
    await finishJobs()
    expect($toast.get()?.key).toMatch(/cancelling|gone/)
  })
})

describe('backups', () => {
  it('backups are created, linked and deleted', async () => {
    await openSection('backups')
    await makeBackup()
    await finishJobs()
    expect(jobs.$backupJob.get().data?.results[0]).toMatchObject({ status: 'done' })
    const [backup] = $backups.get().data?.results ?? []
    expect(await linkBackup(backup?.id ?? '')).toMatch(/^\/api\//)
    await deleteBackup(backup?.id ?? '')
    await network.waitUntilIdle()
    expect($backups.get().data?.results).toEqual([])
    expect(await linkBackup('nothing')).toBeNull()
    expect($toast.get()).toMatchObject({ kind: 'bad' })
  })
})

describe('imports', () => {
  it('the imports section lists the importers', async () => {
    await openSection('imports')
    expect($importJobs.get().data?.importers.map(({ name }) => name)).toContain('demo')
  })

  it('starting an import reports invalid options to the form', async () => {
    expect(await startImporter({ importer: 'nothing' })).not.toBeNull()
    expect($toast.get()).toBeNull()
  })
})

describe('settings', () => {
  it('settings are saved, and restored with Undo', async () => {
    await openSection('settings')
    const setting = $settings.get().data?.results.find(({ kind }) => kind === 'whole')
    if (!setting) throw new Error('There is no numeric setting')
    const newValue = (setting.value === setting.max ? setting.min : setting.max) ?? 0
    const getCurrentValue = () => $settings.get().data?.results.find(({ key }) => key === setting.key)?.value
    await saveSetting(setting, newValue)
    await network.waitUntilIdle()
    expect(getCurrentValue()).toBe(newValue)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getCurrentValue()).toBe(setting.value)
    await saveSetting(setting, 'nonsense')
    expect($toast.get()).toMatchObject({ key: 'dashboardsystem:invalidText', kind: 'bad' })
  })
})

describe('results of actions', () => {
  const createApiError = (status: number, errors = {}) =>
    new ApiError({ type: 'x', status, message: '', errors })

  it.each([
    [createApiError(0), 'dashboard:offline'],
    [createApiError(409, { job: ['running'] }), 'dashboard:alreadyRunning'],
    [createApiError(404), 'dashboard:gone'],
    [createApiError(422), 'dashboard:invalid'],
    [createApiError(500), 'dashboard:failed'],
    [new Error('x'), 'dashboard:failed'],
  ])('the error "%s" is shown as %s', (cause, key) => expect(getErrorMessageKey(cause)).toBe(key))

  it('the error of an action is returned to the form, and its success is shown as a message', async () => {
    const failWithNotFound = async () => {
      throw createApiError(404)
    }
    expect(await submitAdminForm('dashboard:undone', failWithNotFound)).toBe('dashboard:gone')
    expect($toast.get()).toBeNull()
    expect(await submitAdminForm('dashboard:undone', async () => {})).toBeNull()
    expect($toast.get()).toMatchObject({ key: 'dashboard:undone' })
  })
})

describe('after a switch to a kids profile', () => {
  it('a switch to a kids profile removes the dashboard data of the adult', async () => {
    await openSection('backups')
    expect($overview.get().data).toBeDefined()
    const switchPromise = switchTo('kid')
    expect([$overview.get().data, $backups.get().data, jobs.$backupJob.get().data]).toEqual(
      Array(3).fill(undefined),
    )
    await switchPromise
    expect($dashboardView.get()).toEqual({ section: 'overview', filters: {} })
    expect($backups.get()).toEqual({ loading: false })
  })
})
