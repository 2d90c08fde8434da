/**
 * First start on an empty database: imports the demo catalogue, creates the first administrator, and writes the email
 * address and password of this account to a file.
 */

import { DEMO_SOURCE, demoImporter } from './importers/demo-importer.ts'
import type { ImportReport } from './importers/import-report.ts'
import { writeFirstSignInFile } from './providers/first-sign-in.ts'
import { countAccounts } from './queries/account.ts'
import { hasTitles } from './queries/health.ts'
import { checkFirstSignInFile } from './services/auth/first-password.ts'
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
 * Imports the demo catalogue when the setting DEMO is on and the database has no titles, apart from those of an
 * interrupted first start. Creates the first account when the database has no accounts. Returns the email address and
 * password of the created account, or null when an account exists already.
 */
export async function prepareFirstRun(deps: Deps): Promise<FirstCredentials | null> {
  const { primary } = deps.database
  const isFirstStart = (await countAccounts(primary)) === 0
  // If no account exists, demo titles were left by an interrupted first start. They do not count as a filled catalogue,
  // so that the import runs again and completes them.
  const isCatalogueFilled = await hasTitles(primary, isFirstStart ? DEMO_SOURCE : undefined)
  if (deps.config.isDemoEnabled && !isCatalogueFilled) await seedDemoCatalogue(deps)
  if (!isFirstStart) {
    await checkFirstSignInFile(deps)
    return null
  }
  return createFirstAccount(deps, (firstSignIn) => writeFirstSignInFile(deps.config.dataDir, firstSignIn))
}
