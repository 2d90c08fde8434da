/** States of the dashboard with work that runs: jobs, streams, and files of the media library. */
import type { Job } from '../../src/lib/contract/admin.ts'
import type { FileTitle, LibraryFileEntry } from '../../src/lib/contract/admin-library.ts'
import type { RunningStream } from '../../src/lib/contract/admin-streams.ts'
import type { GalleryState } from './gallery-state.ts'
import { answerRequests, scrollToText } from './state-actions.ts'

const MINUTE_MS = 60_000
const GIGABYTE = 1_000_000_000
const getPastTime = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString()
const createPage = <T>(results: T[]) => ({
  results,
  page: 1,
  limit: 20,
  total_pages: 1,
  total_results: results.length,
})

const SCAN: Job = {
  job_id: 'a',
  kind: 'import_tmdb',
  status: 'running',
  done: 3_412,
  total: 12_480,
  message: null,
  input: {},
  report: null,
  cancelling: false,
  created_at: getPastTime(4),
  started_at: getPastTime(3),
  finished_at: null,
}
const JOBS: Job[] = [
  SCAN,
  { ...SCAN, job_id: 'b', kind: 'search_sync', done: 0, total: null, cancelling: true },
  { ...SCAN, job_id: 'c', kind: 'backup', status: 'queued', done: 0, total: null, started_at: null },
  {
    ...SCAN,
    job_id: 'd',
    kind: 'import_demo',
    status: 'cancelled',
    finished_at: getPastTime(1),
  },
]

const STREAM: RunningStream = {
  id: 'a',
  account: { id: 'a', email: 'alex.montgomery-fitzgerald@family-cloud.example.org' },
  profile: 'Alex',
  title: { id: '1', type: 'movie', name: 'Arrival' },
  delivery: 'direct',
  quality: null,
  encoder: null,
  started_at: getPastTime(42),
  last_request_at: getPastTime(0),
}
const STREAMS: RunningStream[] = [
  STREAM,
  {
    ...STREAM,
    id: 'b',
    profile: 'ليلى',
    title: { id: '2', type: 'tv', name: 'The Last of Us' },
    delivery: 'transcode',
    quality: '720p',
    encoder: 'libx264',
    started_at: getPastTime(3),
  },
]

const TITLE: FileTitle = { id: '1', type: 'movie', slug: 'arrival', title: 'Arrival', year: 2016 }
const FILE: LibraryFileEntry = {
  id: 'a',
  path: 'Films/Arrival (2016)/Arrival (2016) 2160p.mkv',
  size: 24 * GIGABYTE,
  modified_at: getPastTime(90_000),
  added_at: getPastTime(80_000),
  type: 'movie',
  parsed_title: 'Arrival',
  parsed_year: 2016,
  season: null,
  episodes: [],
  quality: '2160p',
  state: 'matched',
  reason: null,
  matched_by: 'name',
  title: TITLE,
  candidates: [],
}
const UNMATCHED_FILE: LibraryFileEntry = {
  ...FILE,
  id: 'b',
  path: 'Series/Family recordings/Season 3/S03E04E05 The one where everybody finds out.mp4',
  size: 2 * GIGABYTE,
  type: 'tv',
  parsed_title: 'Family recordings',
  parsed_year: null,
  season: 3,
  episodes: [4, 5],
  quality: null,
  state: 'unmatched',
  reason: 'no_title',
  matched_by: null,
  title: null,
}
const FILES: LibraryFileEntry[] = [
  FILE,
  UNMATCHED_FILE,
  {
    ...UNMATCHED_FILE,
    id: 'c',
    path: 'Films/Dune.mkv',
    type: 'movie',
    parsed_title: 'Dune',
    season: null,
    episodes: [],
    reason: 'ambiguous',
    candidates: [TITLE, { ...TITLE, id: '2', title: 'Dune', slug: 'dune-2021', year: 2021 }],
  },
  {
    ...FILE,
    id: 'd',
    path: 'Films/Arrival (2016)/trailer.mp4',
    state: 'ignored',
    reason: 'extra',
    title: null,
  },
  ...(
    [
      ['Films/Heat (1995)/Heat (1995).iso', 'disc'],
      ['Films/Her (2013)/Her (2013).mkv', 'empty'],
      ['Films/Up (2009)/Up (2009).mkv', 'unreadable'],
      ['Films/Ran (1985)/Ran (1985) cd1.avi', 'part'],
    ] as const
  ).map(([path, reason], index) => ({
    ...UNMATCHED_FILE,
    id: `e${index}`,
    path,
    size: 0,
    type: 'movie' as const,
    season: null,
    episodes: [],
    reason,
  })),
]
const showLibrary = answerRequests({
  '**/admin/library': {
    configured: true,
    folders: [
      { name: 'Films', matched: 1_204, unmatched: 12, ignored: 48, size: 9_400 * GIGABYTE },
      { name: 'Series', matched: 8_310, unmatched: 2, ignored: 0, size: 4_100 * GIGABYTE },
    ],
    titles: 1_316,
    thumbnails: { state: 'available', files: 9_514, handled: 7_020, size: 3 * GIGABYTE },
  },
  '**/admin/library/files?*': createPage(FILES),
})

/** Opens the details of a file in the list. */
const showFile = (name: string, path: string): GalleryState => ({
  name,
  path: '/dashboard/?section=library',
  prepare: async (window) => {
    await showLibrary(window)
    const file = FILES.find((candidate) => candidate.path.endsWith(path))
    const details = {
      file,
      video: file?.title && {
        width: 3_840,
        height: 1_608,
        duration_seconds: 6_960,
        chapters: 24,
      },
      content_type: 'video/x-matroska',
      subtitles: file?.title
        ? [
            { lang: 'fr', label: 'Français' },
            { lang: 'ar', label: 'العربية' },
          ]
        : [],
      folder_files: file?.season ? 12 : 0,
      needs_episode: false,
      can_search_tmdb: true,
    }
    await answerRequests({ '**/admin/library/files/*': details })(window)
  },
  act: async ({ page }) => {
    const row = page.locator('[data-dashboard] tbody tr').filter({ hasText: path })
    await row.getByRole('button').first().click()
    await page.getByRole('dialog').locator('dl').waitFor()
  },
})

export const workStates: GalleryState[] = [
  {
    name: 'dashboard-jobs-running',
    path: '/dashboard/?section=jobs',
    prepare: answerRequests({ '**/api/jobs?*': createPage(JOBS) }),
  },
  {
    name: 'dashboard-streams',
    path: '/dashboard/',
    prepare: answerRequests({
      '**/admin/streams': {
        results: STREAMS,
        ffmpeg: { status: 'available', version: '5.1.9', limit: 1 },
      },
    }),
    act: scrollToText('dashboard:streams'),
  },
  {
    name: 'dashboard-library-files',
    path: '/dashboard/?section=library',
    prepare: showLibrary,
    captureBelow: true,
  },
  showFile('dashboard-library-file', '2160p.mkv'),
  showFile('dashboard-library-choose', 'finds out.mp4'),
  showFile('dashboard-library-disc', 'Heat (1995).iso'),
]
