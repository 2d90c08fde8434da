/** Prints the source files of the site as a sorted JSON array, to detect whether a build is needed. */
import { globSync } from 'node:fs'

const PATTERNS = [
  'src/**/*',
  'public/**/*',
  'scripts/{build,bundle-script,cdn-files,contracts-as-data,deploy-files,page-weight,worker-file}.ts',
  'astro*.{mjs,cjs}',
  'package-lock.json',
]
const files = globSync(PATTERNS, { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`)
process.stdout.write(JSON.stringify(files.sort()))
