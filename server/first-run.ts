/**
 * First start on an empty database: imports the demo catalogue, creates the first administrator, and writes the email
 * address and password of this account to a file.
 */
import { startProcessJob } from './core/process-job.ts'
import { DEMO_SOURCE, demoImporter } from './importers/demo-importer.ts'
import type { ImportReport } from './importers/import-report.ts'
import type { ImporterOptions } from './importers/importer.ts'
import { writeFirstSignInFile } from './providers/first-sign-in.ts'
import { countAccounts } from './queries/account.ts'
import { hasTitles } from './queries/health.ts'
import { checkFirstSignInFile } from './services/auth/first-password.ts'
import type { Deps } from './services/deps.ts'
import { createFirstAccount, type FirstCredentials } from './services/operations/demo-household.ts'

/**
 * Options of the import at the first start. Larger batches take less time in total. The server serves no requests yet,
 * so a batch may block the event loop for longer than in other imports.
 */
export const FIRST_START_IMPORT_OPTIONS: ImporterOptions = { 'batch-ms': '100' }

/**
 * Imports the demo catalogue in a child process, and waits until the search index contains it. The server process then
 * uses 20 to 30 MB less memory than after `seedDemoCatalogue`.
 */
export async function seedDemoCatalogueInProcess({ searchIndex }: Deps): Promise<void> {
  await startProcessJob<null>(new URL('./first-import-process.ts', import.meta.url), null).result
  await searchIndex.catchUp()
  await searchIndex.whenIdle()
}

/** Imports the demo catalogue and waits until the search index contains it. */
export async function seedDemoCatalogue(
  deps: Deps,
  options: ImporterOptions = {},
  onProgress?: (report: ImportReport) => void,
): Promise<ImportReport> {
  const report = await demoImporter.run(deps, options, onProgress)
  await deps.searchIndex.catchUp()
  await deps.searchIndex.whenIdle()
  return report
}

/**
 * Imports the demo catalogue when the setting DEMO is on and the database has no titles, apart from those of an
 * interrupted first start. Creates the first account when the database has no accounts. Returns the credentials of the
 * created account, or null when an account exists already. `fillCatalogue` imports the demo catalogue.
 */
export async function prepareFirstRun(
  deps: Deps,
  fillCatalogue: (deps: Deps) => Promise<unknown> = () => seedDemoCatalogue(deps, FIRST_START_IMPORT_OPTIONS),
): Promise<FirstCredentials | null> {
  const { primary } = deps.database
  const isFirstStart = (await countAccounts(primary)) === 0
  // If no account exists, demo titles were left by an interrupted first start. They do not count as a filled catalogue,
  // so that the import runs again and completes them.
  const isCatalogueFilled = await hasTitles(primary, isFirstStart ? DEMO_SOURCE : undefined)
  if (deps.config.isDemoEnabled && !isCatalogueFilled) await fillCatalogue(deps)
  if (!isFirstStart) {
    await checkFirstSignInFile(deps)
    return null
  }
  return createFirstAccount(deps, (firstSignIn) => writeFirstSignInFile(deps.config.dataDir, firstSignIn))
}
