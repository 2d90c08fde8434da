/** The translation files are complete and well formed, and every page includes the namespaces that it needs. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/lib/i18n/locales.ts'

type Translations = Record<string, string>
const readText = (file: string) => readFileSync(file, 'utf8')
const namespaces = globSync('src/i18n/en/*.json')
  .map((file) => file.slice('src/i18n/en/'.length, -'.json'.length))
  .sort()
const readTranslations = (locale: string, name: string) =>
  JSON.parse(readText(`src/i18n/${locale}/${name}.json`)) as Translations
const PLURAL_SUFFIX = /_(zero|one|two|few|many|other)$/
const removePluralSuffix = (key: string) => key.replace(PLURAL_SUFFIX, '')
const listKeys = (translations: Translations) =>
  [...new Set(Object.keys(translations).map(removePluralSuffix))].sort()
const listPlaceholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort()
const localesAndNamespaces = LOCALES.flatMap((locale) => namespaces.map((name) => [locale, name] as const))

describe('translation files', () => {
  test.each(LOCALES)('%s has exactly one file per namespace', (locale) => {
    const files = globSync(`src/i18n/${locale}/*`).map((file) => file.split('/').at(-1))
    expect(files.sort()).toEqual(namespaces.map((name) => `${name}.json`))
  })

  test.each(localesAndNamespaces)('%s/%s.json has the same keys as English', (locale, name) => {
    expect(listKeys(readTranslations(locale, name))).toEqual(listKeys(readTranslations('en', name)))
  })

  test.each(localesAndNamespaces)(
    '%s/%s.json has exactly the plural forms of its language',
    (locale, name) => {
      const translations = readTranslations(locale, name)
      const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
      for (const pluralKey of new Set(
        Object.keys(translations)
          .filter((key) => PLURAL_SUFFIX.test(key))
          .map(removePluralSuffix),
      )) {
        const actual = Object.keys(translations).filter(
          (key) => PLURAL_SUFFIX.test(key) && removePluralSuffix(key) === pluralKey,
        )
        expect(actual.sort()).toEqual(forms.map((form) => `${pluralKey}_${form}`).sort())
      }
    },
  )

  test.each(localesAndNamespaces)('%s/%s.json has the same placeholders as English', (locale, name) => {
    const english = readTranslations('en', name)
    for (const [key, text] of Object.entries(readTranslations(locale, name))) {
      const isPlural = PLURAL_SUFFIX.test(key)
      const expected = listPlaceholders(english[isPlural ? `${removePluralSuffix(key)}_other` : key] ?? '')
      /* A plural form may omit `count`: `حلقتان` means "two episodes". */
      const omitOptionalPlaceholders = (names: string[]) =>
        names.filter((placeholder) => !isPlural || placeholder !== 'count')
      expect([key, omitOptionalPlaceholders(listPlaceholders(text))]).toEqual([
        key,
        omitOptionalPlaceholders(expected),
      ])
    }
  })

  test.each(localesAndNamespaces)(
    '%s/%s.json contains no empty texts, no spaces around texts and no markup',
    (locale, name) => {
      for (const [key, text] of Object.entries(readTranslations(locale, name))) {
        expect([key, text], 'trimmed and not empty').toEqual([key, text.trim() || '(empty)'])
        expect([key, text], 'without markup').toEqual([key, text.replace(/<[^>]*>|&\w+;/g, '')])
      }
    },
  )

  test('every note for translators refers to an existing key', () => {
    const notes = JSON.parse(readText('src/i18n/notes.json')) as Record<string, Translations>
    for (const [name, notesByKey] of Object.entries(notes))
      for (const key of Object.keys(notesByKey))
        expect([name, listKeys(readTranslations('en', name)).includes(key)]).toEqual([name, true])
  })
})

describe('use of translation keys', () => {
  const sources = globSync('src/**/*.{ts,tsx,astro}').filter((file) => !/lib\/(contract|rules)\//.test(file))
  const texts = new Map(sources.map((file) => [file, readText(file).replace(/\/\*[\s\S]*?\*\//g, '')]))
  /** Matches `ns:key` as a complete key, or as the prefix of a dynamic key (`ns:stem_${state}`). */
  const KEY_USAGE = new RegExp(`['"\`](${namespaces.join('|')}):([\\w &]*)(\\$\\{|['"\`])`, 'g')
  const findKeyUsages = (text: string) =>
    [...text.matchAll(KEY_USAGE)].map(([, name = '', key = '', end]) => ({
      name,
      key,
      isPrefix: end === '${',
    }))

  test('every translation key is used, and every used key exists', () => {
    /* The server uses translations only for emails and for notices outside the site. */
    const serverFiles = ['server/services/operations/email.ts', ...globSync('server/services/notices/*.ts')]
    const serverUsages = serverFiles.flatMap((file) => findKeyUsages(readText(file)))
    const usages = [...[...texts.values()].flatMap(findKeyUsages), ...serverUsages]
    for (const name of namespaces) {
      const namespaceUsages = usages.filter((usage) => usage.name === name)
      const keys = listKeys(readTranslations('en', name))
      const isUsed = (key: string) =>
        namespaceUsages.some((usage) => (usage.isPrefix ? key.startsWith(usage.key) : key === usage.key))
      expect([name, keys.filter((key) => !isUsed(key))], 'unused').toEqual([name, []])
      const missingKeys = namespaceUsages
        .filter((usage) => !usage.isPrefix && !keys.includes(usage.key))
        .map((usage) => usage.key)
      expect([name, missingKeys], 'missing').toEqual([name, []])
    }
  })

  /** Returns a file and all files that it imports, statically or dynamically, directly or indirectly. */
  function collectImports(file: string, collectedFiles = new Set<string>()): Set<string> {
    if (collectedFiles.has(file) || !texts.has(file)) return collectedFiles
    collectedFiles.add(file)
    for (const [, target = ''] of (texts.get(file) ?? '').matchAll(/(?:from |import\(|import )'(\.[^']+)'/g))
      collectImports(normalize(join(dirname(file), target)), collectedFiles)
    return collectedFiles
  }

  /**
   * Returns the namespaces that the files use. An export of a module in src/lib counts only if another file of the list
   * mentions it.
   */
  function findUsedNamespaces(files: readonly string[]): string[] {
    const isMentioned = (name: string, excludedFile: string) =>
      files.some(
        (file) =>
          file !== excludedFile &&
          new RegExp(`(?<![\\w$])${RegExp.escape(name)}\\b`).test(texts.get(file) ?? ''),
      )
    return files.flatMap((file) => {
      const sourceParts = file.startsWith('src/lib/')
        ? (texts.get(file) ?? '').split(/^(?=export )/m)
        : [texts.get(file) ?? '']
      return sourceParts
        .filter((sourcePart) => {
          const [, name] = /^export (?:async )?(?:function|const) (\$?\w+)/.exec(sourcePart) ?? []
          return name === undefined || isMentioned(name, file)
        })
        .flatMap((sourcePart) => findKeyUsages(sourcePart).map((usage) => usage.name))
    })
  }

  /* Files of the layout that every page shares, without its islands, which are added below for the pages that contain them. */
  const layoutFiles = collectImports('src/layouts/Shell.astro')
  for (const file of layoutFiles)
    if (!file.startsWith('src/islands/') && !file.endsWith('.astro')) layoutFiles.delete(file)
  const pages = sources.filter((file) => file.startsWith('src/pages/'))
  test.each(pages)('%s includes exactly the namespaces that its islands use', (page) => {
    const text = texts.get(page) ?? ''
    const [, declaration = ''] = /namespaces=\{\[([^\]]*)\]\}/.exec(text) ?? []
    const declaredNamespaces = [...declaration.matchAll(/'(\w+)'/g)].map(([, name]) => name ?? '')
    const sharedNamespaces = ['common', 'errors', ...(text.includes('header={false}') ? [] : ['header'])]
    const sharedIsland = text.includes('header={false}') ? 'src/islands/Toasts.tsx' : 'src/islands/Header.tsx'
    const files = [...collectImports(page)].filter((file) => file !== page && !layoutFiles.has(file))
    const usedNamespaces = findUsedNamespaces(
      [...files, ...collectImports(sharedIsland)].filter((file) => !file.endsWith('.astro')),
    )
    expect(
      [...new Set(usedNamespaces)]
        .filter((name) => ![...declaredNamespaces, ...sharedNamespaces].includes(name))
        .sort(),
      'missing',
    ).toEqual([])
    expect(
      declaredNamespaces
        .filter((name) => sharedNamespaces.includes(name) || !usedNamespaces.includes(name))
        .sort(),
      'needless',
    ).toEqual([])
  })

  test('src/lib/i18n/keys.ts lists every namespace', () => {
    const listedNamespaces = [...readText('src/lib/i18n/keys.ts').matchAll(/^ {2}(\w+): typeof/gm)].map(
      ([, name]) => name,
    )
    expect(listedNamespaces.sort()).toEqual(namespaces)
  })

  test('the README for translators exists', () => {
    expect(existsSync('src/i18n/README.md')).toBe(true)
  })
})
