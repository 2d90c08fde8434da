/** Starts and runs catalogue imports. Each importer of server/importers/index.ts has its own job kind. */

import type { Job } from '../../../src/lib/contract/admin.ts'
import type { Importer } from '../../../src/lib/contract/admin-imports.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { ImportReport } from '../../importers/import-report.ts'
import { type CatalogueImporter, ImporterError, type ImporterOptions } from '../../importers/importer.ts'
import { CATALOGUE_IMPORTERS } from '../../importers/index.ts'
import type { PageRequest } from '../../queries/page.ts'
import type { RequestContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { runCommandLineJob } from '../jobs/command-line-job.ts'
import { type JobContext, JobFailure, type JobHandler } from '../jobs/job-queue.ts'
import { listJobPage, startJob } from '../jobs/jobs.ts'

type ImporterOptionValues = Record<string, string | number | boolean>
type OptionKind = Importer['options'][number]['kind']

/** Kinds of form fields of importer options. Options that are not listed are text. */
const OPTION_KINDS_BY_NAME: Record<string, OptionKind> = {
  folder: 'folder',
  'min-votes': 'integer',
  limit: 'integer',
  people: 'integer',
  adult: 'flag',
  full: 'flag',
}
/** Options that are offered only on the command line. */
const COMMAND_LINE_ONLY_OPTIONS = new Set(['batch-ms'])
/**
 * Functions by importer. Each function returns the reason why its importer is unavailable, such as missing
 * configuration; null if the importer is available.
 */
const REQUIREMENT_CHECKS_BY_IMPORTER: Record<string, (deps: Deps) => Importer['unavailable']> = {
  tmdb: ({ config }) => (config.tmdbApiToken ? null : 'no_token'),
}
const getJobKind = (importerName: string) => `import_${importerName}`

const listImporterOptions = (importerName: string): Importer['options'] =>
  Object.keys(CATALOGUE_IMPORTERS[importerName]?.options ?? {})
    .filter((option) => !COMMAND_LINE_ONLY_OPTIONS.has(option))
    .map((option) => ({ name: option, kind: OPTION_KINDS_BY_NAME[option] ?? 'text', required: false }))

export async function listImports(context: RequestContext, query: PageRequest) {
  const jobs = await listJobPage(context, { ...query, kindPrefix: 'import_' })
  const importers = Object.keys(CATALOGUE_IMPORTERS).map((name) => ({
    name,
    options: listImporterOptions(name),
    unavailable: REQUIREMENT_CHECKS_BY_IMPORTER[name]?.(context.deps) ?? null,
  }))
  return { ...jobs, importers }
}

interface CatalogueImportRequest {
  importer: string
  options?: ImporterOptionValues | undefined
}

/**
 * Starts an import job. Throws 422 for an unknown importer or option, and for an option value of the wrong type. Throws
 * 409 when the importer is not configured or already runs.
 */
export async function startImport(
  context: RequestContext,
  { importer, options = {} }: CatalogueImportRequest,
): Promise<Job> {
  if (!Object.hasOwn(CATALOGUE_IMPORTERS, importer)) throw createFieldProblem('importer', 'unknown')
  const unavailableReason = REQUIREMENT_CHECKS_BY_IMPORTER[importer]?.(context.deps)
  if (unavailableReason) throw new Problem('conflict', { errors: { importer: [unavailableReason] } })
  assertValidOptions(listImporterOptions(importer), options)
  return startJob(context, getJobKind(importer), options)
}

const OPTION_VALUE_TYPES_BY_KIND = {
  folder: 'string',
  text: 'string',
  integer: 'number',
  flag: 'boolean',
} as const

function assertValidOptions(knownOptions: Importer['options'], values: ImporterOptionValues): void {
  for (const [name, value] of Object.entries(values)) {
    const option = knownOptions.find((candidate) => candidate.name === name)
    if (!option) throw createFieldProblem('options', 'unrecognized_keys')
    const isValidValue =
      option.kind === 'integer'
        ? Number.isInteger(value)
        : typeof value === OPTION_VALUE_TYPES_BY_KIND[option.kind]
    if (!isValidValue) throw createFieldProblem(`options.${name}`, 'invalid_type')
  }
}

/** Converts option values to text, because importers receive the options in the form of the command line. */
function formatOptionValues(values: ImporterOptionValues): ImporterOptions {
  const toOptionText = (value: ImporterOptionValues[string]) =>
    typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value).trim()
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === '' ? [] : [[name, toOptionText(value)]])),
  )
}

interface CommandLineImport {
  importer: string
  options: ImporterOptions
  abortController: AbortController
  onProgress: (report: ImportReport) => void
}

/**
 * Runs an import on the command line and records it as a job. Throws `JobFailure` when the importer reports an error.
 */
export async function runCommandLineImport(
  deps: Deps,
  { importer, options, abortController, onProgress }: CommandLineImport,
): Promise<ImportReport> {
  const reports: ImportReport[] = []
  const inputEntries = Object.entries(options).filter(([name]) => !COMMAND_LINE_ONLY_OPTIONS.has(name))
  await runCommandLineJob(deps, {
    kind: getJobKind(importer),
    input: Object.fromEntries(inputEntries),
    abortController,
    runTask: async (reportProgress) => {
      const importReport = await findImporter(importer)
        .run(
          deps,
          options,
          (progress) => {
            onProgress(progress)
            reportProgress(progress.read, progress.total ?? null)
          },
          abortController.signal,
        )
        .catch(throwJobFailure)
      reportProgress(
        importReport.read,
        abortController.signal.aborted ? (importReport.total ?? null) : importReport.read,
      )
      reports.push(importReport)
      return { message: String(importReport.added + importReport.changed), report: { ...importReport } }
    },
  })
  return reports[0] as ImportReport
}

function findImporter(importerName: string): CatalogueImporter {
  const importer = CATALOGUE_IMPORTERS[importerName]
  if (!importer) throw new JobFailure('unknown_importer')
  return importer
}

/** Converts the errors of importers to job failures, so that the dashboard shows their messages. */
function throwJobFailure(error: unknown): never {
  throw error instanceof ImporterError ? new JobFailure(error.message) : error
}

/** Job handlers by job kind, one per importer. */
export const IMPORT_JOB_HANDLERS: Record<string, JobHandler> = Object.fromEntries(
  Object.keys(CATALOGUE_IMPORTERS).map((importerName) => [
    getJobKind(importerName),
    (context: JobContext) => runImport(importerName, context),
  ]),
)

/**
 * Job handler of imports. After a crash, an importer that stores checkpoints continues from the last one. Any other
 * importer starts again from the beginning, and reports as `same` the rows that are already stored.
 */
async function runImport(importerName: string, { deps, input, signal, reportProgress }: JobContext) {
  let pendingReportPromise: Promise<void> | null = null
  const importReport = await findImporter(importerName)
    .run(
      deps,
      formatOptionValues(input as ImporterOptionValues),
      ({ read: readCount, total: totalCount }) => {
        pendingReportPromise ??= reportProgress(readCount, totalCount ?? null)
          .catch(() => {})
          .finally(() => {
            pendingReportPromise = null
          })
      },
      signal,
    )
    .catch(throwJobFailure)
  await pendingReportPromise
  await reportProgress(importReport.read, signal.aborted ? (importReport.total ?? null) : importReport.read)
  return { message: String(importReport.added + importReport.changed), report: { ...importReport } }
}
