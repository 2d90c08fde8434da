/** Notice settings, push notifications in this browser, notice rules of titles, and the bin. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPushBrowser } from '../support/push-service.ts'
import { signInHousehold } from '../support/store-environment.ts'

const { actAs, switchTo, getCard, findAdultRequests, network, otherDevice, profiles, server } =
  await signInHousehold()
const noticeSettingsStore = await import('../../src/lib/stores/notice-settings.ts')
const { $noticeSettings, getPushSupport, saveNoticeSettings, sendTestPush, turnOffPush, turnOnPush } =
  noticeSettingsStore
const { $noticeRules, changeNoticeRule } = await import('../../src/lib/stores/notice-rules.ts')
const { $bin, eraseBinItem, restoreBinItem } = await import('../../src/lib/stores/bin.ts')
const { $toast } = await import('../../src/lib/stores/toast.ts')
for (const $store of [$noticeSettings, $noticeRules, $bin, $toast]) $store.listen(() => {})

const harbour = getCard('Night Harbour')
const profilePath = `/api/profile/${profiles.adult}`
beforeEach(async () => {
  await actAs('adult')
  await network.waitUntilIdle()
})

describe('settings of notices', () => {
  it('a changed notice setting is saved with the time zone of the device', async () => {
    await saveNoticeSettings({ quiet: { from: '22:00', until: '07:00' } })
    expect($noticeSettings.get().data).toMatchObject({
      quiet: { from: '22:00', until: '07:00' },
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
    await saveNoticeSettings({ quiet: null })
    expect($noticeSettings.get().data?.quiet).toBeNull()
  })

  it('a rejected change of notice settings shows a message', async () => {
    await saveNoticeSettings({ digest: true })
    expect($toast.get()).toMatchObject({ key: 'errors:generic', kind: 'bad' })
    expect($noticeSettings.get().data?.digest).toBe(false)
  })

  it('a kids profile requests neither notice settings nor the bin', async () => {
    await switchTo('kid')
    await network.waitUntilIdle()
    expect($noticeSettings.get().data).toBeUndefined()
    expect($bin.get().data).toBeUndefined()
    expect(findAdultRequests()).toEqual([])
  })
})

describe('notice rules of titles', () => {
  it('changing the notice rule of a title can be reverted with Undo', async () => {
    await changeNoticeRule(harbour, 'none', 'all')
    await network.waitUntilIdle()
    expect($noticeRules.get().data?.results).toMatchObject([{ media: { id: harbour.id }, rule: 'none' }])
    $toast.get()?.undo?.()
    await network.waitUntilIdle()
    expect($noticeRules.get().data?.results).toEqual([])
  })

  it('a notice rule is shown before the server replies, and the last of two quick choices is stored', async () => {
    const ledger = getCard('Iron Ledger')
    await network.waitUntilIdle()
    const releaseRequests = network.hold(/^PUT .*rules/)
    const changes = [changeNoticeRule(ledger, 'none', 'all'), changeNoticeRule(ledger, 'seasons', 'none')]
    const listShownRules = () =>
      $noticeRules.get().data?.results.map(({ media, rule }) => [media.title, rule])
    expect(listShownRules()).toEqual([['Iron Ledger', 'seasons']])
    releaseRequests()
    await Promise.all(changes)
    expect(listShownRules()).toEqual([['Iron Ledger', 'seasons']])
    await network.waitUntilIdle()
    expect(listShownRules()).toEqual([['Iron Ledger', 'seasons']])
    await changeNoticeRule(ledger, 'all', 'seasons')
    expect(listShownRules()).toEqual([])
  })

  it('changing the notice rule of a title that does not exist shows a message', async () => {
    await changeNoticeRule({ ...harbour, id: '987654321' }, 'none', 'all')
    expect($toast.get()).toMatchObject({ key: 'errors:generic', kind: 'bad' })
  })
})

describe('notifications of this browser', () => {
  const browser = createPushBrowser('https://push.example.com')
  const subscription = { toJSON: () => browser.subscription, unsubscribe: vi.fn(async () => true) }
  const pushManager = {
    subscribe: vi.fn(async (_options: object) => subscription),
    getSubscription: async () => subscription,
  }
  /** Simulates a browser with notifications and push. The user answers a permission request with `answer`. */
  const simulatePushBrowser = (permission: string, answer = permission) => {
    vi.stubGlobal('Notification', { permission, requestPermission: async () => answer })
    vi.stubGlobal('PushManager', class {})
    Object.defineProperty(navigator, 'serviceWorker', {
      configurable: true,
      value: { register: async () => {}, ready: Promise.resolve({ pushManager }) },
    })
  }
  afterEach(() => {
    vi.unstubAllGlobals()
    Reflect.deleteProperty(navigator, 'serviceWorker')
  })

  it('push is unsupported without the browser API, blocked by a denied permission, and available otherwise', () => {
    expect(getPushSupport()).toBe('unsupported')
    simulatePushBrowser('denied')
    expect(getPushSupport()).toBe('blocked')
    simulatePushBrowser('default')
    expect(getPushSupport()).toBe('available')
  })

  it('turning on push subscribes the browser if the user grants the permission, and turning off push removes the subscription', async () => {
    simulatePushBrowser('default', 'granted')
    expect(await turnOnPush($noticeSettings.get().data?.push_key ?? '')).toBeNull()
    expect(pushManager.subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: $noticeSettings.get().data?.push_key,
    })
    const devices = $noticeSettings.get().data?.devices ?? []
    expect(devices).toMatchObject([{ current: true }])
    await turnOffPush(devices[0]?.device_id ?? '')
    expect($noticeSettings.get().data?.devices).toEqual([])
    await sendTestPush()
    expect($toast.get()).toMatchObject({ key: 'notices:testFailed', kind: 'bad' })
  })

  it('turning on push replaces a push subscription that was created with another application server key', async () => {
    simulatePushBrowser('granted')
    pushManager.subscribe.mockRejectedValueOnce(new Error('another key'))
    expect(await turnOnPush('key')).toBeNull()
    expect(subscription.unsubscribe).toHaveBeenCalled()
  })

  it.each([
    ['denied', 'blocked'],
    ['default', 'dismissed'],
  ])(
    'turning on push after the permission result "%s" fails with the problem "%s"',
    async (answer, problem) => {
      simulatePushBrowser('default', answer)
      expect(await turnOnPush('key')).toBe(problem)
    },
  )

  it('turning on push in a browser that cannot subscribe fails with the problem "failed"', async () => {
    simulatePushBrowser('granted')
    vi.spyOn(pushManager, 'getSubscription').mockResolvedValueOnce(null as never)
    pushManager.subscribe.mockRejectedValueOnce(new Error('no push service'))
    expect(await turnOnPush('key')).toBe('failed')
  })
})

describe('the bin', () => {
  const deleteList = async (name: string) => {
    const { list_id } = (await otherDevice.post(`${profilePath}/lists`, { name })).body
    await otherDevice.delete(`${profilePath}/lists/${list_id}`)
    $bin.revalidate()
    await network.waitUntilIdle()
    const binItem = $bin.get().data?.results.find(({ item_id }) => item_id === list_id)
    if (!binItem) throw new Error('the list is not in the bin')
    return binItem
  }

  it('a deleted list can be restored from the bin', async () => {
    const binItem = await deleteList('Rainy days')
    await restoreBinItem(binItem)
    await network.waitUntilIdle()
    expect($toast.get()).toMatchObject({ key: 'bin:restored' })
    expect($bin.get().data?.results).toEqual([])
  })

  it('a permanently deleted item cannot be restored', async () => {
    const binItem = await deleteList('Gone')
    await eraseBinItem(binItem)
    await network.waitUntilIdle()
    expect($bin.get().data?.results).toEqual([])
    await restoreBinItem(binItem)
    expect($toast.get()).toMatchObject({ key: 'errors:generic', kind: 'bad' })
  })

  it('removed viewings cannot be restored after a later change of the same viewings', async () => {
    const scopes = [{ type: 'movie', media_id: harbour.id, scope: 'title' }]
    await otherDevice.post(`${profilePath}/viewings`, { key: 'mark-1', scopes })
    await otherDevice.delete(`${profilePath}/viewings`, { key: 'remove-1', scopes })
    await otherDevice.post(`${profilePath}/viewings`, { key: 'mark-2', scopes })
    $bin.revalidate()
    await network.waitUntilIdle()
    const [binItem] = $bin.get().data?.results ?? []
    expect(binItem).toMatchObject({ kind: 'history', name: 'Night Harbour', count: 1 })
    if (binItem) await restoreBinItem(binItem)
    expect($toast.get()).toMatchObject({ key: 'bin:changedSince', kind: 'bad' })
    expect(server.logLines.filter((line) => line.includes('"status":500'))).toEqual([])
  })
})
