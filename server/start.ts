/**
 * First start on an empty database: imports the demo catalogue, creates the first administrator and stores the sign-in.
 */
import type { Deps } from './deps.ts'
import { demo } from './importers/demo-source.ts'
import type { ImportReport } from './importers/report.ts'
import { writeFirstSignIn } from './providers/first-sign-in.ts'
import { countAccounts } from './queries/account.ts'
import { hasTitles } from './queries/health.ts'
import { createFirstAccount, type FirstSignIn } from './services/demo-household.ts'

/** Imports the demo catalogue and waits until the search index contains it. */
export async function seed(deps: Deps, onProgress?: (report: ImportReport) => void): Promise<ImportReport> {
  const report = await demo.run(deps, {}, onProgress)
  await deps.searchIndex.catchUp()
  await deps.searchIndex.idle()
  return report
}

/** Fills an empty database. Returns the sign-in of the new first account, or null when an account exists already. */
export async function prepare(deps: Deps): Promise<FirstSignIn | null> {
  if (deps.config.demo && !(await hasTitles(deps.database.primary))) await seed(deps)
  if ((await countAccounts(deps.database.primary)) > 0) return null
  const firstSignIn = await createFirstAccount(deps)
  writeFirstSignIn(deps.config.dataDir, firstSignIn)
  return firstSignIn
}
