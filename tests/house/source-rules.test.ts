/**
 * Source rules that no linter checks: visible texts are translated, CSS uses logical directions, colours are theme
 * variables, and storage keys and the list of locales are defined in one place.
 */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

const TEXT_ATTRIBUTES = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label', 'hint'])
const LETTERS_PATTERN = /\p{L}{2}/u

/** Returns the literal texts of a component: visible text, and attributes that are shown or read aloud. */
function findLiteralTexts(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(file, 'utf8'),
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.TSX,
  )
  const literalTexts: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isJsxText(node) && LETTERS_PATTERN.test(node.text)) literalTexts.push(node.text.trim())
    if (ts.isJsxAttribute(node) && TEXT_ATTRIBUTES.has(node.name.getText(source)) && node.initializer) {
      if (ts.isStringLiteral(node.initializer) && LETTERS_PATTERN.test(node.initializer.text))
        literalTexts.push(node.initializer.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return literalTexts
}

test.each(globSync('src/{islands,ui}/**/*.tsx').sort())('%s contains no untranslated text', (file) => {
  expect(findLiteralTexts(file)).toEqual([])
})

const PHYSICAL_CLASS_PATTERN =
  /(?<![\w-])-?(?:m[lr]|p[lr]|left|right|text-(?:left|right)|border-[lr]|rounded-(?:[lr]|[tb][lr])|scroll-[mp][lr]|float-(?:left|right)|clear-(?:left|right))(?:-[\w[(./%]|(?=[\s"'`]))(?![^"'`]*:\s*\{)/
const PHYSICAL_PROPERTY_PATTERN =
  /(?:^|[;{\s])(?:(?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right)|left|right)\s*:/

test.each(globSync('src/**/*.{tsx,astro}').sort())(
  '%s has no CSS class for left or right, because pages in Arabic are mirrored',
  (file) => {
    const classAttributes = [
      ...readFileSync(file, 'utf8').matchAll(/class(?:Name|:list)?=(?:"[^"]*"|\{[^}]*\}[^}]*\})/g),
    ]
    expect(
      classAttributes.flatMap(([classAttribute]) => PHYSICAL_CLASS_PATTERN.exec(classAttribute)?.[0] ?? []),
    ).toEqual([])
  },
)

test('the style sheet has no CSS property for left or right, because pages in Arabic are mirrored', () => {
  const lines = readFileSync('src/styles/app.css', 'utf8').split('\n')
  expect(lines.filter((line) => PHYSICAL_PROPERTY_PATTERN.test(line))).toEqual([])
})

test.each(globSync('src/{islands,ui,layouts,pages}/**/*.{tsx,astro}').sort())(
  '%s contains no literal colour',
  (file) => {
    const text = readFileSync(file, 'utf8').replace(/content="#[0-9a-f]{6}"/g, '')
    expect(text.match(/#[0-9a-f]{3,8}\b(?=["'\])\s;])|\b(?:rgb|hsl|oklch)a?\(/gi)).toBeNull()
  },
)

test.each(globSync('src/{islands,ui}/**/*.tsx').sort())(
  '%s disables no control while a request runs, because the control would lose the focus',
  (file) => {
    const disabledProps = readFileSync(file, 'utf8').match(/(?<!-)\bdisabled=\{[^}]*\}/g) ?? []
    // Variables such as `isSaving` are true while a request runs. A variable such as `page` changes when the button is
    // clicked, so the click would disable the button.
    expect(disabledProps.filter((prop) => /\bis(?!Missing)\w*(?:ing|Busy)\b|\bpage\w*\b/.test(prop))).toEqual(
      [],
    )
  },
)

const siteSources = globSync('src/**/*.{ts,tsx,astro}').sort()

test.each(siteSources.filter((file) => !/^src\/lib\/(dashboard-)?storage-keys\.ts$/.test(file)))(
  '%s contains no literal storage key',
  (file) => {
    expect(readFileSync(file, 'utf8').match(/['"`](marquee-(?!\$)|i18nextLng)[\w: -]*/g) ?? []).toEqual([])
  },
)

test.each(siteSources.filter((file) => !file.startsWith('src/lib/i18n/')))(
  '%s calls neither Intl.NumberFormat nor toLocaleString, because formatNumber uses Western digits in every language',
  (file) => {
    expect(readFileSync(file, 'utf8')).not.toMatch(/Intl\.NumberFormat\(|\.toLocaleString\(/)
  },
)

test.each([
  ...siteSources.filter((file) => file !== 'src/lib/i18n/locales.ts'),
  ...globSync('{server,scripts}/**/*.{ts,mjs}').sort(),
  'astro.config.mjs',
  'astro-i18next.config.cjs',
])('%s does not repeat the list of locales from locales.ts', (file) => {
  const localeLists = readFileSync(file, 'utf8').match(/['"]fr['"],\s*['"]ar['"]|\(fr\|ar|fr['"] \| ['"]ar/g)
  expect(localeLists ?? []).toEqual([])
})

test.each(
  globSync('tests/**/*.{ts,tsx}')
    .filter((file) => file !== 'tests/support/wait-for.ts')
    .sort(),
)('%s does not call vi.waitFor, which gives up too early on a slow machine', (file) => {
  expect(readFileSync(file, 'utf8')).not.toMatch(/\bvi\s*\.waitFor\(/)
})
