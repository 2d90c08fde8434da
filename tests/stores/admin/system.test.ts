/** The dashboard's sections for the overview, jobs, caches, backups, imports and settings. */
import { beforeEach, describe, expect, it } from 'vitest'
import { insertJob } from '../../../server/queries/job.ts'
import { createRandomId } from '../../../server/services/auth/secret.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import { signInHousehold } from '../../support/store-environment.ts'
import { waitFor } from '../../support/wait-for.ts'

const { actAs, switchTo, browser, network, otherDevice, server } = await signInHousehold(
  'http://marquee.example/dashboard/',
)
const { $dashboardView, changeDashboardFilters, openDashboardSection, syncViewWithUrl } = await import(
  '../../../src/lib/stores/admin/dashboard-view.ts'
)
const { $overview } = await import('../../../src/lib/stores/admin/overview.ts')
const jobsStore = await import('../../../src/lib/stores/admin/jobs.ts')
const { $backups, deleteBackup, createBackupDownloadUrl, startBackup } = await import(
  '../../../src/lib/stores/admin/backups.ts'
)
const { $importJobs, startImporter } = await import('../../../src/lib/stores/admin/imports.ts')
const { moveListItem, removeListItem } = await import('../../../src/lib/stores/admin/list-changes.ts')
const { $resolvers, saveResolvers, testResolver } = await import('../../../src/lib/stores/admin/resolvers.ts')
const {
  $identityProviders,
  saveIdentityProvider,
  saveIdentityProviders,
  testIdentityProvider,
  toIdentityProviderChange,
} = await import('../../../src/lib/stores/admin/identity-providers.ts')
const mediaServersStore = await import('../../../src/lib/stores/admin/media-servers.ts')
const { $mediaServers } = mediaServersStore
const { $settings, saveSetting, testConnection } = await import('../../../src/lib/stores/admin/settings.ts')
const { getErrorMessageKey, submitAdminForm } = await import('../../../src/lib/stores/admin/run-action.ts')
const { ApiError } = await import('../../../src/lib/client/errors.ts')
const { $runningStreams, stopRunningStream } = await import('../../../src/lib/stores/admin/streams.ts')
const { $toast } = await import('../../../src/lib/stores/toast.ts')

const stores = [
  $overview,
  jobsStore.$jobs,
  jobsStore.$searchSync,
  jobsStore.$backupJob,
  $backups,
  $importJobs,
  $runningStreams,
  $settings,
  $resolvers,
  $identityProviders,
  $mediaServers,
  mediaServersStore.$mediaServerItems,
  mediaServersStore.$mediaServerSync,
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
  jobsStore.refetchJobs()
  await network.waitUntilIdle()
}

/** Queues a job and returns its id. The job stays queued, because workers claim only kinds that have a handler. */
async function insertQueuedJob(kind: string): Promise<string> {
  const row = { kind, status: 'queued', input: '{}', created_by: null, created_at: Date.now() }
  const insertedJob = await insertJob(server.database.primary, { ...row, job_id: createRandomId() })
  if (!insertedJob) throw new Error(`a job of the kind ${kind} is already queued`)
  return insertedJob.job_id
}

beforeEach(async () => {
  await actAs('adult')
})

describe('identity providers', () => {
  const saveProviders = (changes: Parameters<typeof saveIdentityProviders>[0]) =>
    saveIdentityProviders(changes, $identityProviders.get().data?.version ?? '')

  it('an identity provider can be added, renamed without sending its client secret again, tested and removed', async () => {
    await openSection('settings')
    expect($identityProviders.get().data?.results).toEqual([])
    const provider = { id: 'home', name: 'Home', issuer: 'http://127.0.0.1:1', client_id: 'marquee' }
    expect(await saveProviders([{ ...provider, client_secret: 'secret' }])).toBeNull()
    await network.waitUntilIdle()
    const [providerEntry] = $identityProviders.get().data?.results ?? []
    if (!providerEntry) throw new Error('no provider')
    expect(await saveProviders([{ ...toIdentityProviderChange(providerEntry), name: 'Renamed' }])).toBeNull()
    await network.waitUntilIdle()
    expect($identityProviders.get().data?.results).toMatchObject([{ name: 'Renamed', has_secret: true }])
    expect((await testIdentityProvider('home')).result).toBe('unreachable')
    const insecureProvider = { ...provider, issuer: 'http://login.example.com' }
    expect(await saveProviders([insecureProvider])).toBe('dashboardsystem:invalidIssuer')
    expect(await saveProviders([])).toBeNull()
  })

  it('saving an outdated list of identity providers is rejected, and the list that another device has saved is shown', async () => {
    await openSection('settings')
    const provider = { id: 'old-sso', name: 'Old', issuer: 'http://127.0.0.1:1', client_id: 'marquee' }
    await saveProviders([provider])
    const staleReply = $identityProviders.get().data
    if (!staleReply) throw new Error('no list')
    await otherDevice.put('/api/admin/identity-providers', { providers: [] })
    expect(
      await saveIdentityProviders(staleReply.results.map(toIdentityProviderChange), staleReply.version),
    ).toBe('dashboardsystem:listChanged')
    await network.waitUntilIdle()
    expect($identityProviders.get().data?.results).toEqual([])
  })

  it('when somebody else has changed an identity provider while its form was open, saving the form is rejected until the form is opened again', async () => {
    await openSection('settings')
    const settings = { id: 'sso', name: 'Login', issuer: 'http://127.0.0.1:1', client_id: 'marquee' }
    await saveProviders([{ ...settings, admin_groups: ['admins'] }])
    const openProviderForm = () => {
      const { results = [], version = '' } = $identityProviders.get().data ?? {}
      return { provider: results[0] ?? null, version }
    }
    const form = openProviderForm()
    await otherDevice.put('/api/admin/identity-providers', { providers: [settings] })
    const staleChange = { ...settings, name: 'Renamed', admin_groups: ['admins'] }
    for (const _attempt of [1, 2]) {
      expect(await saveIdentityProvider(form, staleChange)).toBe('dashboardsystem:listChanged')
      await network.waitUntilIdle()
    }
    expect($identityProviders.get().data?.results).toMatchObject([{ name: 'Login', admin_groups: [] }])
    expect(await saveIdentityProvider(openProviderForm(), { ...settings, name: 'Renamed' })).toBeNull()
    await network.waitUntilIdle()
    const newForm = { provider: null, version: form.version }
    expect(await saveIdentityProvider(newForm, settings)).toBe('dashboardsystem:providerIdTaken')
    const otherSettings = { ...settings, id: 'other', issuer: 'http://127.0.0.1:2' }
    expect(await saveIdentityProvider(newForm, otherSettings)).toBeNull()
    await saveProviders([])
    await network.waitUntilIdle()
    expect(await saveIdentityProvider(form, staleChange)).toBe('errors:gone')
  })
})

describe('external services', () => {
  const keepList = <Item>(items: readonly Item[]) => [...items]
  const addResolver = (address: string) =>
    saveResolvers(keepList, { address, media_origins: [], public_hosts: true })
  const listShownOrigins = () => $resolvers.get().data?.results.map(({ origin }) => origin)

  it('stream resolvers can be added, tested and reordered, and are listed without their full addresses', async () => {
    await openSection('settings')
    expect($resolvers.get().data?.results).toEqual([])
    const resolverAddresses = ['http://127.0.0.1:1/key/manifest.json', 'http://127.0.0.1:2/api']
    for (const resolverAddress of resolverAddresses) expect(await addResolver(resolverAddress)).toBeNull()
    const resolvers = $resolvers.get().data?.results ?? []
    expect(resolvers.map(({ origin, protocol }) => [origin, protocol])).toEqual([
      ['http://127.0.0.1:1', 'stremio'],
      ['http://127.0.0.1:2', 'marquee'],
    ])
    expect(await testResolver(resolvers[0]?.id ?? '')).toEqual({ result: 'unreachable' })
    await saveResolvers(moveListItem(resolvers[0]?.id ?? '', 1))
    const reversedOrigins = ['http://127.0.0.1:2', 'http://127.0.0.1:1']
    expect(listShownOrigins()).toEqual(reversedOrigins)
    await openSection('overview')
    await openSection('settings')
    expect(listShownOrigins()).toEqual(reversedOrigins)
    expect(await addResolver('nonsense')).toBe('dashboard:invalid')
    await saveResolvers(() => [])
  })

  it('while replies are slow, moved and removed resolvers are shown immediately, and all changes are stored in the order in which they were made', async () => {
    await openSection('settings')
    for (const port of [1, 2, 3]) await addResolver(`http://127.0.0.1:${port}/api`)
    const [first, second] = $resolvers.get().data?.results ?? []
    const releaseRequests = network.hold(/^PUT .*resolvers/)
    const savePromises = [
      saveResolvers(moveListItem(first?.id ?? '', 1)),
      saveResolvers(moveListItem(first?.id ?? '', 1)),
      saveResolvers(removeListItem(second?.id ?? '')),
      addResolver('http://127.0.0.1:4/api'),
    ]
    expect(listShownOrigins()).toEqual(['http://127.0.0.1:3', 'http://127.0.0.1:1'])
    releaseRequests()
    expect(await Promise.all(savePromises)).toEqual([null, null, null, null])
    const finalOrigins = ['http://127.0.0.1:3', 'http://127.0.0.1:1', 'http://127.0.0.1:4']
    expect(listShownOrigins()).toEqual(finalOrigins)
    await openSection('overview')
    await openSection('settings')
    expect(listShownOrigins()).toEqual(finalOrigins)
    await saveResolvers(() => [])
  })

  it('a media server can be added, tested, synchronised and removed, and saving the list of media servers again does not send the token', async () => {
    await openSection('settings')
    const addedServer = {
      kind: 'plex',
      address: 'http://127.0.0.1:1',
      token: 'secret',
      report_progress: false,
    } as const
    expect(await mediaServersStore.saveMediaServers(keepList, addedServer)).toBeNull()
    await finishJobs()
    const [mediaServer] = $mediaServers.get().data?.results ?? []
    expect(mediaServer).toMatchObject({ origin: 'http://127.0.0.1:1', problem: 'connection_refused' })
    expect(await mediaServersStore.testMediaServer(mediaServer?.id ?? '')).toMatchObject({
      result: 'connection_refused',
    })
    expect(await mediaServersStore.saveMediaServers(keepList, { ...addedServer, address: 'ftp://x' })).toBe(
      'dashboardsystem:invalidAddress',
    )
    await openSection('library', { source: mediaServersStore.MEDIA_SERVERS_SOURCE_FILTER })
    expect(mediaServersStore.$mediaServerItems.get().data?.results).toEqual([])
    await mediaServersStore.startMediaServerSync()
    await finishJobs()
    expect(mediaServersStore.$mediaServerSync.get().data?.results[0]?.status).toBe('failed')
    network.clearRequests()
    await mediaServersStore.saveMediaServers(keepList)
    const { body } = network.requests.find(({ method }) => method === 'PUT') ?? {}
    expect(JSON.parse(body ?? '')).toMatchObject({
      servers: [{ id: mediaServer?.id, report_progress: false }],
    })
    expect(body).not.toContain('secret')
    await mediaServersStore.saveMediaServers(() => [])
    await network.waitUntilIdle()
    expect($mediaServers.get().data?.results).toEqual([])
  })

  it('saving a secret offers no Undo, and the connection test reports that the mail server is not configured', async () => {
    await openSection('settings')
    const tokenSetting = $settings.get().data?.results.find(({ key }) => key === 'tmdb_api_token')
    expect(tokenSetting).toMatchObject({ kind: 'secret', value: '', is_set: false })
    if (tokenSetting) await saveSetting(tokenSetting, 'abc')
    expect($toast.get()).not.toHaveProperty('undo')
    if (tokenSetting) await saveSetting(tokenSetting, '')
    expect(await testConnection('mail')).toMatchObject({ result: 'not_configured' })
  })

  it('saving the TMDB address offers Undo, unless saving the address has deleted the stored TMDB token', async () => {
    await openSection('settings')
    const findSetting = (key: string) => {
      const setting = $settings.get().data?.results.find((candidate) => candidate.key === key)
      if (!setting) throw new Error(`no ${key}`)
      return setting
    }
    const addressSetting = findSetting('tmdb_api_url')
    expect(await saveSetting(addressSetting, 'https://gateway.example.com')).toBeNull()
    expect($toast.get()).toMatchObject({ key: 'dashboardsystem:saved', undo: expect.any(Function) })
    await saveSetting(findSetting('tmdb_api_token'), 'abc')
    await waitFor(() => expect(findSetting('tmdb_api_url').clears).toBe('tmdb_api_token'))
    expect(await saveSetting(findSetting('tmdb_api_url'), addressSetting.default)).toBeNull()
    expect($toast.get()).toMatchObject({ key: 'dashboardsystem:saved' })
    expect($toast.get()).not.toHaveProperty('undo')
    await waitFor(() => expect(findSetting('tmdb_api_url').clears).toBeNull())
  })
})

describe('running streams', () => {
  it('the overview shows the state of ffmpeg, and stopping an ended stream shows a message', async () => {
    await openSection('overview')
    expect($runningStreams.get().data).toMatchObject({
      results: [],
      ffmpeg: { status: 'missing', version: null },
    })
    await stopRunningStream('ended')
    expect($toast.get()?.key).toBe('errors:gone')
  })
})

describe('the view of the dashboard', () => {
  it('the dashboard view is stored in the query of the URL, and going back restores the previous view', async () => {
    browser.document.presentSelectors.add('[data-dashboard]')
    await openSection('users', { search: 'x' })
    expect(browser.history.url.search).toBe('?section=users&search=x')
    changeDashboardFilters({ page: '2' })
    expect(browser.history.url.search).toBe('?section=users&search=x&page=2')
    browser.history.back()
    await waitFor(() => expect($dashboardView.get().filters).toEqual({ search: 'x' }))
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
  it('the overview shows the numbers of accounts and profiles', async () => {
    await openSection('overview')
    expect($overview.get().data).toMatchObject({ people: { accounts: 1, profiles: 3 } })
  })

  it('a failed request for the overview is shown as an error', async () => {
    network.failNext(/overview/, 422)
    await actAs('adult')
    await openSection('overview')
    expect($overview.get()).toMatchObject({ error: { status: 422 } })
  })
})

describe('jobs', () => {
  it('a finished job is listed as done and excluded by a filter for failed jobs', async () => {
    await openSection('caches')
    await jobsStore.startCacheJob('search')
    expect($toast.get()).toMatchObject({ key: 'dashboardsystem:started' })
    await finishJobs()
    expect(jobsStore.$searchSync.get().data?.results[0]).toMatchObject({
      kind: 'search_sync',
      status: 'done',
    })
    expect(jobsStore.isJobActive(jobsStore.$searchSync.get().data?.results[0])).toBe(false)
    await openSection('jobs', { kind: 'search_sync', status: 'failed' })
    expect(jobsStore.$jobs.get().data?.results).toEqual([])
  })

  it('starting a job for a service that is not configured shows an error message', async () => {
    await jobsStore.startCacheJob('cloudflare')
    expect($toast.get()).toMatchObject({ key: 'dashboard:notSetUp', kind: 'bad' })
  })

  it('the message after cancelling a job says that a queued job was cancelled, that a running job is stopping, or that the job does not exist', async () => {
    const jobId = await insertQueuedJob('never_claimed')
    const runningJobId = await insertQueuedJob('never_claimed_either')
    const runningState = { status: 'running', worker: 'other process' } as const
    await server.database.primary
      .updateTable('job')
      .set(runningState)
      .where('job_id', '=', runningJobId)
      .execute()
    await openSection('jobs')
    await jobsStore.cancelJob(jobId)
    expect($toast.get()).toMatchObject({ key: 'dashboardsystem:jobCancelled' })
    await jobsStore.cancelJob(runningJobId)
    expect($toast.get()).toMatchObject({ key: 'dashboardsystem:cancelling' })
    await jobsStore.cancelJob('unknown')
    expect($toast.get()).toMatchObject({ key: 'errors:gone', kind: 'bad' })
  })

  it('cancelling a job that has ended since it was listed shows that the job has already ended, and updates the row of the job', async () => {
    const jobId = await insertQueuedJob('never_claimed')
    await openSection('jobs')
    const findRow = () => jobsStore.$jobs.get().data?.results.find(({ job_id }) => job_id === jobId)
    expect(findRow()).toMatchObject({ status: 'queued' })
    const endedState = { status: 'done', finished_at: Date.now() }
    await server.database.primary.updateTable('job').set(endedState).where('job_id', '=', jobId).execute()
    await jobsStore.cancelJob(jobId)
    expect($toast.get()).toMatchObject({ key: 'dashboardsystem:alreadyEnded' })
    await network.waitUntilIdle()
    expect(findRow()).toMatchObject({ status: 'done' })
  })
})

describe('backups', () => {
  it('a backup can be created, gets a link for its download and can be deleted', async () => {
    await openSection('backups')
    await startBackup()
    await finishJobs()
    expect(jobsStore.$backupJob.get().data?.results[0]).toMatchObject({ status: 'done' })
    const [backup] = $backups.get().data?.results ?? []
    expect(await createBackupDownloadUrl(backup?.id ?? '')).toMatch(/^\/api\//)
    await deleteBackup(backup?.id ?? '')
    await network.waitUntilIdle()
    expect($backups.get().data?.results).toEqual([])
    expect(await createBackupDownloadUrl('nothing')).toBeNull()
    expect($toast.get()).toMatchObject({ kind: 'bad' })
  })
})

describe('imports', () => {
  it('the imports section lists the importers', async () => {
    await openSection('imports')
    expect($importJobs.get().data?.importers.map(({ name }) => name)).toContain('demo')
  })

  it('starting an import with invalid options returns an error to the form and shows no message', async () => {
    expect(await startImporter({ importer: 'nothing' })).toBe('dashboard:invalid')
    expect($toast.get()).toBeNull()
  })
})

describe('settings', () => {
  it('a changed setting is saved, and Undo restores the previous value', async () => {
    await openSection('settings')
    const setting = $settings.get().data?.results.find(({ kind }) => kind === 'integer')
    if (!setting) throw new Error('There is no numeric setting')
    const newSettingValue = (setting.value === setting.max ? setting.min : setting.max) ?? 0
    const getCurrentValue = () => $settings.get().data?.results.find(({ key }) => key === setting.key)?.value
    await saveSetting(setting, newSettingValue)
    await network.waitUntilIdle()
    expect(getCurrentValue()).toBe(newSettingValue)
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect(getCurrentValue()).toBe(setting.value)
  })

  it('changing the interval of backups changes the time of the next backup, and the interval 0 removes that time', async () => {
    await openSection('backups')
    const setting = $settings.get().data?.results.find(({ key }) => key === 'backup_every_hours')
    if (!setting) throw new Error('There is no interval')
    await saveSetting(setting, 0)
    await network.waitUntilIdle()
    expect($backups.get().data?.next_at).toBeNull()
    await saveSetting(setting, 24)
    await network.waitUntilIdle()
    expect($backups.get().data?.next_at).toMatch(/^\d{4}-\d{2}-\d{2}T/)
    await saveSetting(setting, setting.value)
  })

  it('saving a rejected setting value returns the reason and shows no message', async () => {
    await openSection('settings')
    const setting = $settings.get().data?.results.find(({ key }) => key === 'smtp_url')
    if (!setting) throw new Error('There is no mail setting')
    $toast.set(null)
    expect(await saveSetting(setting, 'mail.example.com:587')).toBe('dashboardsystem:invalidText')
    network.failNext(/settings/, 500)
    expect(await saveSetting(setting, 'smtp://mail.example.com:587')).toBe('dashboard:failed')
    expect($toast.get()).toBeNull()
  })
})

describe('results of actions', () => {
  const createApiError = (status: number, errors = {}) =>
    new ApiError({ type: 'x', status, message: `status ${status}`, errors })

  it.each([
    ['a request without a response', 'dashboard:offline', createApiError(0)],
    ['a job that already runs', 'dashboard:alreadyRunning', createApiError(409, { job: ['running'] })],
    ['a 404 response', 'errors:gone', createApiError(404)],
    ['a 422 response', 'dashboard:invalid', createApiError(422)],
    ['a 500 response', 'dashboard:failed', createApiError(500)],
    ['an error without a status', 'dashboard:failed', new Error('x')],
  ])('getErrorMessageKey returns for %s the message key %s', (_, expectedKey, error) =>
    expect(getErrorMessageKey(error)).toBe(expectedKey),
  )

  it('submitAdminForm returns the error of a failed action to the form, and shows a message after a successful action', async () => {
    const failWithNotFound = async () => {
      throw createApiError(404)
    }
    expect(await submitAdminForm('dashboard:undone', failWithNotFound)).toBe('errors:gone')
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
    expect([$overview.get().data, $backups.get().data, jobsStore.$backupJob.get().data]).toEqual(
      Array(3).fill(undefined),
    )
    await switchPromise
    expect($dashboardView.get()).toEqual({ section: 'overview', filters: {} })
    expect($backups.get()).toEqual({ loading: false })
  })
})
