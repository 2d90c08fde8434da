/**
 * The importer of the TMDB API. The first run imports the most popular titles; later runs import what has changed. See
 * docs/importing.md.
 */
import { join } from 'node:path'
import type { Deps } from '../../deps.ts'
import type { Read } from '../../queries/title-record.ts'
import { knownTmdbIds } from '../../queries/tmdb-known.ts'
import { importPeople, type PersonRead } from '../people.ts'
import { importTitles } from '../pipeline.ts'
import { emptyReport, type ImportReport } from '../report.ts'
import { BATCH_OPTION, batchMsOf, type Importer, OptionError, type Options, wholeNumber } from '../source.ts'
import { ahead } from './ahead.ts'
import { changedIds, dayOf } from './changes.ts'
import { Checkpoint, type Item, type Kind } from './checkpoint.ts'
import { TmdbClient } from './client.ts'
import { popularIds } from './daily-ids.ts'
import { fetchPerson, fetchTitle } from './fetch-title.ts'

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
  deps: Deps
  plan: ImportPlan
  client: TmdbClient
  checkpoint: Checkpoint
  report: ImportReport
  options: Options
  endpoints: Endpoints
  progress?: ((report: ImportReport) => void) | undefined
  signal?: AbortSignal | undefined
}

export function tmdbFrom(endpoints: Endpoints): Importer {
  return {
    describe: "TMDB's API (needs TMDB_API_TOKEN); later runs import only what has changed",
    options: {
      limit: `number of movies and of series, the most popular first; default: ${DEFAULT_LIMIT}`,
      people: `number of cast members per title whose biography is looked up; default: ${DEFAULT_PEOPLE}`,
      movies: 'imports only these TMDB ids, comma-separated',
      series: 'imports only these TMDB ids, comma-separated',
      full: 'yes imports all titles again, not only what has changed',
      ...BATCH_OPTION,
    },
    async run(deps, options, progress, signal) {
      const plan = readPlan(options)
      const token = deps.config.tmdbApiToken
      if (!token)
        throw new OptionError('TMDB_API_TOKEN is not set: get an API read access token from themoviedb.org')
      const client = new TmdbClient({ base: endpoints.api, token, signal, ...endpoints.pace })
      const report = emptyReport()
      const checkpoint = new Checkpoint(join(deps.config.dataDir, 'import'))
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

export const tmdb = tmdbFrom(TMDB_ENDPOINTS)

/** Reads the options. Throws `OptionError`. */
function readPlan(options: Options): ImportPlan {
  const full = options['full'] ?? 'no'
  if (full !== 'yes' && full !== 'no') throw new OptionError(`--full must be yes or no, not "${full}"`)
  const readIds = (name: string) =>
    options[name]?.split(',').map((id) => wholeNumber(id.trim(), name, 1)) ?? []
  return {
    limit: wholeNumber(options['limit'] ?? String(DEFAULT_LIMIT), 'limit', 1),
    people: wholeNumber(options['people'] ?? String(DEFAULT_PEOPLE), 'people', 0),
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
    checkpoint.add([...toItems('movie', plan.movies), ...toItems('tv', plan.series)])
    return
  }
  if (checkpoint.left() > 0) {
    report.stage = 'continuing the last import'
    return
  }
  const since = checkpoint.since()
  const today = dayOf(context.deps.now())
  report.stage = since ? `reading changes since ${since}` : 'reading the daily id exports'
  context.progress?.(report)
  checkpoint.add(
    since ? await findChangedItems(context, since, today) : await findPopularItems(context),
    today,
  )
}

const toItems = (kind: Kind, ids: number[]): Item[] => ids.map((id) => ({ kind, id }))

async function findPopularItems({ plan, endpoints, report, deps, signal }: ImportContext): Promise<Item[]> {
  const items: Item[] = []
  for (const kind of ['movie', 'tv'] as const) {
    const query = { base: endpoints.files, kind, limit: plan.limit, now: deps.now(), report, signal }
    items.push(...toItems(kind, await popularIds(query)))
  }
  return items
}

/** Returns only changed items that the catalogue has, because TMDB changes thousands of other titles every day. */
async function findChangedItems(
  { client, checkpoint, deps }: ImportContext,
  since: string,
  until: string,
): Promise<Item[]> {
  const items: Item[] = []
  for (const kind of ['movie', 'tv', 'person'] as const) {
    for await (const ids of changedIds(client, { kind, since, until })) {
      const knownIds =
        kind === 'person'
          ? ids.filter((id) => checkpoint.isDone(id))
          : await knownTmdbIds(deps.database.primary, kind, ids)
      items.push(...toItems(kind, knownIds))
    }
  }
  return items
}

/** Yields the pending people or titles. It reads page by page, because items are added during the import. */
function* pendingItems(checkpoint: Checkpoint, isPerson: boolean): Generator<Item> {
  for (let after = 0; ; ) {
    const page = checkpoint.next(after, PAGE_SIZE)
    for (const { kind, id } of page) if ((kind === 'person') === isPerson) yield { kind, id }
    const last = page.at(-1)
    if (!last) return
    after = last.place
  }
}

const formatItem = ({ kind, id }: Item) => `${kind}/${id}`
function parseItem(name: string): Item {
  const [kind, id] = name.split('/')
  return { kind: kind as Kind, id: Number(id) }
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
  report.total = checkpoint.left()
  const reads = ahead(pendingItems(checkpoint, false), CONCURRENCY, async (item): Promise<Read> => {
    const result = await fetchTitle(client, item)
    if ('record' in result) {
      const cast = result.record.cast.slice(0, plan.people)
      checkpoint.addPeople(cast.flatMap(({ person }) => person.tmdb_id ?? []))
    }
    return { at: formatItem(item), ...result }
  })
  await importTitles(deps, reads, {
    source: 'tmdb',
    report,
    ...batchMsOf(options),
    onProgress: progress,
    onWritten: (locations) => checkpoint.done(locations.map(parseItem)),
    signal,
  })
}

async function importPendingPeople({ deps, client, checkpoint, report, progress, signal }: ImportContext) {
  if (signal?.aborted) return
  report.stage = `looking up ${checkpoint.left()} people`
  progress?.(report)
  const reads = ahead(pendingItems(checkpoint, true), CONCURRENCY, async (item): Promise<PersonRead> => {
    return { at: formatItem(item), ...(await fetchPerson(client, item.id)) }
  })
  await importPeople(deps, reads, {
    report,
    onProgress: progress,
    onWritten: (locations) => checkpoint.done(locations.map(parseItem)),
    signal,
  })
}
