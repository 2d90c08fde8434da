/**
 * The importer of the IMDb datasets. It reads all dump files to a scratch database first and then writes the catalogue. See
 * docs/importing.md.
 */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { importTitles } from '../pipeline.ts'
import { emptyReport } from '../report.ts'
import { BATCH_OPTION, batchMsOf, type Importer, OptionError, type Options, wholeNumber } from '../source.ts'
import { gather, type Wanted } from './gather.ts'
import { readRecords } from './records.ts'
import { Scratch } from './scratch.ts'
import { DEFAULT_TYPES, TITLE_TYPES } from './tables.ts'

const DEFAULT_MIN_VOTES = 100
const PROGRESS_INTERVAL_MS = 200

export const imdb: Importer = {
  describe: "IMDb's public datasets (title.basics.tsv.gz and six related files), from a folder",
  options: {
    folder: 'folder of the .tsv.gz or .tsv files; default: DATA_DIR/imdb',
    'min-votes': `excludes titles with fewer votes; default: ${DEFAULT_MIN_VOTES}, 0 includes all`,
    types: `comma-separated list of ${Object.keys(TITLE_TYPES).join(', ')}; default: ${DEFAULT_TYPES.join(',')}`,
    adult: 'yes includes adult titles; default: no',
    ...BATCH_OPTION,
  },
  async run(deps, options, progress, signal) {
    const filter = readFilter(options, join(deps.config.dataDir, 'imdb'))
    const batch = batchMsOf(options)
    const report = emptyReport()
    let lastProgressMs = 0
    const onProgress = () => {
      if (performance.now() - lastProgressMs < PROGRESS_INTERVAL_MS) return
      lastProgressMs = performance.now()
      progress?.(report)
    }
    const scratch = new Scratch(join(deps.config.dataDir, 'import'))
    try {
      const gathered = await gather({ filter, scratch, report, onProgress, signal })
      report.lines = gathered.lines
      if (signal?.aborted) return report
      report.total = gathered.titles
      report.stage = 'writing titles'
      return await importTitles(deps, readRecords(scratch), {
        source: 'imdb',
        ...batch,
        report,
        onProgress: progress,
        signal,
      })
    } finally {
      scratch.close()
    }
  },
}

/** Reads the options that select titles. Throws `OptionError`. */
function readFilter(options: Options, defaultFolder: string): Wanted {
  const folder = resolve(options['folder'] ?? defaultFolder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OptionError(`--folder: ${folder} does not exist`)
  }
  const minVotes = wholeNumber(options['min-votes'] ?? String(DEFAULT_MIN_VOTES), 'min-votes', 0)
  const types = options['types']?.split(',') ?? DEFAULT_TYPES
  const unknownType = types.find((type) => !(type in TITLE_TYPES))
  if (unknownType !== undefined) {
    throw new OptionError(
      `--types must be a list of ${Object.keys(TITLE_TYPES).join(', ')}, not "${unknownType}"`,
    )
  }
  const adult = options['adult'] ?? 'no'
  if (adult !== 'yes' && adult !== 'no') throw new OptionError(`--adult must be yes or no, not "${adult}"`)
  return { folder, minVotes, types: new Set(types), adult: adult === 'yes' }
}
