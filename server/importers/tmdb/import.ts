/**
 * The importer of the TMDB API. The first run imports the most popular titles; later runs import what has changed. See
 * docs/importing.md.
 */

import { join } from 'node:path'
import { toIsoDate } from '../../core/dates.ts'
import type { TitleReadResult } from '../../queries/title-record.ts'
import { selectKnownTmdbIds } from '../../queries/tmdb-id.ts'
import { importPeople, type PersonReadResult } from '../import-people.ts'
import { createImportReport, type ImportReport } from '../import-report.ts'
import { importTitles } from '../import-titles.ts'
import {
  BATCH_MS_OPTION,
  type CatalogueImporter,
  type ImporterDeps,
  ImporterOptionError,
  type ImporterOptions,
  parseWholeNumberOption,
  readBatchMs,
} from '../importer.ts'
import { readChangedIds } from './changes.ts'
import { TmdbCheckpoint, type TmdbItem, type TmdbKind } from './checkpoint.ts'
import { TmdbClient } from './client.ts'
import { readPopularIds } from './daily-ids.ts'
import { fetchTmdbPerson, fetchTmdbTitle } from './fetch-title.ts'
import { mapConcurrently } from './map-concurrently.ts'

const CONCURRENCY = 6
const PAGE_SIZE = 100
const DEFAULT_LIMIT = 2_000
const DEFAULT_PEOPLE = 10

interface Endpoints {
  /** Base URL of the API. */
  api: string
  /** Base URL of the daily id exports. */
  files: string
  /** Lets tests run without the waits that TMDB needs. */
  pace?: { perSecond: number; firstWaitMs: number }
}
const TMDB_ENDPOINTS: Endpoints = {
  api: 'https://api.themoviedb.org/3',
  files: 'https://files.tmdb.org/p/exports',
}

interface ImportPlan {
  limit: number
  /** Number of cast members per title that are looked up. */
  people: number
  movies: number[]
  series: number[]
  full: boolean
}
interface ImportContext {
  deps: ImporterDeps
  plan: ImportPlan
  client: TmdbClient
  checkpoint: TmdbCheckpoint
  report: ImportReport
  options: ImporterOptions
  endpoints: Endpoints
  progress?: ((report: ImportReport) => void) | undefined
  signal?: AbortSignal | undefined
}

export function createTmdbImporter(endpoints: Endpoints): CatalogueImporter {
  return {
    description: "TMDB's API (needs TMDB_API_TOKEN); later runs import only what has changed",
    options: {
      limit: `number of movies and of series, the most popular first; default: ${DEFAULT_LIMIT}`,
      people: `number of cast members per title whose biography is looked up; default: ${DEFAULT_PEOPLE}`,
      movies: 'imports only these TMDB ids, comma-separated',
      series: 'imports only these TMDB ids, comma-separated',
      full: 'yes imports all titles again, not only what has changed',
      ...BATCH_MS_OPTION,
    },
    async run(deps, options, progress, signal) {
      const plan = readPlan(options)
      const token = deps.config.tmdbApiToken
      if (!token)
        throw new ImporterOptionError(
          'TMDB_API_TOKEN is not set: get an API read access token from themoviedb.org',
        )
      const client = new TmdbClient({ baseUrl: endpoints.api, token, signal, ...endpoints.pace })
      const report = createImportReport()
      const checkpoint = new TmdbCheckpoint(join(deps.config.dataDir, 'import'))
      const context: ImportContext = {
        deps,
        plan,
        client,
        checkpoint,
        report,
        options,
        endpoints,
        progress,
        signal,
      }
      try {
        await fillCheckpoint(context)
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

export const tmdbImporter = createTmdbImporter(TMDB_ENDPOINTS)

/** Reads the options. Throws `OptionError`. */
function readPlan(options: ImporterOptions): ImportPlan {
  const full = options['full'] ?? 'no'
  if (full !== 'yes' && full !== 'no')
    throw new ImporterOptionError(`--full must be yes or no, not "${full}"`)
  const readIds = (name: string) =>
    options[name]?.split(',').map((id) => parseWholeNumberOption(id.trim(), name, 1)) ?? []
  return {
    limit: parseWholeNumberOption(options['limit'] ?? String(DEFAULT_LIMIT), 'limit', 1),
    people: parseWholeNumberOption(options['people'] ?? String(DEFAULT_PEOPLE), 'people', 0),
    movies: readIds('movies'),
    series: readIds('series'),
    full: full === 'yes',
  }
}

/** Adds the items to fetch to the checkpoint, unless an earlier run left pending items. */
async function fillCheckpoint(context: ImportContext): Promise<void> {
  const { plan, checkpoint, report } = context
  if (plan.full) checkpoint.clear()
  if (plan.movies.length + plan.series.length > 0) {
    checkpoint.addPending([...toItems('movie', plan.movies), ...toItems('tv', plan.series)])
    return
  }
  if (checkpoint.countPending() > 0) {
    report.stage = 'continuing the last import'
    return
  }
  const since = checkpoint.readChangesSince()
  const today = toIsoDate(context.deps.now())
  report.stage = since ? `reading changes since ${since}` : 'reading the daily id exports'
  context.progress?.(report)
  checkpoint.addPending(
    since ? await findChangedItems(context, since, today) : await findPopularItems(context),
    today,
  )
}

const toItems = (kind: TmdbKind, ids: number[]): TmdbItem[] => ids.map((id) => ({ kind, id }))

async function findPopularItems({
  plan,
  endpoints,
  report,
  deps,
  signal,
}: ImportContext): Promise<TmdbItem[]> {
  const items: TmdbItem[] = []
  for (const kind of ['movie', 'tv'] as const) {
    const query = { base: endpoints.files, kind, limit: plan.limit, now: deps.now(), report, signal }
    items.push(...toItems(kind, await readPopularIds(query)))
  }
  return items
}

/** Returns only changed items that the catalogue has, because TMDB changes thousands of other titles every day. */
async function findChangedItems(
  { client, checkpoint, deps }: ImportContext,
  since: string,
  until: string,
): Promise<TmdbItem[]> {
  const items: TmdbItem[] = []
  for (const kind of ['movie', 'tv', 'person'] as const) {
    for await (const ids of readChangedIds(client, { kind, since, until })) {
      const knownIds =
        kind === 'person'
          ? ids.filter((id) => checkpoint.isPersonDone(id))
          : await selectKnownTmdbIds(deps.database.primary, kind, ids)
      items.push(...toItems(kind, knownIds))
    }
  }
  return items
}

/** Yields the pending people or titles. It reads page by page, because items are added during the import. */
function* pendingItems(checkpoint: TmdbCheckpoint, isPerson: boolean): Generator<TmdbItem> {
  for (let after = 0; ; ) {
    const page = checkpoint.selectPending(after, PAGE_SIZE)
    for (const { kind, id } of page) if ((kind === 'person') === isPerson) yield { kind, id }
    const last = page.at(-1)
    if (!last) return
    after = last.place
  }
}

const formatItem = ({ kind, id }: TmdbItem) => `${kind}/${id}`
function parseItem(name: string): TmdbItem {
  const [kind, id] = name.split('/')
  return { kind: kind as TmdbKind, id: Number(id) }
}

async function importPendingTitles({
  deps,
  plan,
  client,
  checkpoint,
  report,
  options,
  progress,
  signal,
}: ImportContext) {
  report.stage = 'fetching titles'
  report.total = checkpoint.countPending()
  const reads = mapConcurrently(
    pendingItems(checkpoint, false),
    CONCURRENCY,
    async (item): Promise<TitleReadResult> => {
      const result = await fetchTmdbTitle(client, item)
      if ('record' in result) {
        const cast = result.record.cast.slice(0, plan.people)
        checkpoint.addPeople(cast.flatMap(({ person }) => person.tmdb_id ?? []))
      }
      return { at: formatItem(item), ...result }
    },
  )
  await importTitles(deps, reads, {
    source: 'tmdb',
    report,
    ...readBatchMs(options),
    onProgress: progress,
    onWritten: (locations) => checkpoint.markDone(locations.map(parseItem)),
    signal,
  })
}

async function importPendingPeople({ deps, client, checkpoint, report, progress, signal }: ImportContext) {
  if (signal?.aborted) return
  report.stage = `looking up ${checkpoint.countPending()} people`
  progress?.(report)
  const reads = mapConcurrently(
    pendingItems(checkpoint, true),
    CONCURRENCY,
    async (item): Promise<PersonReadResult> => {
      return { at: formatItem(item), ...(await fetchTmdbPerson(client, item.id)) }
    },
  )
  await importPeople(deps, reads, {
    report,
    onProgress: progress,
    onWritten: (locations) => checkpoint.markDone(locations.map(parseItem)),
    signal,
  })
}
