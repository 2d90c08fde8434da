/** Bytes (brotli) of all JavaScript and CSS that a built page loads at first: `node scripts/page-weight.ts index.html`. */
import { existsSync, readFileSync, statSync } from 'node:fs'

const DIST = 'dist'
const ASSET = /(?:component-url|renderer-url|src|href)="(\/_a\/[^"]+\.(?:js|css))"/g
const IMPORT = /(?:from|import)"\.\/([^"]+\.js)"/g

/** Follows static imports from what the page names. */
export function pageWeight(page: string): { js: number; css: number; files: string[] } {
  const queue = [...readFileSync(`${DIST}/${page}`, 'utf8').matchAll(ASSET)].map((match) => match[1] ?? '')
  const seen = new Set<string>()
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    if (file.endsWith('.css')) continue
    for (const [, name] of readFileSync(DIST + file, 'utf8').matchAll(IMPORT)) queue.push(`/_a/${name}`)
  }
  const files = [...seen]
  const total = (ending: string) =>
    files.filter((file) => file.endsWith(ending)).reduce((sum, file) => sum + sizeOf(file), 0)
  return { js: total('.js'), css: total('.css'), files }
}

function sizeOf(file: string): number {
  const compressed = `${DIST}${file}.br`
  return existsSync(compressed) ? statSync(compressed).size : statSync(DIST + file).size
}

if (import.meta.main) {
  const page = process.argv[2] ?? 'index.html'
  const { js, css, files } = pageWeight(page)
  for (const file of files) process.stdout.write(`${statSync(`${DIST}${file}.br`).size}\t${file}\n`)
  process.stdout.write(`${page}: ${js} bytes of JavaScript, ${css} bytes of CSS\n`)
}
