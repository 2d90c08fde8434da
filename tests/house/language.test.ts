/**
 * Checks that names are not too general, and that a type name is declared at most twice. Also checks links in
 * documents, the paths and constants in CONTRIBUTING.md, and the order of the glossary.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, normalize } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

const FORBIDDEN_VARIABLES = new Set(
  'one asked wish wished told said kept deed haste shelf theatre knob patience breathe'.split(' '),
)
const FORBIDDEN_TYPES = new Set(
  'Answer Ask Asked By Change Facts Filters Found Given Kind Known Look Of Options Part Place Row Source Step Told Verdict Watched Where Who Whole Wish Words Work'.split(
    ' ',
  ),
)
const FORBIDDEN_EXPORTS = new Set(
  'all apart apply asked by create find kept list look one open part place put remove row said start take tell told update whole wish words'.split(
    ' ',
  ),
)
const FORBIDDEN_IN_FILE_NAMES = new Set(
  'asked breathe deck deed dearest haste housekeeping judge kept knob letter patience place said shelf suits theatre told whole wish'.split(
    ' ',
  ),
)
/**
 * A type name may be declared twice in the repository: for example once for the server, and once for the site or a
 * test.
 */
const MAX_TYPE_DECLARATIONS = 2

/** Existing files of the repository: tracked files, and new files that Git does not ignore. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && existsSync(file))
const sources = files.filter((file) =>
  /^(src|server|scripts|bench|tests|e2e)\/.*\.(ts|tsx|js|mjs)$/.test(file),
)

interface Declaration {
  name: string
  location: string
  isType: boolean
  isExportedFunction: boolean
}

const isTypeDeclaration = (node: ts.Node) =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node)
/** Fields of objects are excluded, because the API or a library fixes the names of many fields. */
const isValueDeclaration = (node: ts.Node) =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  ts.isBindingElement(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isFunctionExpression(node) ||
  ts.isImportSpecifier(node)

function isExportedFunction(node: ts.Node): boolean {
  const isFunction =
    ts.isFunctionDeclaration(node) ||
    (ts.isVariableDeclaration(node) && node.initializer !== undefined && ts.isFunctionLike(node.initializer))
  return isFunction && (ts.getCombinedModifierFlags(node as ts.Declaration) & ts.ModifierFlags.Export) !== 0
}

/** Returns the types, variables, parameters and functions that a source text declares. */
function collectDeclarations(file: string, sourceText: string): Declaration[] {
  const scriptKind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : undefined
  const sourceFile = ts.createSourceFile(file, sourceText, ts.ScriptTarget.Latest, true, scriptKind)
  const declarations: Declaration[] = []
  const visit = (node: ts.Node) => {
    const isType = isTypeDeclaration(node)
    if (isType || isValueDeclaration(node)) {
      const { name } = node as ts.NamedDeclaration
      if (name && ts.isIdentifier(name))
        declarations.push({
          name: name.text,
          location: `${file}:${sourceFile.getLineAndCharacterOfPosition(name.getStart()).line + 1}`,
          isType,
          isExportedFunction: isExportedFunction(node),
        })
    }
    ts.forEachChild(node, visit)
  }
  visit(sourceFile)
  return declarations
}

function findForbiddenNames(declarations: Declaration[]): string[] {
  return declarations
    .filter(
      ({ name, isType, isExportedFunction }) =>
        (isType ? FORBIDDEN_TYPES : FORBIDDEN_VARIABLES).has(name) ||
        (isExportedFunction && FORBIDDEN_EXPORTS.has(name)),
    )
    .map(({ name, location }) => `${location} ${name}`)
}

const declarations = sources.flatMap((file) => collectDeclarations(file, readFileSync(file, 'utf8')))

describe('declared names', () => {
  test('no declaration has a name that is too general', () => {
    expect(declarations.length).toBeGreaterThan(10_000)
    expect(findForbiddenNames(declarations)).toEqual([])
  })

  test.each([
    ['for (const one of titles) show(one)', 'one'],
    ['function load({ query: asked }: Lookup) {}', 'asked'],
    ['interface Place { id: string }', 'Place'],
    ['export function list() {}', 'list'],
    ['export const take = () => 1', 'take'],
  ])('the check of declared names reports the name in "%s"', (code, reportedName) => {
    expect(findForbiddenNames(collectDeclarations('src/example.ts', code))).toEqual([
      `src/example.ts:1 ${reportedName}`,
    ])
  })

  test.each(['const list = [1]', 'const row = { one: 1 }', 'function list() {}'])(
    'the check of declared names accepts "%s"',
    (code) => {
      expect(findForbiddenNames(collectDeclarations('src/example.ts', code))).toEqual([])
    },
  )

  test('no type name is declared more than twice, except Props', () => {
    const locationsByName = Map.groupBy(
      declarations.filter(({ isType, name }) => isType && name !== 'Props'),
      ({ name }) => name,
    )
    const repeatedNames = [...locationsByName]
      .filter(([, sameNameDeclarations]) => sameNameDeclarations.length > MAX_TYPE_DECLARATIONS)
      .map(([name, sameNameDeclarations]) => [name, ...sameNameDeclarations.map(({ location }) => location)])
    expect(repeatedNames).toEqual([])
  })

  test('no file name contains a word that is too general', () => {
    const misnamedFiles = sources.filter((file) =>
      basename(file, extname(file))
        .split(/[-.]/)
        .some((word) => FORBIDDEN_IN_FILE_NAMES.has(word.toLowerCase())),
    )
    expect(misnamedFiles).toEqual([])
  })
})

/** Returns the relative links of a Markdown text, without anchors. */
const findRelativeLinks = (markdown: string) =>
  [...markdown.replace(/```.*?```/gs, '').matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, linkTarget = '']) => linkTarget.split('#')[0] ?? '')
    .filter((linkTarget) => linkTarget !== '' && !/^[a-z]+:/i.test(linkTarget))

/** A link to a file must resolve to a tracked file; a link to a folder must resolve to a folder with tracked files. */
function isTracked(path: string): boolean {
  if (!existsSync(path)) return false
  return statSync(path).isDirectory()
    ? files.some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`))
    : files.includes(path)
}

describe('links in documents', () => {
  test.each(files.filter((file) => file.endsWith('.md')))('every relative link of %s resolves', (file) => {
    const links = findRelativeLinks(readFileSync(file, 'utf8'))
    expect(links.filter((link) => !isTracked(normalize(join(dirname(file), link))))).toEqual([])
  })

  test('the link check finds links and ignores URLs, anchors and code', () => {
    const markdown = '[a](b.md#c) [d](https://example.org) [e](#f) ![g](h.jpg)\n```\n[i](j)\n```'
    expect(findRelativeLinks(markdown)).toEqual(['b.md', 'h.jpg'])
  })
})

describe('recipes of CONTRIBUTING.md', () => {
  const contributingText = readFileSync('CONTRIBUTING.md', 'utf8').replace(/\s+/g, ' ')

  test('recipes of CONTRIBUTING.md contain only paths of files and folders that exist', () => {
    const pathMatches = [
      ...contributingText.matchAll(/`((?:src|server|scripts|tests|e2e|docs)\/[\w./[\]-]*)`/g),
    ]
    expect(pathMatches.length).toBeGreaterThan(30)
    expect(pathMatches.map(([, path = '']) => path).filter((path) => !existsSync(path))).toEqual([])
  })

  test('recipes of CONTRIBUTING.md name only constants that are declared in the file named beside them', () => {
    const constantMatches = [
      ...contributingText.matchAll(/`([A-Z]+(?:_[A-Z]+)*)`(?: \(\w+\))? (?:in|of) `([\w./-]+\.tsx?)`/g),
    ]
    expect(constantMatches.length).toBeGreaterThan(8)
    const undeclaredConstants = constantMatches.filter(
      ([, name = '', file = '']) => !new RegExp(`(?:const|let) ${name}\\b`).test(readFileSync(file, 'utf8')),
    )
    expect(undeclaredConstants.map(([mention]) => mention)).toEqual([])
  })
})

describe('the glossary', () => {
  const glossary = readFileSync('docs/glossary.md', 'utf8')
  /** For each table, the first cell of each row; the first row is the header. */
  const termsByTable = glossary
    .split(/\n\n+/)
    .filter((block) => block.startsWith('| '))
    .map((table) =>
      table
        .trim()
        .split('\n')
        .map((row) => (row.split('|')[1] ?? '').trim().toLowerCase().replaceAll('-', ' ')),
    )

  test('the glossary has two tables, with the headers "term" and "word"', () => {
    expect(termsByTable.map(([header]) => header)).toEqual(['term', 'word'])
  })

  test.each(termsByTable.map(([header, , ...terms]) => [header, terms] as const))(
    'the glossary lists each %s once, in alphabetical order',
    (_columnHeader, terms) => {
      expect(terms.length).toBeGreaterThan(30)
      expect(terms).toEqual([...new Set(terms)].sort())
    },
  )
})
