/**
 * States that the gallery takes screenshots of: the account page, its dialogs, and the page that confirms a new email
 * address.
 */

import type { ApiKey } from '../../src/lib/contract/api-keys.ts'
import type { BinItem } from '../../src/lib/contract/bin.ts'
import type { LinkedIdentity } from '../../src/lib/contract/identities.ts'
import type { NoticeSettings } from '../../src/lib/contract/notice-delivery.ts'
import type { GalleryState } from './gallery-state.ts'
import { changeResponse, clickButton, fulfilRequests, scrollToHeading } from './state-actions.ts'
import type { GalleryWindow } from './window.ts'

const ACCOUNT_TABS = ['profile', 'security', 'devices', 'preferences', 'notices', 'taste', 'transfer', 'bin']
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const formatTimeAtOffset = (offsetMs: number) => new Date(Date.now() + offsetMs).toISOString()

const IDENTITIES: { results: LinkedIdentity[]; providers: object[]; has_password: boolean } = {
  results: [
    {
      identity_id: 'a',
      provider: 'Family Cloud',
      name: 'alex.montgomery-fitzgerald@family-cloud.example.org',
      created_at: formatTimeAtOffset(-90 * DAY_MS),
      last_used: formatTimeAtOffset(-3 * HOUR_MS),
    },
    {
      identity_id: 'b',
      provider: null,
      name: 'alex',
      created_at: formatTimeAtOffset(-400 * DAY_MS),
      last_used: null,
    },
  ],
  providers: [
    { id: 'company', name: 'Company sign-in' },
    { id: 'club', name: 'Film club' },
  ],
  has_password: true,
}
const API_KEYS: { results: ApiKey[] } = {
  results: [
    {
      key_id: 'a',
      name: 'Living room lights',
      scopes: ['catalogue:read', 'tracking:read', 'tracking:write'],
      profile_id: null,
      created_at: formatTimeAtOffset(-20 * DAY_MS),
      expires_at: formatTimeAtOffset(345 * DAY_MS),
      last_used: formatTimeAtOffset(-HOUR_MS),
    },
    {
      key_id: 'b',
      name: 'Backup of the watch history on the storage box in the cellar',
      scopes: ['tracking:read'],
      profile_id: null,
      created_at: formatTimeAtOffset(-100 * DAY_MS),
      expires_at: formatTimeAtOffset(-10 * DAY_MS),
      last_used: null,
    },
  ],
}
const DELETED_ITEMS: { results: BinItem[] } = {
  results: [
    { kind: 'profile', item_id: 'a', name: 'Grandma', count: null },
    { kind: 'list', item_id: 'b', name: 'Films for a rainy Sunday with the whole family', count: 24 },
    { kind: 'history', item_id: 'c', name: 'Stranger Things', count: 8 },
    { kind: 'import', item_id: 'd', name: 'netflix-viewing-history-2025.csv', count: 1_204 },
    { kind: 'history', item_id: 'e', name: null, count: 1 },
  ].map((deletedItem, index) => ({
    ...(deletedItem as Pick<BinItem, 'kind' | 'item_id' | 'name' | 'count'>),
    deleted_at: formatTimeAtOffset(-(index * 50 + 2) * HOUR_MS),
    restorable_until: formatTimeAtOffset((29 - index * 2) * DAY_MS),
  })),
}
const showNoticeSettings = changeResponse<NoticeSettings>('**/notifications/settings', (settings) => ({
  ...settings,
  quiet: { from: '22:00', until: '07:00' },
  digest: true,
  email_available: true,
  digest_sent_at: formatTimeAtOffset(-4 * DAY_MS),
  devices: [
    {
      device_id: 'a',
      name: 'Chrome on Android',
      current: true,
      created_at: formatTimeAtOffset(-9 * DAY_MS),
      delivered_at: formatTimeAtOffset(-5 * HOUR_MS),
      failed_at: null,
    },
    {
      device_id: 'b',
      name: 'Firefox on Windows',
      current: false,
      created_at: formatTimeAtOffset(-9 * DAY_MS),
      delivered_at: formatTimeAtOffset(-9 * DAY_MS),
      failed_at: formatTimeAtOffset(-2 * HOUR_MS),
    },
  ],
}))

/** A Netflix viewing history whose rows have the outcomes matched, ambiguous and unmatched. */
const VIEWING_HISTORY = {
  name: 'NetflixViewingHistory.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'Title,Date',
      '"Arrival","11/2/25"',
      '"Dune","11/3/25"',
      '"Stranger Things: Season 1: Chapter One: The Vanishing of Will Byers","11/4/25"',
      '"The Last of Us: Season 1: Infected","11/5/25"',
      '"Family Holiday in the Mountains: The Director’s Cut","11/6/25"',
      '"Inception","yesterday"',
    ].join('\n'),
  ),
}

/** Uploads the history and scrolls to the end of its review. */
async function reviewImport({ page, translate }: GalleryWindow): Promise<void> {
  await page.locator('main input[type=file]').setInputFiles(VIEWING_HISTORY)
  const applyButton = page.getByRole('button', { name: translate('transfer:apply'), exact: true })
  await applyButton.waitFor()
  await page.locator('main [role=progressbar]').first().waitFor({ state: 'detached' })
  await applyButton.evaluate((button) => button.scrollIntoView({ block: 'end', behavior: 'instant' }))
}

const SECURITY_PATH = '/account/?tab=security'
const showSecurity = fulfilRequests({ '**/auth/identities': IDENTITIES, '**/auth/api-keys': API_KEYS })

export const accountStates: GalleryState[] = [
  ...ACCOUNT_TABS.map((tab) => ({
    name: `account-${tab}`,
    path: `/account/?tab=${tab}`,
    shouldCaptureBelow: true,
  })),
  {
    name: 'account-customise',
    path: '/account/?tab=taste',
    interact: clickButton('customise:open'),
  },
  { name: 'account-email', path: '/account/', interact: clickButton('security:emailChange') },
  {
    name: 'account-identities',
    path: SECURITY_PATH,
    prepare: showSecurity,
    interact: scrollToHeading('security:identities'),
  },
  {
    name: 'account-api-keys',
    path: SECURITY_PATH,
    prepare: showSecurity,
    interact: scrollToHeading('security:apiKeys'),
  },
  {
    name: 'account-api-key-create',
    path: SECURITY_PATH,
    prepare: showSecurity,
    interact: clickButton('security:apiKeyCreate'),
  },
  {
    name: 'account-notices-on',
    path: '/account/?tab=notices',
    prepare: showNoticeSettings,
    shouldCaptureBelow: true,
  },
  {
    name: 'account-import-review',
    path: '/account/?tab=transfer',
    interact: reviewImport,
  },
  {
    name: 'account-import-skipped',
    path: '/account/?tab=transfer',
    interact: async (galleryWindow) => {
      await reviewImport(galleryWindow)
      const skippedTab = galleryWindow.page.getByRole('tab', {
        name: galleryWindow.translate('transfer:skipped'),
      })
      await skippedTab.click()
      await skippedTab.evaluate((tab) => tab.scrollIntoView({ block: 'center', behavior: 'instant' }))
    },
  },
  {
    name: 'account-bin-items',
    path: '/account/?tab=bin',
    prepare: fulfilRequests({ '**/bin': DELETED_ITEMS }),
    shouldCaptureBelow: true,
  },
  {
    name: 'account-bin-erase',
    path: '/account/?tab=bin',
    prepare: fulfilRequests({ '**/bin': DELETED_ITEMS }),
    interact: async ({ page }) => page.locator('main li').first().getByRole('button').last().click(),
  },
  {
    name: 'email-confirm',
    path: '/email/?token=gallery',
    prepare: fulfilRequests({
      '**/auth/email/validate': {
        kind: 'confirm',
        email: 'alex.montgomery-fitzgerald@family-cloud.example.org',
        expires_at: formatTimeAtOffset(HOUR_MS),
      },
    }),
  },
]
