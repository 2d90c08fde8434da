/**
 * The importer of the IMDb datasets. It reads all dump files to a scratch database first and then writes the catalogue.
 * See docs/importing.md.
 */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createImportReport } from '../import-report.ts'
import { importTitles } from '../import-titles.ts'
import {
  BATCH_MS_OPTION,
  type CatalogueImporter,
  ImporterOptionError,
  type ImporterOptions,
  parseWholeNumberOption,
  readBatchOptions,
} from '../importer.ts'
import { DEFAULT_IMDB_TITLE_TYPES, IMDB_TITLE_TYPES } from './dump-tables.ts'
import { readDumps } from './read-dumps.ts'
import type { DumpFilter } from './read-table.ts'
import { readImdbTitles } from './records.ts'
import { ScratchDatabase } from './scratch-database.ts'

const DEFAULT_MIN_VOTES = 100
const PROGRESS_INTERVAL_MS = 200

export const imdbImporter: CatalogueImporter = {
  description: "IMDb's public datasets (title.basics.tsv.gz and six related files), from a folder",
  options: {
    folder: 'folder of the .tsv.gz or .tsv files; default: DATA_DIR/imdb',
    'min-votes': `excludes titles with fewer votes; default: ${DEFAULT_MIN_VOTES}, 0 includes all`,
    types: `comma-separated list of ${Object.keys(IMDB_TITLE_TYPES).join(', ')}; default: ${DEFAULT_IMDB_TITLE_TYPES.join(',')}`,
    adult: 'yes includes adult titles; default: no',
    ...BATCH_MS_OPTION,
  },
  async run(deps, options, reportProgress, signal) {
    const filter = readDumpFilter(options, join(deps.config.dataDir, 'imdb'))
    const batchOptions = readBatchOptions(options)
    const report = createImportReport()
    let lastProgressAtMs = 0
    const onProgress = () => {
      if (performance.now() - lastProgressAtMs < PROGRESS_INTERVAL_MS) return
      lastProgressAtMs = performance.now()
      reportProgress?.(report)
    }
    const scratchDatabase = new ScratchDatabase(join(deps.config.dataDir, 'import'))
    try {
      const counts = await readDumps({ filter, scratchDatabase, report, onProgress, signal })
      report.lines = counts.lineCount
      if (signal?.aborted) return report
      report.total = counts.titleCount
      report.stage = 'writing titles'
      return await importTitles(deps, readImdbTitles(scratchDatabase, deps.database.primary), {
        source: 'imdb',
        ...batchOptions,
        report,
        onProgress: reportProgress,
        signal,
      })
    } finally {
      scratchDatabase.close()
    }
  },
}

/** Reads the options that select the dump folder and the titles. Throws `ImporterOptionError`. */
function readDumpFilter(options: ImporterOptions, defaultFolder: string): DumpFilter {
  const folder = resolve(options['folder'] ?? defaultFolder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    // The message is shown in the dashboard, so it must not contain the path of the default folder.
    throw new ImporterOptionError(`--folder: ${options['folder'] ?? 'the default folder'} does not exist`)
  }
  const minVotes = parseWholeNumberOption(options['min-votes'] ?? String(DEFAULT_MIN_VOTES), 'min-votes', 0)
  const types = options['types']?.split(',').map((type) => type.trim()) ?? DEFAULT_IMDB_TITLE_TYPES
  const unknownType = types.find((type) => !(type in IMDB_TITLE_TYPES))
  if (unknownType !== undefined) {
    throw new ImporterOptionError(
      `--types must be a list of ${Object.keys(IMDB_TITLE_TYPES).join(', ')}, not "${unknownType}"`,
    )
  }
  const adultOption = options['adult'] ?? 'no'
  if (adultOption !== 'yes' && adultOption !== 'no')
    throw new ImporterOptionError(`--adult must be yes or no, not "${adultOption}"`)
  return { folder, minVotes, types: new Set(types), shouldIncludeAdult: adultOption === 'yes' }
}
