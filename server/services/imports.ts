/** Imports that an administrator starts: every source that the importers know (server/importers/index.ts). */
import type { Job } from '../../src/lib/contract/admin.ts'
import type { Importer } from '../../src/lib/contract/admin-imports.ts'
import type { Deps } from '../deps.ts'
import { IMPORTERS } from '../importers/index.ts'
import { OptionError, type Options } from '../importers/source.ts'
import { invalid, Problem } from '../problem.ts'
import { type JobContext, JobFailure, type Work } from './job-queue.ts'
import { list as listJobs, start as startJob } from './jobs.ts'
import type { By } from './profiles.ts'

type Values = Record<string, string | number | boolean>
type Kind = Importer['options'][number]['kind']

/** How an option is asked for; text unless it stands here. */
const KINDS: Record<string, Kind> = {
  folder: 'folder',
  'min-votes': 'whole',
  limit: 'whole',
  people: 'whole',
  adult: 'flag',
  full: 'flag',
}
/** For the command line alone. */
const HIDDEN = new Set(['batch-ms'])
/** What a source cannot do without. */
const NEEDS: Record<string, (deps: Deps) => Importer['unavailable']> = {
  tmdb: ({ config }) => (config.tmdbApiToken ? null : 'no_token'),
}
const kindOf = (name: string) => `import_${name}`

const optionsOf = (name: string): Importer['options'] =>
  Object.keys(IMPORTERS[name]?.options ?? {})
    .filter((option) => !HIDDEN.has(option))
    .map((option) => ({ name: option, kind: KINDS[option] ?? 'text', required: false }))

export async function list(by: By, query: { page: number; limit: number }) {
  const jobs = await listJobs(by, { ...query, prefix: 'import_' })
  const importers = Object.keys(IMPORTERS).map((name) => ({
    name,
    options: optionsOf(name),
    unavailable: NEEDS[name]?.(by.deps) ?? null,
  }))
  return { ...jobs, importers }
}

interface Wish {
  importer: string
  options?: Values | undefined
}

/** Throws 422 for an importer or an option that there is not, 409 where it cannot run here. */
export async function start(by: By, { importer, options = {} }: Wish): Promise<Job> {
  if (!Object.hasOwn(IMPORTERS, importer)) throw invalid('importer', 'unknown')
  const missing = NEEDS[importer]?.(by.deps)
  if (missing) throw new Problem('conflict', { errors: { importer: [missing] } })
  checkOptions(optionsOf(importer), options)
  return startJob(by, kindOf(importer), options)
}

const TYPES = { folder: 'string', text: 'string', whole: 'number', flag: 'boolean' } as const

function checkOptions(known: Importer['options'], given: Values): void {
  for (const [name, value] of Object.entries(given)) {
    const option = known.find((one) => one.name === name)
    if (!option) throw invalid('options', 'unrecognized_keys')
    const fits = option.kind === 'whole' ? Number.isInteger(value) : typeof value === TYPES[option.kind]
    if (!fits) throw invalid(`options.${name}`, 'invalid_type')
  }
}

/** As on the command line: text, and yes or no. */
function asText(given: Values): Options {
  const text = (value: Values[string]) =>
    typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value).trim()
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === '' ? [] : [[name, text(value)]])),
  )
}

/** The work of each importer's job. */
export const IMPORT_JOBS: Record<string, Work> = Object.fromEntries(
  Object.keys(IMPORTERS).map((name) => [kindOf(name), (context: JobContext) => run(name, context)]),
)

/**
 * After a crash it reads again from the beginning: what was written comes out as `same`. A source that keeps its own place
 * goes on from there.
 */
async function run(name: string, { deps, input, signal, progress }: JobContext) {
  let told: Promise<void> | null = null
  const report = await IMPORTERS[name]
    ?.run(
      deps,
      asText(input as Values),
      ({ read, total }) => {
        told ??= progress(read, total ?? null)
          .catch(() => {})
          .finally(() => {
            told = null
          })
      },
      signal,
    )
    .catch((error: unknown) => {
      throw error instanceof OptionError ? new JobFailure(error.message) : error
    })
  if (!report) throw new JobFailure('unknown_importer')
  await told
  await progress(report.read, signal.aborted ? (report.total ?? null) : report.read)
  return { message: String(report.added + report.changed), report: { ...report } }
}
