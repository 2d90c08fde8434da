import { configureBulkImport } from '../server/db/bulk-import.ts'
import type { ImportReport } from '../server/importers/import-report.ts'
import { CATALOGUE_IMPORTERS } from '../server/importers/index.ts'
import { command } from './command.ts'

const name = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? ''
const chosen = CATALOGUE_IMPORTERS[name]
/** A server beside this process may have to wait that long for SQLite. */
const BATCH_MS = { sqlite: '40', postgres: '250' }

const GENERAL = `npm run import -- <source> [options]: brings titles, people and episodes into the catalogue.

${Object.entries(CATALOGUE_IMPORTERS)
  .map(([source, { description: describe }]) => `  ${source.padEnd(8)} ${describe}`)
  .join('\n')}

npm run import -- <source> --help tells its options. An import can be stopped (Ctrl+C finishes the batch in hand) and run
again; titles that are as they were are not written. More: docs/importing.md`

function helpOf(source: string): string {
  const { description: describe, options } = CATALOGUE_IMPORTERS[source] ?? { description: '', options: {} }
  const lines = Object.entries(options).map(([option, words]) => `  --${option.padEnd(16)} ${words}`)
  return `npm run import -- ${source} [options]: ${describe}\n\n${lines.join('\n')}`
}

await command({
  help: chosen ? helpOf(name) : GENERAL,
  options: Object.keys(chosen?.options ?? {}),
  run: async (deps, given, rest) => {
    if (!chosen) throw new Error(name ? `There is no source ${name}.\n\n${GENERAL}` : GENERAL)
    if (rest.length > 1) throw new Error(`"${rest.slice(1).join(' ')}" is not an option.`)
    const stop = stopOnSignal()
    configureBulkImport(deps.database)
    const started = performance.now()
    const report = await chosen.run(
      deps,
      { 'batch-ms': BATCH_MS[deps.database.kind], ...given },
      showProgress(),
      stop,
    )
    process.stderr.write('\n')
    await deps.searchIndex.catchUp()
    await deps.searchIndex.whenIdle()
    return summary(report, { stopped: stop.aborted, seconds: (performance.now() - started) / 1000 })
  },
})

/** The first signal lets the batch in hand be written, a second one ends at once: the batch is then undone. */
function stopOnSignal(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(130)
      process.stderr.write('\nstopping after this batch; once more to stop at once\n')
      stop.abort()
    })
  }
  return stop.signal
}

/** One line that is written over, on a terminal; elsewhere a line every ten seconds. */
function showProgress(): (report: ImportReport) => void {
  const terminal = process.stderr.isTTY
  let told = 0
  return (report) => {
    const now = performance.now()
    if (now - told < (terminal ? 100 : 10_000)) return
    told = now
    const of = report.total ? ` of ${report.total}` : ''
    const line = `${report.stage ?? 'writing titles'}: ${report.read}${of} titles, ${report.added} added, ${report.changed} changed, ${report.skipped} skipped`
    process.stderr.write(terminal ? `\r\x1b[2K${line}` : `${line}\n`)
  }
}

function summary(report: ImportReport, { stopped, seconds }: { stopped: boolean; seconds: number }): string {
  const { added, changed, same, skipped, skips, reasons, lines } = report
  const why = Object.entries(reasons).sort(([, a], [, b]) => b - a)
  return [
    `${added} added, ${changed} changed, ${same} as they were, ${skipped} skipped, in ${seconds.toFixed(1)} s`,
    ...(lines ? [`${lines} lines read`] : []),
    ...(why.length > 0
      ? ['left out:', ...why.map(([reason, n]) => `  ${String(n).padStart(8)}  ${reason}`)]
      : []),
    ...(skips.length > 0 ? [`skipped (the first ${skips.length}):`, ...skips.map((one) => `  ${one}`)] : []),
    ...(stopped ? ['stopped before the end: run it again to go on'] : []),
  ].join('\n')
}
