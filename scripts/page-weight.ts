/**
 * Prints the brotli size of the JavaScript and CSS of a page's first load: `node scripts/page-weight.ts index.html`.
 * For a file without a compressed copy, the size of the file itself counts.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'

const DIST_FOLDER = 'dist'
const ASSET_PATTERN = /(?:component-url|renderer-url|src|href)="(\/_a\/[^"]+\.(?:js|css))"/g
const IMPORT_PATTERN = /(?:from|import)"\.\/([^"]+\.js)"/g

/** Returns the files that the page loads initially: those that the HTML refers to, and their static imports. */
export function listPageFiles(page: string): string[] {
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
  return [...visitedFiles]
}

/** Returns the number of bytes that a browser receives for the files with this extension. */
function sumFileSizes(files: readonly string[], extension: string): number {
  return files
    .filter((file) => file.endsWith(extension))
    .reduce((sum, file) => sum + getFileSizeBytes(file), 0)
}

/** Returns the brotli size of a file, or the size of the file itself if it has no compressed copy. */
function getFileSizeBytes(file: string): number {
  const compressedFile = `${DIST_FOLDER}${file}.br`
  return existsSync(compressedFile) ? statSync(compressedFile).size : statSync(DIST_FOLDER + file).size
}

if (import.meta.main) {
  const page = process.argv[2] ?? 'index.html'
  const files = listPageFiles(page)
  const [jsBytes, cssBytes] = [sumFileSizes(files, '.js'), sumFileSizes(files, '.css')]
  for (const file of files) process.stdout.write(`${getFileSizeBytes(file)}\t${file}\n`)
  process.stdout.write(`${page}: ${jsBytes} bytes of JavaScript, ${cssBytes} bytes of CSS\n`)
}
