/**
 * The importer of the TMDB API. The first run imports the most popular titles; later runs import what has changed. See
 * docs/importing.md.
 */

import { join } from 'node:path'
import type { TitleReadResult } from '../../queries/title-record.ts'
import { importPeople, type PersonReadResult } from '../import-people.ts'
import { createImportReport } from '../import-report.ts'
import { importTitles } from '../import-titles.ts'
import {
  BATCH_MS_OPTION,
  type CatalogueImporter,
  ImporterOptionError,
  readBatchOptions,
} from '../importer.ts'
import { TmdbCheckpoint, type TmdbItem, type TmdbKind } from './checkpoint.ts'
import { openCheckpointBatches } from './checkpoint-batches.ts'
import { TmdbClient } from './client.ts'
import { fetchTmdbPerson, fetchTmdbTitle } from './fetch-title.ts'
import { fillCheckpoint } from './fill-checkpoint.ts'
import {
  DEFAULT_PEOPLE_PER_TITLE,
  DEFAULT_TITLE_LIMIT,
  readImportPlan,
  type TmdbEndpoints,
  type TmdbImportContext,
} from './import-plan.ts'
import { mapConcurrently, postponeError } from './map-concurrently.ts'
import { skipFailedItems } from './skip-failed-items.ts'

const CONCURRENT_FETCHES = 6
const PAGE_SIZE = 100
const TMDB_FILES_URL = 'https://files.tmdb.org/p/exports'

/** `testEndpoints` replaces TMDB's servers in tests. */
export function createTmdbImporter(testEndpoints?: TmdbEndpoints): CatalogueImporter {
  return {
    description: "TMDB's API (needs TMDB_API_TOKEN); later runs import only what has changed",
    options: {
      limit: `number of movies and of series, the most popular first; default: ${DEFAULT_TITLE_LIMIT}`,
      people: `number of cast members per title whose biography is looked up; default: ${DEFAULT_PEOPLE_PER_TITLE}`,
      movies: 'imports only these TMDB ids, comma-separated',
      series: 'imports only these TMDB ids, comma-separated',
      full: 'yes imports all titles again, not only what has changed',
      ...BATCH_MS_OPTION,
    },
    async run(deps, options, reportProgress, signal) {
      const plan = readImportPlan(options)
      const token = deps.config.tmdbApiToken
      if (!token)
        throw new ImporterOptionError(
          'TMDB_API_TOKEN is not set: get an API read access token from themoviedb.org',
        )
      const endpoints = testEndpoints ?? { apiUrl: deps.config.tmdbApiUrl, filesUrl: TMDB_FILES_URL }
      const client = new TmdbClient({ baseUrl: endpoints.apiUrl, token, signal, ...endpoints.requestRate })
      const report = createImportReport()
      const checkpoint = new TmdbCheckpoint(join(deps.config.dataDir, 'import'))
      try {
        const context: TmdbImportContext = {
          deps,
          plan,
          client,
          checkpoint,
          batches: await openCheckpointBatches(deps, checkpoint),
          report,
          options,
          endpoints,
          reportProgress,
          signal,
        }
        await fillCheckpoint(context)
        checkpoint.requeueFailedItems()
        await importPendingTitles(context)
        await importPendingPeople(context)
      } catch (error) {
        if (!signal?.aborted) throw error
      } finally {
        checkpoint.close()
      }
      return report
    },
  }
}

export const tmdbImporter = createTmdbImporter()

/**
 * Yields the pending people if `shouldReadPeople` is true, otherwise the pending titles. Reads page by page, because
 * items are added during the import.
 */
function* readPendingItems(checkpoint: TmdbCheckpoint, shouldReadPeople: boolean): Generator<TmdbItem> {
  for (let lastPosition = 0; ; ) {
    const pageItems = checkpoint.selectPendingItems(lastPosition, PAGE_SIZE)
    for (const { kind, id } of pageItems) if ((kind === 'person') === shouldReadPeople) yield { kind, id }
    const lastItem = pageItems.at(-1)
    if (!lastItem) return
    lastPosition = lastItem.place
  }
}

const formatLocation = ({ kind, id }: TmdbItem) => `${kind}/${id}`
function parseLocation(location: string): TmdbItem {
  const [kind, id] = location.split('/')
  return { kind: kind as TmdbKind, id: Number(id) }
}

async function importPendingTitles(context: TmdbImportContext) {
  const { deps, plan, client, checkpoint, batches, report, options, reportProgress, signal } = context
  const fetchTitle = skipFailedItems(context, (item) => fetchTmdbTitle(client, item))
  report.stage = 'fetching titles'
  report.total = checkpoint.countPendingItems()
  const readResults = mapConcurrently(
    readPendingItems(checkpoint, false),
    CONCURRENT_FETCHES,
    async (item): Promise<TitleReadResult> => {
      const fetchResult = await fetchTitle(item)
      if ('record' in fetchResult) {
        const cast = fetchResult.record.cast.slice(0, plan.peoplePerTitle)
        checkpoint.addPeople(cast.flatMap(({ person }) => person.tmdb_id ?? []))
      }
      const requestedIds = item.kind === 'movie' ? plan.movieIds : plan.seriesIds
      return { location: formatLocation(item), ...fetchResult, isRequested: requestedIds.includes(item.id) }
    },
  )
  const { items, throwPostponedError } = postponeError(readResults)
  let writtenTitleCount = 0
  await importTitles(deps, items, {
    source: 'tmdb',
    report,
    ...readBatchOptions(options),
    onProgress: reportProgress,
    onWritten: async (locations) => {
      const hasChanges = report.added + report.changed > writtenTitleCount
      writtenTitleCount = report.added + report.changed
      await batches.markDone(locations.map(parseLocation), hasChanges)
    },
    signal,
  })
  throwPostponedError()
}

async function importPendingPeople(context: TmdbImportContext) {
  const { deps, client, checkpoint, batches, report, reportProgress, signal } = context
  const fetchPerson = skipFailedItems(context, (item) => fetchTmdbPerson(client, item.id))
  if (signal?.aborted) return
  report.stage = `looking up ${checkpoint.countPendingItems()} people`
  reportProgress?.(report)
  const readResults = mapConcurrently(
    readPendingItems(checkpoint, true),
    CONCURRENT_FETCHES,
    async (item): Promise<PersonReadResult> => {
      return { location: formatLocation(item), ...(await fetchPerson(item)) }
    },
  )
  const { items, throwPostponedError } = postponeError(readResults)
  await importPeople(deps, items, {
    report,
    onProgress: reportProgress,
    onWritten: (locations) => batches.markDone(locations.map(parseLocation), true),
    signal,
  })
  throwPostponedError()
}
