/** What a first start does on an empty database: the demo catalogue, the first administrator, the note of their password. */
import type { Deps } from './deps.ts'
import { demo } from './importers/demo-source.ts'
import type { ImportReport } from './importers/report.ts'
import { writeFirstSignIn } from './providers/first-sign-in.ts'
import { countAccounts } from './queries/account.ts'
import { hasTitles } from './queries/health.ts'
import { createFirstAccount, type FirstSignIn } from './services/demo-household.ts'

export async function seed(deps: Deps, onProgress?: (report: ImportReport) => void): Promise<ImportReport> {
  const report = await demo.run(deps, {}, onProgress)
  await deps.searchIndex.catchUp()
  await deps.searchIndex.idle()
  return report
}

/** Fills an empty database; says how to sign in first, or null where somebody can already. */
export async function prepare(deps: Deps): Promise<FirstSignIn | null> {
  if (deps.config.demo && !(await hasTitles(deps.database.primary))) await seed(deps)
  if ((await countAccounts(deps.database.primary)) > 0) return null
  const first = await createFirstAccount(deps)
  writeFirstSignIn(deps.config.dataDir, first)
  return first
}
