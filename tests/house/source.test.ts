/** Rules about our own source that no tool knows: everything is translated, and nothing has a left or a right. */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

const SPOKEN = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label', 'hint'])
const LETTERS = /\p{L}{2}/u

/** Text that a person would see or hear, written into the markup. */
function plainTexts(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  )
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node) && LETTERS.test(node.text)) found.push(node.text.trim())
    if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText(source)) && node.initializer) {
      if (ts.isStringLiteral(node.initializer) && LETTERS.test(node.initializer.text))
        found.push(node.initializer.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

test.each(globSync('src/{islands,ui}/**/*.tsx').sort())('%s says nothing that is not translated', (file) => {
  expect(plainTexts(file)).toEqual([])
})

const SIDES =
  /(?<![\w-])-?(?:m[lr]|p[lr]|left|right|text-(?:left|right)|border-[lr]|rounded-(?:[lr]|[tb][lr])|scroll-[mp][lr]|float-(?:left|right)|clear-(?:left|right))(?:-[\w[(./%]|(?=[\s"'`]))(?![^"'`]*:\s*\{)/
const CSS_SIDES =
  /(?:^|[;{\s])(?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right)|left|right)\s*:/

test.each(globSync('src/**/*.{tsx,astro}').sort())(
  '%s has a start and an end, not a left and a right',
  (file) => {
    const classes = [
      ...readFileSync(file, 'utf8').matchAll(/class(?:Name|:list)?=(?:"[^"]*"|\{[^}]*\}[^}]*\})/g),
    ]
    expect(classes.flatMap(([text]) => SIDES.exec(text)?.[0] ?? [])).toEqual([])
  },
)

test('the style sheet has a start and an end, not a left and a right', () => {
  const lines = readFileSync('src/styles/app.css', 'utf8').split('\n')
  expect(lines.filter((line) => CSS_SIDES.test(line))).toEqual([])
})

test.each(globSync('src/{islands,ui,layouts,pages}/**/*.{tsx,astro}').sort())(
  '%s names no colour of its own',
  (file) => {
    const text = readFileSync(file, 'utf8').replace(/content="#[0-9a-f]{6}"/g, '')
    expect(text.match(/#[0-9a-f]{3,8}\b(?=["'\])\s;])|\b(?:rgb|hsl|oklch)a?\(/gi)).toBeNull()
  },
)

const siteSources = globSync('src/**/*.{ts,tsx,astro}').sort()

test.each(siteSources.filter((file) => file !== 'src/lib/storage-keys.ts'))(
  '%s takes names of stored data from storage-keys.ts',
  (file) => {
    expect(readFileSync(file, 'utf8').match(/['"`](marquee-(?!\$)|i18nextLng)[\w: -]*/g) ?? []).toEqual([])
  },
)

test.each([
  ...siteSources.filter((file) => file !== 'src/lib/i18n/locales.ts'),
  ...globSync('{server,scripts}/**/*.{ts,mjs}').sort(),
  'astro.config.mjs',
  'astro-i18next.config.cjs',
])('%s takes the locales from locales.ts', (file) => {
  const lists = readFileSync(file, 'utf8').match(/['"]fr['"],\s*['"]ar['"]|\(fr\|ar|fr['"] \| ['"]ar/g)
  expect(lists ?? []).toEqual([])
})
