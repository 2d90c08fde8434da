/**
 * States that the gallery takes screenshots of: the dashboard with running jobs and streams, and with files of the
 * media library.
 */
import type { Job } from '../../src/lib/contract/admin.ts'
import type { FileTitle, LibraryFileEntry } from '../../src/lib/contract/admin-library.ts'
import type { RunningStream } from '../../src/lib/contract/admin-streams.ts'
import type { GalleryState } from './gallery-state.ts'
import { fulfilRequests, scrollToHeading } from './state-actions.ts'

const MINUTE_MS = 60_000
const GIGABYTE_BYTES = 1_000_000_000
const formatPastTime = (minutesAgo: number) => new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString()
const createResultPage = <T>(results: T[]) => ({
  results,
  page: 1,
  limit: 20,
  total_pages: 1,
  total_results: results.length,
})

const RUNNING_JOB: Job = {
  job_id: 'a',
  kind: 'import_tmdb',
  status: 'running',
  done: 3_412,
  total: 12_480,
  message: null,
  input: {},
  report: null,
  cancelling: false,
  created_at: formatPastTime(4),
  started_at: formatPastTime(3),
  finished_at: null,
}
const JOBS: Job[] = [
  RUNNING_JOB,
  { ...RUNNING_JOB, job_id: 'b', kind: 'search_sync', done: 0, total: null, cancelling: true },
  { ...RUNNING_JOB, job_id: 'c', kind: 'backup', status: 'queued', done: 0, total: null, started_at: null },
  {
    ...RUNNING_JOB,
    job_id: 'd',
    kind: 'import_demo',
    status: 'cancelled',
    finished_at: formatPastTime(1),
  },
]

const RUNNING_STREAM: RunningStream = {
  id: 'a',
  account: { id: 'a', email: 'alex.montgomery-fitzgerald@family-cloud.example.org' },
  profile: 'Alex',
  title: { id: '1', type: 'movie', name: 'Arrival' },
  delivery: 'direct',
  quality: null,
  encoder: null,
  started_at: formatPastTime(42),
  last_request_at: formatPastTime(0),
}
const RUNNING_STREAMS: RunningStream[] = [
  RUNNING_STREAM,
  {
    ...RUNNING_STREAM,
    id: 'b',
    profile: 'ليلى',
    title: { id: '2', type: 'tv', name: 'The Last of Us' },
    delivery: 'transcode',
    quality: '720p',
    encoder: 'libx264',
    started_at: formatPastTime(3),
  },
]

const FILE_TITLE: FileTitle = { id: '1', type: 'movie', slug: 'arrival', title: 'Arrival', year: 2016 }
const LIBRARY_FILE: LibraryFileEntry = {
  id: 'a',
  path: 'Films/Arrival (2016)/Arrival (2016) 2160p.mkv',
  size: 24 * GIGABYTE_BYTES,
  modified_at: formatPastTime(90_000),
  added_at: formatPastTime(80_000),
  type: 'movie',
  parsed_title: 'Arrival',
  parsed_year: 2016,
  season: null,
  episodes: [],
  quality: '2160p',
  state: 'matched',
  reason: null,
  matched_by: 'name',
  title: FILE_TITLE,
  candidates: [],
}
const UNMATCHED_FILE: LibraryFileEntry = {
  ...LIBRARY_FILE,
  id: 'b',
  path: 'Series/Family recordings/Season 3/S03E04E05 The one where everybody finds out.mp4',
  size: 2 * GIGABYTE_BYTES,
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
const LIBRARY_FILES: LibraryFileEntry[] = [
  LIBRARY_FILE,
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
    candidates: [FILE_TITLE, { ...FILE_TITLE, id: '2', title: 'Dune', slug: 'dune-2021', year: 2021 }],
  },
  {
    ...LIBRARY_FILE,
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
const showLibrary = fulfilRequests({
  '**/admin/library': {
    configured: true,
    folders: [
      { name: 'Films', matched: 1_204, unmatched: 12, ignored: 48, size: 9_400 * GIGABYTE_BYTES },
      { name: 'Series', matched: 8_310, unmatched: 2, ignored: 0, size: 4_100 * GIGABYTE_BYTES },
    ],
    titles: 1_316,
    thumbnails: { state: 'available', files: 9_514, handled: 7_020, size: 3 * GIGABYTE_BYTES },
  },
  '**/admin/library/files?*': createResultPage(LIBRARY_FILES),
})

/** Creates a state in which the details of a file of the list are open. */
const createFileState = (name: string, pathSuffix: string): GalleryState => ({
  name,
  path: '/dashboard/?section=library',
  prepare: async (galleryWindow) => {
    await showLibrary(galleryWindow)
    const libraryFile = LIBRARY_FILES.find((candidate) => candidate.path.endsWith(pathSuffix))
    const fileDetails = {
      file: libraryFile,
      video: libraryFile?.title && {
        width: 3_840,
        height: 1_608,
        duration_seconds: 6_960,
        chapters: 24,
      },
      content_type: 'video/x-matroska',
      subtitles: libraryFile?.title
        ? [
            { lang: 'fr', label: 'Français' },
            { lang: 'ar', label: 'العربية' },
          ]
        : [],
      folder_files: libraryFile?.season ? 12 : 0,
      needs_episode: false,
      can_search_tmdb: true,
    }
    await fulfilRequests({ '**/admin/library/files/*': fileDetails })(galleryWindow)
  },
  interact: async ({ page }) => {
    const fileRow = page.locator('[data-dashboard] tbody tr').filter({ hasText: pathSuffix })
    await fileRow.getByRole('button').first().click()
    await page.getByRole('dialog').locator('dl').waitFor()
  },
})

export const workStates: GalleryState[] = [
  {
    name: 'dashboard-jobs-running',
    path: '/dashboard/?section=jobs',
    prepare: fulfilRequests({ '**/api/jobs?*': createResultPage(JOBS) }),
  },
  {
    name: 'dashboard-streams',
    path: '/dashboard/',
    prepare: fulfilRequests({
      '**/admin/streams': {
        results: RUNNING_STREAMS,
        ffmpeg: { status: 'available', version: '5.1.9', limit: 1 },
      },
    }),
    interact: scrollToHeading('dashboard:streams'),
  },
  {
    name: 'dashboard-library-files',
    path: '/dashboard/?section=library',
    prepare: showLibrary,
    shouldCaptureBelow: true,
  },
  createFileState('dashboard-library-file', '2160p.mkv'),
  createFileState('dashboard-library-choose', 'finds out.mp4'),
  createFileState('dashboard-library-disc', 'Heat (1995).iso'),
]
