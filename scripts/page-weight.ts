/** Prints the brotli size of the JavaScript and CSS of a page's first load: `node scripts/page-weight.ts index.html`. */
import { existsSync, readFileSync, statSync } from 'node:fs'

const DIST_FOLDER = 'dist'
const ASSET_PATTERN = /(?:component-url|renderer-url|src|href)="(\/_a\/[^"]+\.(?:js|css))"/g
const IMPORT_PATTERN = /(?:from|import)"\.\/([^"]+\.js)"/g

/**
 * Returns the sizes in bytes (brotli where a compressed file exists) of the files that the page loads initially: those that the
 * HTML refers to, and their static imports.
 */
export function measurePageWeight(page: string): { js: number; css: number; files: string[] } {
  const pendingFiles = [...readFileSync(`${DIST_FOLDER}/${page}`, 'utf8').matchAll(ASSET_PATTERN)].map(
    (match) => match[1] ?? '',
  )
  const visitedFiles = new Set<string>()
  for (let file = pendingFiles.pop(); file !== undefined; file = pendingFiles.pop()) {
    if (visitedFiles.has(file)) continue
    visitedFiles.add(file)
    if (file.endsWith('.css')) continue
    for (const [, importedFile] of readFileSync(DIST_FOLDER + file, 'utf8').matchAll(IMPORT_PATTERN))
      pendingFiles.push(`/_a/${importedFile}`)
  }
  const files = [...visitedFiles]
  const sumFileSizes = (extension: string) =>
    files.filter((file) => file.endsWith(extension)).reduce((sum, file) => sum + getFileSizeBytes(file), 0)
  return { js: sumFileSizes('.js'), css: sumFileSizes('.css'), files }
}

function getFileSizeBytes(file: string): number {
  const compressedFile = `${DIST_FOLDER}${file}.br`
  return existsSync(compressedFile) ? statSync(compressedFile).size : statSync(DIST_FOLDER + file).size
}

if (import.meta.main) {
  const page = process.argv[2] ?? 'index.html'
  const { js, css, files } = measurePageWeight(page)
  for (const file of files) process.stdout.write(`${statSync(`${DIST_FOLDER}${file}.br`).size}\t${file}\n`)
  process.stdout.write(`${page}: ${js} bytes of JavaScript, ${css} bytes of CSS\n`)
}
