import { configureBulkImport } from '../server/db/bulk-import.ts'
import type { ImportReport } from '../server/importers/import-report.ts'
import { CATALOGUE_IMPORTERS } from '../server/importers/index.ts'
import { runCommandLineImport } from '../server/services/operations/imports.ts'
import { shutDownOnSignal } from '../server/shutdown-signals.ts'
import { runCommand } from './run-command.ts'

const importerName = process.argv.slice(2).find((argument) => !argument.startsWith('-')) ?? ''
const importer = Object.hasOwn(CATALOGUE_IMPORTERS, importerName)
  ? CATALOGUE_IMPORTERS[importerName]
  : undefined
/**
 * Default duration of one write transaction, in milliseconds. A server that uses the same SQLite file may have to
 * wait this long before it can write.
 */
const DEFAULT_BATCH_MS_BY_DATABASE = { sqlite: '40', postgres: '250' }
/**
 * Exit code after a second Ctrl+C: the code that shells report for a program that SIGINT has ended. The running batch
 * is rolled back.
 */
const INTERRUPTED_EXIT_CODE = 130

const GENERAL_HELP = `npm run import -- <source> [options]: imports titles, people and episodes into the catalogue.

${Object.entries(CATALOGUE_IMPORTERS)
  .map(([source, { description }]) => `  ${source.padEnd(8)} ${description}`)
  .join('\n')}

npm run import -- <source> --help lists the options of the source. An import can be stopped (Ctrl+C finishes the current batch)
and run again; unchanged titles are not written. More: docs/importing.md`

function formatImporterHelp(source: string): string {
  const { description: importerDescription, options } = CATALOGUE_IMPORTERS[source] ?? {
    description: '',
    options: {},
  }
  const optionLines = Object.entries(options).map(
    ([option, description]) => `  --${option.padEnd(16)} ${description}`,
  )
  return `npm run import -- ${source} [options]: ${importerDescription}\n\n${optionLines.join('\n')}`
}

await runCommand({
  help: importer ? formatImporterHelp(importerName) : GENERAL_HELP,
  options: Object.keys(importer?.options ?? {}),
  maxPositionals: 1,
  checkArguments: () => {
    if (!importer)
      throw new Error(importerName ? `Unknown source ${importerName}.\n\n${GENERAL_HELP}` : GENERAL_HELP)
  },
  run: async (deps, { options }) => {
    const abortController = new AbortController()
    shutDownOnSignal(() => {
      process.stderr.write('\nstopping after the current batch; press again to stop immediately\n')
      abortController.abort()
    }, INTERRUPTED_EXIT_CODE)
    configureBulkImport(deps.database)
    const startedAtMs = performance.now()
    const report = await runCommandLineImport(deps, {
      importer: importerName,
      options: { 'batch-ms': DEFAULT_BATCH_MS_BY_DATABASE[deps.database.kind], ...options },
      abortController,
      onProgress: createProgressPrinter(),
    })
    process.stderr.write('\n')
    await deps.searchIndex.catchUp()
    await deps.searchIndex.whenIdle()
    return formatSummary(report, {
      wasStopped: abortController.signal.aborted,
      durationSeconds: (performance.now() - startedAtMs) / 1000,
    })
  },
})

/**
 * Returns a function that prints the progress of the import. On a terminal, the function overwrites one line.
 * Elsewhere, it prints a new line at most every ten seconds.
 */
function createProgressPrinter(): (report: ImportReport) => void {
  const isTerminal = process.stderr.isTTY
  let printedAtMs = 0
  return (report) => {
    const nowMs = performance.now()
    if (nowMs - printedAtMs < (isTerminal ? 100 : 10_000)) return
    printedAtMs = nowMs
    const totalText = report.total ? ` of ${report.total}` : ''
    const progressLine = `${report.stage ?? 'writing titles'}: ${report.read}${totalText} titles, ${report.added} added, ${report.changed} changed, ${report.skipped} skipped`
    process.stderr.write(isTerminal ? `\r\x1b[2K${progressLine}` : `${progressLine}\n`)
  }
}

function formatSummary(
  report: ImportReport,
  { wasStopped, durationSeconds }: { wasStopped: boolean; durationSeconds: number },
): string {
  const { added, changed, same, skipped, skips, reasons, lines } = report
  const reasonCounts = Object.entries(reasons).sort(([, a], [, b]) => b - a)
  return [
    `${added} added, ${changed} changed, ${same} unchanged, ${skipped} skipped, in ${durationSeconds.toFixed(1)} s`,
    ...(lines ? [`${lines} lines read`] : []),
    ...(reasonCounts.length > 0
      ? ['excluded:', ...reasonCounts.map(([reason, count]) => `  ${String(count).padStart(8)}  ${reason}`)]
      : []),
    ...(skips.length > 0
      ? [`skipped (the first ${skips.length}):`, ...skips.map((skip) => `  ${skip}`)]
      : []),
    ...(wasStopped ? ['stopped before the end: run it again to continue'] : []),
  ].join('\n')
}
