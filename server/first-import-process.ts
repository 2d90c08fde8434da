/** Entry point of the process that imports the demo catalogue at the first start. */
import { loadConfig } from './core/config.ts'
import { runProcessJob } from './core/process-job.ts'
import { runWithDeps } from './create-deps.ts'
import { FIRST_START_IMPORT_OPTIONS, seedDemoCatalogue } from './first-run.ts'
import { describeFatalError } from './preflight.ts'

runProcessJob(async (): Promise<null> => {
  try {
    await runWithDeps(loadConfig(), (deps) => seedDemoCatalogue(deps, FIRST_START_IMPORT_OPTIONS))
  } catch (error) {
    // The parent process receives only the message of this error, so the message must describe the cause.
    throw new Error(describeFatalError(error), { cause: error })
  }
  return null
})
