/** Prints the inputs of a build as JSON: the source files, sorted, and the variables that change the site. */
import { globSync } from 'node:fs'
import { loadSiteConfig, SettingError } from '../server/core/config.ts'

const SOURCE_FILE_PATTERNS = [
  'src/**/*',
  'public/**/*',
  'scripts/{build,bundle-script,cdn-files,contracts-as-data,deploy-files,page-weight,worker-file}.ts',
  'astro*.{mjs,cjs}',
  'package-lock.json',
]
const sourceFiles = globSync(SOURCE_FILE_PATTERNS, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`)
try {
  process.stdout.write(JSON.stringify({ files: sourceFiles.sort(), config: loadSiteConfig() }))
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
