/** The importer of the demo catalogue. */
import { readDemo } from './demo.ts'
import { importTitles } from './pipeline.ts'
import { BATCH_OPTION, batchMsOf, type Importer } from './source.ts'

export const DEMO_FOLDER = 'data/demo'

export const demo: Importer = {
  describe: 'the demo catalogue that is part of the repository',
  options: BATCH_OPTION,
  run: (deps, options, onProgress, signal) =>
    importTitles(deps, readDemo(DEMO_FOLDER), { source: 'demo', ...batchMsOf(options), onProgress, signal }),
}
