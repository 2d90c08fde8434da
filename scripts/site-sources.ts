/** Prints the inputs of a build as JSON: the source files, sorted, and the variables that change the site. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadSiteConfig, SettingError } from '../server/core/config.ts'

const SOURCE_FILE_PATTERNS = [
  'src/**/*',
  'public/**/*',
  'astro*.{mjs,cjs}',
  'package-lock.json',
  'tsconfig.json',
]
const BUILD_PROGRAMS = ['scripts/build.ts', 'astro.config.mjs']
/** Matches import and export statements as the formatter writes them. */
const RELATIVE_IMPORT_PATTERN = /^(?:import|export|\}).*? '(\.{1,2}\/[^']+)'$/gm

/** Returns the given modules and all modules of this repository that they import, directly or through others. */
function collectImportedFiles(modulePaths: readonly string[]): Set<string> {
  const files = new Set(modulePaths)
  for (const file of files)
    for (const [, importPath = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT_PATTERN))
      files.add(join(dirname(file), importPath))
  return files
}

const sourceFiles = collectImportedFiles(BUILD_PROGRAMS)
for (const entry of globSync(SOURCE_FILE_PATTERNS, { withFileTypes: true }))
  if (entry.isFile()) sourceFiles.add(join(entry.parentPath, entry.name))
try {
  process.stdout.write(JSON.stringify({ files: [...sourceFiles].sort(), config: loadSiteConfig() }))
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
