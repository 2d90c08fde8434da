/** The demo catalogue as a source like the others. */
import { readDemo } from './demo.ts'
import { importTitles } from './pipeline.ts'
import { BATCH_OPTION, batchMsOf, type Importer } from './source.ts'

export const DEMO_FOLDER = 'data/demo'

export const demo: Importer = {
  describe: 'the demo catalogue that comes with the product',
  options: BATCH_OPTION,
  run: (deps, options, onProgress, signal) =>
    importTitles(deps, readDemo(DEMO_FOLDER), { source: 'demo', ...batchMsOf(options), onProgress, signal }),
}
