/** States of the dashboard. */

import type { IdentityProviderEntry } from '../../src/lib/contract/admin-identity-providers.ts'
import type { MediaServer, MediaServerItem } from '../../src/lib/contract/admin-media-servers.ts'
import { DASHBOARD_SECTIONS } from '../../src/lib/rules/dashboard-sections.ts'
import { answerRequests, scrollToText } from './state-actions.ts'
import type { GalleryState } from './states.ts'
import type { GalleryWindow } from './window.ts'

const clickButton = async ({ page, translate }: GalleryWindow, key: string) => {
  await page
    .locator('[data-dashboard]')
    .getByRole('button', { name: translate(key) })
    .first()
    .click()
}
const openFirstRowMenu = async ({ page }: GalleryWindow) => {
  await page.locator('[data-dashboard] tbody button[popovertarget]').first().click()
}

const PROVIDER: IdentityProviderEntry = {
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
const ITEM: MediaServerItem = {
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
  ITEM,
  {
    ...ITEM,
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
const showSources = answerRequests({
  '**/admin/identity-providers': {
    results: [PROVIDER],
    redirect_uri_template: PROVIDER.redirect_uri.replace('family/', '{id}/'),
  },
  '**/admin/media-servers': { results: MEDIA_SERVERS },
  '**/admin/media-server-items?*': {
    results: MEDIA_SERVER_ITEMS,
    page: 1,
    total_pages: 1,
    total_results: MEDIA_SERVER_ITEMS.length,
  },
})

export const dashboardStates: GalleryState[] = [
  ...DASHBOARD_SECTIONS.map((section) => ({
    name: `dashboard-${section}`,
    path: `/dashboard/?section=${section}`,
  })),
  {
    name: 'dashboard-invite',
    path: '/dashboard/?section=invitations',
    act: (window) => clickButton(window, 'dashboardpeople:invite'),
  },
  { name: 'dashboard-row-menu', path: '/dashboard/?section=catalogue', act: openFirstRowMenu },
  {
    name: 'dashboard-providers',
    path: '/dashboard/?section=settings',
    prepare: showSources,
    act: scrollToText('dashboardsystem:providers'),
  },
  {
    name: 'dashboard-provider',
    path: '/dashboard/?section=settings',
    prepare: showSources,
    act: (window) => clickButton(window, 'dashboardsystem:addProvider'),
  },
  {
    name: 'dashboard-servers',
    path: '/dashboard/?section=settings',
    prepare: showSources,
    act: scrollToText('dashboardsystem:mediaServers'),
  },
  {
    name: 'dashboard-server-items',
    path: '/dashboard/?section=library&source=servers',
    prepare: showSources,
  },
]
