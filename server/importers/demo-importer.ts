/** The importer of the demo catalogue. */
import { readDemoRecords } from './demo-records.ts'
import { importTitles } from './import-titles.ts'
import { BATCH_MS_OPTION, type CatalogueImporter, readBatchOptions } from './importer.ts'

export const DEMO_CATALOGUE_FOLDER = 'data/demo'
/** Value of `title.source` for the titles of this importer. */
export const DEMO_SOURCE = 'demo'

export const demoImporter: CatalogueImporter = {
  description: 'the demo catalogue that is part of the repository',
  options: BATCH_MS_OPTION,
  run: (deps, options, onProgress, signal) =>
    importTitles(deps, readDemoRecords(DEMO_CATALOGUE_FOLDER), {
      source: DEMO_SOURCE,
      ...readBatchOptions(options),
      onProgress,
      signal,
    }),
}
