/** Entry point of the process that imports the demo catalogue at the first start. */
import { loadConfig } from './core/config.ts'
import { runProcessJob } from './core/process-job.ts'
import { createDeps } from './create-deps.ts'
import { FIRST_START_IMPORT_OPTIONS, seedDemoCatalogue } from './first-run.ts'

runProcessJob(async (): Promise<null> => {
  const { deps } = await createDeps(loadConfig(), { isServing: false })
  try {
    await seedDemoCatalogue(deps, FIRST_START_IMPORT_OPTIONS)
  } finally {
    await deps.recommender.stop()
    await deps.searchIndex.stop()
    await deps.bus.close()
    await deps.database.close()
  }
  return null
})
