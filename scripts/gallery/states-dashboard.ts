/** States that the gallery takes screenshots of: the dashboard. */

import type { Job } from '../../src/lib/contract/admin.ts'
import type { IdentityProviderEntry } from '../../src/lib/contract/admin-identity-providers.ts'
import type { MediaServer, MediaServerItem } from '../../src/lib/contract/admin-media-servers.ts'
import type { DeletedTitle } from '../../src/lib/contract/admin-titles.ts'
import { DASHBOARD_SECTIONS } from '../../src/lib/rules/dashboard-sections.ts'
import type { GalleryState } from './gallery-state.ts'
import { fulfilRequests, scrollToHeading } from './state-actions.ts'
import type { GalleryWindow } from './window.ts'

const clickButton = async ({ page, translate }: GalleryWindow, buttonKey: string) => {
  await page
    .locator('[data-dashboard]')
    .getByRole('button', { name: translate(buttonKey) })
    .first()
    .click()
}
const openFirstRowMenu = async ({ page }: GalleryWindow) => {
  await page.locator('[data-dashboard] tbody button[popovertarget]').first().click()
}

const IDENTITY_PROVIDER: IdentityProviderEntry = {
  id: 'family',
  name: 'Family Cloud',
  issuer: 'https://sign-in.family-cloud.example.org/application/o/marquee/',
  client_id: 'marquee',
  has_secret: true,
  registration: 'automatic',
  email_domains: ['family-cloud.example.org'],
  group_claim: 'groups',
  admin_groups: [],
  user_groups: [],
  local_network: false,
  redirect_uri: 'https://films.example.org/api/auth/providers/family/callback',
}
const HOUR_MS = 3_600_000
const MEDIA_SERVER: MediaServer = {
  id: 'a',
  kind: 'jellyfin',
  origin: 'http://media-server.home.example.org:8096',
  report_progress: true,
  matched: 1_482,
  unmatched: 37,
  contacted_at: new Date(Date.now() - HOUR_MS).toISOString(),
  problem: null,
  failed_at: null,
}
const MEDIA_SERVERS: MediaServer[] = [
  MEDIA_SERVER,
  {
    ...MEDIA_SERVER,
    id: 'b',
    kind: 'plex',
    origin: 'https://plex.example.org',
    report_progress: false,
    problem: 'certificate',
    failed_at: new Date(Date.now() - 2 * HOUR_MS).toISOString(),
  },
]
const MEDIA_SERVER_ITEM: MediaServerItem = {
  id: 'a',
  server_id: 'a',
  server: MEDIA_SERVER.origin,
  type: 'movie',
  name: 'Arrival',
  series_name: null,
  year: 2016,
  season: null,
  episodes: [],
  imdb_id: 'tt2543164',
  tmdb_id: 329_865,
  tvdb_id: null,
  state: 'matched',
  reason: null,
  title: { id: '1', type: 'movie', slug: 'arrival', title: 'Arrival', year: 2016 },
}
const MEDIA_SERVER_ITEMS: MediaServerItem[] = [
  MEDIA_SERVER_ITEM,
  {
    ...MEDIA_SERVER_ITEM,
    id: 'b',
    type: 'tv',
    name: 'The One Where Everybody Finds Out About the Holiday Video',
    series_name: 'Family recordings of many years',
    season: 3,
    episodes: [4, 5],
    imdb_id: null,
    tmdb_id: null,
    state: 'unmatched',
    reason: 'no_ids',
    title: null,
  },
]
const showProvidersAndServers = fulfilRequests({
  '**/admin/identity-providers': {
    results: [IDENTITY_PROVIDER],
    version: 'v1',
    redirect_uri_template: IDENTITY_PROVIDER.redirect_uri.replace('family/', '{id}/'),
  },
  '**/admin/media-servers': { results: MEDIA_SERVERS, version: 'v1' },
  '**/admin/media-server-items?*': {
    results: MEDIA_SERVER_ITEMS,
    page: 1,
    total_pages: 1,
    total_results: MEDIA_SERVER_ITEMS.length,
  },
})

const IMPORT_JOB: Job = {
  job_id: 'a',
  kind: 'import_imdb',
  status: 'done',
  done: 12_480,
  total: 12_480,
  message: '1214',
  input: { folder: '/srv/imdb', 'min-votes': '500', from: 'command_line' },
  report: {
    read: 12_480,
    added: 1_204,
    changed: 10,
    same: 11_240,
    skipped: 26,
    skips: ['title.basics.tsv.gz:18203: has 8 columns, not 9', 'title.akas.tsv.gz:77: is not UTF-8 text'],
    reasons: { 'titles of another type (video)': 3_120, 'adult titles': 48, 'no file title.crew': 1 },
    lines: 2_400_000,
  },
  cancelling: false,
  created_at: new Date(Date.now() - HOUR_MS / 2).toISOString(),
  started_at: new Date(Date.now() - HOUR_MS / 2).toISOString(),
  finished_at: new Date(Date.now() - HOUR_MS / 3).toISOString(),
}
const IMPORT_JOBS = {
  results: [
    IMPORT_JOB,
    {
      ...IMPORT_JOB,
      job_id: 'b',
      status: 'failed',
      message: '--folder: the default folder does not exist',
      input: {},
      report: null,
    },
  ],
  importers: [{ name: 'imdb', unavailable: null, options: [] }],
  page: 1,
  limit: 20,
  total_pages: 1,
  total_results: 2,
}

const DAY_MS = 24 * HOUR_MS
const DELETED_TITLES: DeletedTitle[] = [
  'Arrival',
  'The Assassination of Jesse James by the Coward Robert Ford',
  'ليلة طويلة في المدينة القديمة',
  'Up',
].map((title, index) => ({
  id: String(index),
  type: 'movie',
  title,
  year: index === 2 ? null : 2016 - index,
  deleted_at: new Date(Date.now() - index * DAY_MS).toISOString(),
  restorable_until: new Date(Date.now() + (30 - index) * DAY_MS).toISOString(),
  kept_by_block_rule: index === 3,
}))

export const dashboardStates: GalleryState[] = [
  ...DASHBOARD_SECTIONS.map((section) => ({
    name: `dashboard-${section}`,
    path: `/dashboard/?section=${section}`,
  })),
  {
    name: 'dashboard-invite',
    path: '/dashboard/?section=invitations',
    interact: (galleryWindow) => clickButton(galleryWindow, 'dashboardpeople:invite'),
  },
  {
    name: 'dashboard-create-user',
    path: '/dashboard/?section=users',
    interact: (galleryWindow) => clickButton(galleryWindow, 'dashboardpeople:create'),
  },
  {
    name: 'dashboard-columns',
    path: '/dashboard/?section=catalogue&page=3',
    interact: async (galleryWindow) => {
      // On phones, the table has a single column, whose cells contain all values, and no menu of columns.
      if ((galleryWindow.page.viewportSize()?.width ?? 0) >= 768)
        await clickButton(galleryWindow, 'dashboard:columns')
    },
  },
  {
    name: 'dashboard-selection',
    path: '/dashboard/?section=catalogue',
    interact: async ({ page }) => page.locator('[data-dashboard] thead input[type=checkbox]').check(),
  },
  {
    name: 'dashboard-job',
    path: '/dashboard/?section=imports',
    prepare: fulfilRequests({ '**/api/admin/imports*': IMPORT_JOBS }),
    interact: async ({ page }) => page.locator('[data-dashboard] tbody button').first().click(),
  },
  {
    name: 'dashboard-bin',
    path: '/dashboard/?section=catalogue',
    prepare: fulfilRequests({
      '**/admin/titles/deleted?*': {
        results: DELETED_TITLES,
        page: 1,
        limit: 20,
        total_pages: 12,
        total_results: 231,
      },
    }),
    interact: (galleryWindow) => clickButton(galleryWindow, 'dashboardlibrary:bin'),
  },
  { name: 'dashboard-row-menu', path: '/dashboard/?section=catalogue', interact: openFirstRowMenu },
  {
    name: 'dashboard-providers',
    path: '/dashboard/?section=settings',
    prepare: showProvidersAndServers,
    interact: scrollToHeading('dashboardsystem:providers'),
  },
  {
    name: 'dashboard-provider',
    path: '/dashboard/?section=settings',
    prepare: showProvidersAndServers,
    interact: (galleryWindow) => clickButton(galleryWindow, 'dashboardsystem:addProvider'),
  },
  {
    name: 'dashboard-servers',
    path: '/dashboard/?section=settings',
    prepare: showProvidersAndServers,
    interact: scrollToHeading('dashboardsystem:mediaServers'),
  },
  {
    name: 'dashboard-server-items',
    path: '/dashboard/?section=library&source=servers',
    prepare: showProvidersAndServers,
  },
]
