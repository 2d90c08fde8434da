/** Finds the test files whose result can depend on the database. Only these files also run on PostgreSQL. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const TESTS_FOLDER = resolve('tests')
const DATABASES_MODULE = resolve('tests/support/databases.ts')
/** A test file that imports this module tests the stores of the site, so its result does not depend on the database. */
const STORE_ENVIRONMENT_MODULE = resolve('tests/support/store-environment.ts')
/**
 * Test files whose results do not depend on the database: they test bytes, streams or programs, or they make database
 * statements fail before they are sent. Other tests check the tables that these files use, on both databases.
 */
const DATABASE_INDEPENDENT_TESTS = [
  'tests/server/faults/database-away.test.ts',
  'tests/server/history-import/archive-malformed.test.ts',
  'tests/server/hostile-provider.test.ts',
  'tests/server/images/artwork.test.ts',
  'tests/server/media/byte-ranges.test.ts',
  'tests/server/media/ffmpeg.test.ts',
  'tests/server/media/hls.test.ts',
  'tests/server/media/poll-folders.test.ts',
  'tests/server/media/seek-thumbnails.test.ts',
  'tests/server/media/signed-urls.test.ts',
  'tests/server/media/stremio.test.ts',
  'tests/server/media/upstream.test.ts',
  'tests/server/media/upstream-guard.test.ts',
]
const RELATIVE_IMPORT_PATTERN = /from '(\.[^']+)'/g
/** Matches test files that open SQLite directly: they test SQLite, or behaviour independent of the database. */
const SQLITE_OPENING_PATTERN =
  /\b(?:openSqlite(?:Demo)?Database|startSqliteFileServer|startLargeTestServer)\b/

/**
 * Returns the paths, relative to the repository, of the test files that open a database through
 * tests/support/databases.ts and whose results can depend on the database.
 */
export function findDatabaseTests(): string[] {
  return globSync('tests/**/*.test.ts')
    .filter((file) => !DATABASE_INDEPENDENT_TESTS.includes(file))
    .filter((file) => !SQLITE_OPENING_PATTERN.test(readFileSync(file, 'utf8')))
    .filter((file) => {
      const importedFiles = collectTestImports(resolve(file))
      return importedFiles.has(DATABASES_MODULE) && !importedFiles.has(STORE_ENVIRONMENT_MODULE)
    })
    .sort()
}

/** Returns a file and all files under tests/ that it imports, directly or indirectly. */
function collectTestImports(file: string, collectedFiles = new Set<string>()): Set<string> {
  if (collectedFiles.has(file)) return collectedFiles
  collectedFiles.add(file)
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT_PATTERN)) {
    const importedFile = resolve(dirname(file), specifier)
    if (importedFile.startsWith(TESTS_FOLDER) && existsSync(importedFile))
      collectTestImports(importedFile, collectedFiles)
  }
  return collectedFiles
}
