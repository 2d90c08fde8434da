/** Importers that an administrator may start; adding one is one entry of the table. */

import type { Job } from '../../src/lib/contract/admin.ts'
import type { Importer } from '../../src/lib/contract/admin-imports.ts'
import type { Deps } from '../deps.ts'
import { DEMO_FOLDER, readDemo } from '../importers/demo.ts'
import { importTitles } from '../importers/pipeline.ts'
import { invalid, Problem } from '../problem.ts'
import type { Read } from '../queries/title-record.ts'
import type { JobContext, Work } from './job-queue.ts'
import { list as listJobs, start as startJob } from './jobs.ts'
import type { By } from './profiles.ts'

type Options = Record<string, string | number | boolean>
interface Source {
  options: Importer['options']
  /** Why it cannot be started here and now. */
  unavailable?: (deps: Deps) => Importer['unavailable']
  /** What it reads, in an order that stays the same while its input does: a run after a crash passes over what was done. */
  read: (deps: Deps, options: Options, signal: AbortSignal) => Iterable<Read> | AsyncIterable<Read>
}

const IMPORTERS: Record<string, Source> = {
  demo: { options: [], read: () => readDemo(DEMO_FOLDER) },
}
const kindOf = (name: string) => `import_${name}`

export async function list(by: By, query: { page: number; limit: number }) {
  const jobs = await listJobs(by, { ...query, prefix: 'import_' })
  const importers = Object.entries(IMPORTERS).map(([name, { options, unavailable }]) => ({
    name,
    options,
    unavailable: unavailable?.(by.deps) ?? null,
  }))
  return { ...jobs, importers }
}

/** Throws 422 for an importer or an option that there is not, 409 where it cannot run here. */
export async function start(
  by: By,
  { importer, options = {} }: { importer: string; options?: Options | undefined },
): Promise<Job> {
  const source = Object.hasOwn(IMPORTERS, importer) ? IMPORTERS[importer] : undefined
  if (!source) throw invalid('importer', 'unknown')
  const missing = source.unavailable?.(by.deps)
  if (missing) throw new Problem('conflict', { errors: { importer: [missing] } })
  checkOptions(source.options, options)
  return startJob(by, kindOf(importer), options)
}

const TYPES = { folder: 'string', text: 'string', whole: 'number', flag: 'boolean' } as const

function checkOptions(known: Importer['options'], given: Options): void {
  for (const { name, kind, required } of known) {
    const value = given[name]
    if (value === undefined || value === '') {
      if (required) throw invalid(`options.${name}`, 'needed')
    } else if (typeof value !== TYPES[kind] || (kind === 'whole' && !Number.isInteger(value))) {
      throw invalid(`options.${name}`, 'invalid_type')
    }
  }
  const odd = Object.keys(given).find((name) => !known.some((one) => one.name === name))
  if (odd !== undefined) throw invalid('options', 'unrecognized_keys')
}

/** The work of each importer's job. */
export const IMPORT_JOBS: Record<string, Work> = Object.fromEntries(
  Object.entries(IMPORTERS).map(([name, source]) => [
    kindOf(name),
    (context: JobContext) => run(name, source, context),
  ]),
)

/**
 * Records that a run before a crash had written come out as `same`, so going on is reading again from the beginning: what
 * is kept is written once.
 */
async function run(name: string, source: Source, { deps, input, signal, progress }: JobContext) {
  let told = Promise.resolve()
  const report = await importTitles(deps, source.read(deps, input as Options, signal), {
    source: name,
    signal,
    onProgress: ({ read }) => {
      told = progress(read, null)
    },
  })
  await told
  await progress(report.read, signal.aborted ? null : report.read)
  return { message: `${report.added + report.changed}`, report: { ...report } }
}
