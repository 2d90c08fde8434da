/**
 * First start on an empty database: imports the demo catalogue, creates the first administrator and writes the email
 * address and password of that administrator to a file.
 */

import { demoImporter } from './importers/demo-importer.ts'
import type { ImportReport } from './importers/import-report.ts'
import { writeFirstSignInFile } from './providers/first-sign-in.ts'
import { countAccounts } from './queries/account.ts'
import { hasTitles } from './queries/health.ts'
import type { Deps } from './services/deps.ts'
import { createFirstAccount, type FirstCredentials } from './services/operations/demo-household.ts'

/** Imports the demo catalogue and waits until the search index contains it. */
export async function seedDemoCatalogue(
  deps: Deps,
  onProgress?: (report: ImportReport) => void,
): Promise<ImportReport> {
  const report = await demoImporter.run(deps, {}, onProgress)
  await deps.searchIndex.catchUp()
  await deps.searchIndex.whenIdle()
  return report
}

/**
 * Imports the demo catalogue when the setting DEMO is on and the database has no titles. Creates the first account
 * when the database has no accounts. Returns the email address and password of the created account, or null when an
 * account exists already.
 */
export async function prepareFirstRun(deps: Deps): Promise<FirstCredentials | null> {
  if (deps.config.demo && !(await hasTitles(deps.database.primary))) await seedDemoCatalogue(deps)
  if ((await countAccounts(deps.database.primary)) > 0) return null
  const firstSignIn = await createFirstAccount(deps)
  writeFirstSignInFile(deps.config.dataDir, firstSignIn)
  return firstSignIn
}
