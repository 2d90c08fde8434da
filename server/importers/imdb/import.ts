/** IMDb's public dumps: read to the end into a scratch database first, then written to the catalogue. See docs/importing.md. */
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { importTitles } from '../pipeline.ts'
import { emptyReport } from '../report.ts'
import { BATCH_OPTION, batchMsOf, type Importer, OptionError, type Options, wholeNumber } from '../source.ts'
import { gather, type Wanted } from './gather.ts'
import { readRecords } from './records.ts'
import { Scratch } from './scratch.ts'
import { DEFAULT_TYPES, TITLE_TYPES } from './tables.ts'

const DEFAULT_VOTES = 100
const PROGRESS_MS = 200

export const imdb: Importer = {
  describe: "IMDb's public dumps (title.basics.tsv.gz and its six companions), from a folder",
  options: {
    folder: 'where the files lie, .tsv.gz or .tsv; DATA_DIR/imdb unless given',
    'min-votes': `titles with fewer votes are left out; ${DEFAULT_VOTES} unless given, 0 takes all`,
    types: `comma-separated, of ${Object.keys(TITLE_TYPES).join(', ')}; ${DEFAULT_TYPES.join(',')} unless given`,
    adult: 'yes takes adult titles, too',
    ...BATCH_OPTION,
  },
  async run(deps, options, progress, signal) {
    const wanted = wantedOf(options, join(deps.config.dataDir, 'imdb'))
    const batch = batchMsOf(options)
    const report = emptyReport()
    let told = 0
    const onProgress = () => {
      if (performance.now() - told < PROGRESS_MS) return
      told = performance.now()
      progress?.(report)
    }
    const scratch = new Scratch(join(deps.config.dataDir, 'import'))
    try {
      const found = await gather({ wanted, scratch, report, onProgress, signal })
      report.lines = found.lines
      if (signal?.aborted) return report
      report.total = found.titles
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

/** Throws `OptionError`. */
function wantedOf(options: Options, usualFolder: string): Wanted {
  const folder = resolve(options['folder'] ?? usualFolder)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new OptionError(`--folder: there is no folder ${folder}`)
  }
  const minVotes = wholeNumber(options['min-votes'] ?? String(DEFAULT_VOTES), 'min-votes', 0)
  const types = options['types']?.split(',') ?? DEFAULT_TYPES
  const odd = types.find((type) => !(type in TITLE_TYPES))
  if (odd !== undefined) {
    throw new OptionError(`--types must be of ${Object.keys(TITLE_TYPES).join(', ')}, not "${odd}"`)
  }
  const adult = options['adult'] ?? 'no'
  if (adult !== 'yes' && adult !== 'no') throw new OptionError(`--adult must be yes or no, not "${adult}"`)
  return { folder, minVotes, types: new Set(types), adult: adult === 'yes' }
}
