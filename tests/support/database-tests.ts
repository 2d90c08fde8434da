/** Finds the test files whose result can depend on the database, so that only they run on PostgreSQL as well. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const TESTS = resolve('tests')
const DATABASES = resolve('tests/support/databases.ts')
/** Tests of the site's stores, which are about the browser. */
const STORE_ENVIRONMENT = resolve('tests/support/store-environment.ts')
const RELATIVE_IMPORT = /from '(\.[^']+)'/g
/** A file that opens SQLite itself is about SQLite or about something that no database changes. */
const OPENS_SQLITE_ITSELF = /\bopenSqliteDatabase\b/

/** Paths, relative to the repository, of the test files that open a database through tests/support/databases.ts. */
export function findDatabaseTests(): string[] {
  return globSync('tests/**/*.test.ts')
    .filter((file) => !OPENS_SQLITE_ITSELF.test(readFileSync(file, 'utf8')))
    .filter((file) => {
      const imports = collectTestImports(resolve(file))
      return imports.has(DATABASES) && !imports.has(STORE_ENVIRONMENT)
    })
    .sort()
}

/** The file and all files under tests/ that it imports, directly or through others. */
function collectTestImports(file: string, collected = new Set<string>()): Set<string> {
  if (collected.has(file)) return collected
  collected.add(file)
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT)) {
    const imported = resolve(dirname(file), specifier)
    if (imported.startsWith(TESTS) && existsSync(imported)) collectTestImports(imported, collected)
  }
  return collected
}
