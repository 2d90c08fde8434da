/** TMDB's API as a source: the most popular titles first, then only what TMDB says has changed. See docs/importing.md. */
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

const AT_ONCE = 6
const PAGE = 100
const LIMIT = 2_000
const PEOPLE = 10

interface Places {
  api: string
  files: string
  /** For tests: they do not wait as one waits for TMDB. */
  pace?: { perSecond: number; firstWaitMs: number }
}
const TMDB: Places = { api: 'https://api.themoviedb.org/3', files: 'https://files.tmdb.org/p/exports' }

interface Plan {
  limit: number
  people: number
  movies: number[]
  series: number[]
  full: boolean
}
interface Work {
  deps: Deps
  plan: Plan
  client: TmdbClient
  checkpoint: Checkpoint
  report: ImportReport
  options: Options
  places: Places
  progress?: ((report: ImportReport) => void) | undefined
  signal?: AbortSignal | undefined
}

export function tmdbFrom(places: Places): Importer {
  return {
    describe: "TMDB's API (needs TMDB_API_TOKEN); after the first time only what changed there",
    options: {
      limit: `how many movies and how many series, the most popular first; ${LIMIT} unless given`,
      people: `how many of each cast are looked up for birthday and biography; ${PEOPLE} unless given`,
      movies: 'only these TMDB ids, comma-separated',
      series: 'only these TMDB ids, comma-separated',
      full: 'yes begins anew: all titles again, not only what changed',
      ...BATCH_OPTION,
    },
    async run(deps, options, progress, signal) {
      const plan = planOf(options)
      const token = deps.config.tmdbApiToken
      if (!token)
        throw new OptionError('TMDB_API_TOKEN is not set: get an API read access token from themoviedb.org')
      const client = new TmdbClient({ base: places.api, token, signal, ...places.pace })
      const report = emptyReport()
      const checkpoint = new Checkpoint(join(deps.config.dataDir, 'import'))
      const work: Work = { deps, plan, client, checkpoint, report, options, places, progress, signal }
      try {
        await fill(work)
        await writeTitles(work)
        await writePeople(work)
      } catch (error) {
        if (!signal?.aborted) throw error
      } finally {
        checkpoint.close()
      }
      return report
    },
  }
}

export const tmdb = tmdbFrom(TMDB)

/** Throws `OptionError`. */
function planOf(options: Options): Plan {
  const full = options['full'] ?? 'no'
  if (full !== 'yes' && full !== 'no') throw new OptionError(`--full must be yes or no, not "${full}"`)
  const ids = (name: string) => options[name]?.split(',').map((id) => wholeNumber(id.trim(), name, 1)) ?? []
  return {
    limit: wholeNumber(options['limit'] ?? String(LIMIT), 'limit', 1),
    people: wholeNumber(options['people'] ?? String(PEOPLE), 'people', 0),
    movies: ids('movies'),
    series: ids('series'),
    full: full === 'yes',
  }
}

/** Puts together what is to be fetched, unless an earlier run left some. */
async function fill(work: Work): Promise<void> {
  const { plan, checkpoint, report } = work
  if (plan.full) checkpoint.clear()
  if (plan.movies.length + plan.series.length > 0) {
    checkpoint.add([...itemsOf('movie', plan.movies), ...itemsOf('tv', plan.series)])
    return
  }
  if (checkpoint.left() > 0) {
    report.stage = 'going on where the last run stopped'
    return
  }
  const since = checkpoint.since()
  const today = dayOf(work.deps.now())
  report.stage = since ? `asking what changed since ${since}` : 'reading the lists of ids'
  work.progress?.(report)
  checkpoint.add(since ? await changed(work, since, today) : await popular(work), today)
}

const itemsOf = (kind: Kind, ids: number[]): Item[] => ids.map((id) => ({ kind, id }))

async function popular({ plan, places, report, deps, signal }: Work): Promise<Item[]> {
  const items: Item[] = []
  for (const kind of ['movie', 'tv'] as const) {
    const request = { base: places.files, kind, limit: plan.limit, now: deps.now(), report, signal }
    items.push(...itemsOf(kind, await popularIds(request)))
  }
  return items
}

/** Of what the catalogue has: TMDB changes thousands of titles a day that nobody here asked for. */
async function changed({ client, checkpoint, deps }: Work, since: string, until: string): Promise<Item[]> {
  const items: Item[] = []
  for (const kind of ['movie', 'tv', 'person'] as const) {
    for await (const ids of changedIds(client, { kind, since, until })) {
      const mine =
        kind === 'person'
          ? ids.filter((id) => checkpoint.isDone(id))
          : await knownTmdbIds(deps.database.primary, kind, ids)
      items.push(...itemsOf(kind, mine))
    }
  }
  return items
}

/** What waits, of some kinds; read a page at a time, since more is added behind. */
function* waiting(checkpoint: Checkpoint, people: boolean): Generator<Item> {
  for (let after = 0; ; ) {
    const page = checkpoint.next(after, PAGE)
    for (const { kind, id } of page) if ((kind === 'person') === people) yield { kind, id }
    const last = page.at(-1)
    if (!last) return
    after = last.place
  }
}

const nameOf = ({ kind, id }: Item) => `${kind}/${id}`
function itemOf(name: string): Item {
  const [kind, id] = name.split('/')
  return { kind: kind as Kind, id: Number(id) }
}

async function writeTitles({ deps, plan, client, checkpoint, report, options, progress, signal }: Work) {
  report.stage = 'fetching titles'
  report.total = checkpoint.left()
  const reads = ahead(waiting(checkpoint, false), AT_ONCE, async (item): Promise<Read> => {
    const answer = await fetchTitle(client, item)
    if ('record' in answer) {
      const cast = answer.record.cast.slice(0, plan.people)
      checkpoint.addPeople(cast.flatMap(({ person }) => person.tmdb_id ?? []))
    }
    return { at: nameOf(item), ...answer }
  })
  await importTitles(deps, reads, {
    source: 'tmdb',
    report,
    ...batchMsOf(options),
    onProgress: progress,
    onWritten: (at) => checkpoint.done(at.map(itemOf)),
    signal,
  })
}

async function writePeople({ deps, client, checkpoint, report, progress, signal }: Work) {
  if (signal?.aborted) return
  report.stage = `looking up ${checkpoint.left()} people`
  progress?.(report)
  const reads = ahead(waiting(checkpoint, true), AT_ONCE, async (item): Promise<PersonRead> => {
    return { at: nameOf(item), ...(await fetchPerson(client, item.id)) }
  })
  await importPeople(deps, reads, {
    report,
    onProgress: progress,
    onWritten: (at) => checkpoint.done(at.map(itemOf)),
    signal,
  })
}
