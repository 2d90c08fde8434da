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
const readTranslations = (locale: string, namespace: string) =>
  JSON.parse(readText(`src/i18n/${locale}/${namespace}.json`)) as Translations
const PLURAL_SUFFIX_PATTERN = /_(zero|one|two|few|many|other)$/
const removePluralSuffix = (key: string) => key.replace(PLURAL_SUFFIX_PATTERN, '')
const listKeys = (translations: Translations) =>
  [...new Set(Object.keys(translations).map(removePluralSuffix))].sort()
const listPlaceholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, placeholder]) => placeholder ?? '').sort()
/**
 * True for a plural form that the language uses for no whole number above 2. A text in this form may omit {{count}}.
 */
function isFormOfSmallNumbers(locale: string, pluralForm: string): boolean {
  const pluralRules = new Intl.PluralRules(locale)
  return Array.from({ length: 200 }, (_, index) => index + 3).every(
    (number) => pluralRules.select(number) !== pluralForm,
  )
}
const localesAndNamespaces = LOCALES.flatMap((locale) =>
  namespaces.map((namespace) => [locale, namespace] as const),
)

/** The keys of the labels that a text may quote, by the key of the text. */
const QUOTED_LABEL_KEYS_BY_TEXT_KEY: Record<string, string[]> = {
  'account:kidsText': ['account:title'],
  'dashboardlibrary:postersNeedArtwork': ['dashboardsystem:setting_artwork_source'],
  'dashboardlibrary:ratedHint': ['dashboardlibrary:safeForKids'],
  'dashboardsystem:removeProviderText': ['dashboard:section_users'],
  'dashboardsystem:settingHint_conversion_encoder': [
    'dashboardsystem:choice_auto',
    'dashboardsystem:choice_off',
  ],
  'dashboardsystem:settingHint_default_media_quality': ['dashboardsystem:choice_auto'],
  'family:hiddenHint': ['common:dislike'],
  'family:titleRulesHint': ['titlerules:forTitle'],
  'home:removedFromRow': ['home:continueWatching'],
  'lists:noTitlesHint': ['header:lists'],
  'mail:passwordChangedAccess': ['account:security'],
  'remote:hint': ['header:usePhone'],
  'reset:noMailHint': ['dashboard:section_users'],
  'security:emailNoMail': ['dashboard:section_users'],
  'security:noPassword': ['auth:forgotten'],
  'transfer:effect_dropped': ['home:continueWatching'],
}
/** Returns the quoted parts of a text, except for quoted placeholders. */
const listQuotedTexts = (text: string) =>
  [...text.matchAll(/[“«]\s*([^”»{]+?)\s*[”»]/g)].map(([, quotedText]) => quotedText ?? '')

describe('translation files', () => {
  test.each(LOCALES)(
    'the texts of the locale %s quote the labels of buttons and headings as they are displayed',
    (locale) => {
      const textsByKey = Object.fromEntries(
        namespaces.flatMap((namespace) =>
          Object.entries(readTranslations(locale, namespace)).map(([key, text]) => [
            `${namespace}:${key}`,
            text,
          ]),
        ),
      )
      for (const [textKey, text] of Object.entries(textsByKey)) {
        const labels = QUOTED_LABEL_KEYS_BY_TEXT_KEY[textKey]?.map((labelKey) => textsByKey[labelKey])
        for (const quotedText of listQuotedTexts(text))
          expect(
            labels?.map((label) => label?.toLowerCase()),
            `${textKey} quotes ${quotedText}`,
          ).toContain(quotedText.toLowerCase())
      }
    },
  )

  test.each(LOCALES)('the locale %s has exactly one file per namespace', (locale) => {
    const files = globSync(`src/i18n/${locale}/*`).map((file) => file.split('/').at(-1))
    expect(files.sort()).toEqual(namespaces.map((name) => `${name}.json`))
  })

  test.each(localesAndNamespaces)('%s/%s.json has the same keys as English', (locale, namespace) => {
    expect(listKeys(readTranslations(locale, namespace))).toEqual(listKeys(readTranslations('en', namespace)))
  })

  test.each(localesAndNamespaces)(
    '%s/%s.json has exactly the plural forms of its language',
    (locale, namespace) => {
      const translations = readTranslations(locale, namespace)
      const pluralForms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
      for (const pluralKey of new Set(
        Object.keys(translations)
          .filter((key) => PLURAL_SUFFIX_PATTERN.test(key))
          .map(removePluralSuffix),
      )) {
        const pluralFormKeys = Object.keys(translations).filter(
          (key) => PLURAL_SUFFIX_PATTERN.test(key) && removePluralSuffix(key) === pluralKey,
        )
        expect(pluralFormKeys.sort()).toEqual(
          pluralForms.map((pluralForm) => `${pluralKey}_${pluralForm}`).sort(),
        )
      }
    },
  )

  test.each(localesAndNamespaces)(
    '%s/%s.json has plural forms for the same keys as English',
    (locale, namespace) => {
      // `t()` with a count finds only keys with plural forms, and `t()` without a count finds only keys without plural
      // forms.
      const listPluralKeys = (translations: Translations) =>
        listKeys(
          Object.fromEntries(Object.entries(translations).filter(([key]) => PLURAL_SUFFIX_PATTERN.test(key))),
        )
      expect(listPluralKeys(readTranslations(locale, namespace))).toEqual(
        listPluralKeys(readTranslations('en', namespace)),
      )
    },
  )

  test.each(localesAndNamespaces)(
    '%s/%s.json contains braces only around placeholders',
    (locale, namespace) => {
      // `{{ count }}` and `{count}` would be shown as they are.
      for (const [key, text] of Object.entries(readTranslations(locale, namespace)))
        expect([key, text.replace(/\{\{\w+\}\}/g, '').replace(/[^{}]/g, '')]).toEqual([key, ''])
    },
  )

  test.each(localesAndNamespaces)(
    '%s/%s.json omits the number only in plural forms for 0, 1 and 2',
    (locale, namespace) => {
      const englishTranslations = readTranslations('en', namespace)
      for (const [key, text] of Object.entries(readTranslations(locale, namespace))) {
        const [, pluralForm] = PLURAL_SUFFIX_PATTERN.exec(key) ?? []
        const englishText = englishTranslations[`${removePluralSuffix(key)}_other`] ?? ''
        if (pluralForm === undefined || !englishText.includes('{{count}}')) continue
        const hasCountPlaceholder = listPlaceholders(text).includes('count')
        expect([key, hasCountPlaceholder || isFormOfSmallNumbers(locale, pluralForm)]).toEqual([key, true])
      }
    },
  )

  test.each(localesAndNamespaces)('%s/%s.json has the same placeholders as English', (locale, namespace) => {
    const englishTranslations = readTranslations('en', namespace)
    for (const [key, text] of Object.entries(readTranslations(locale, namespace))) {
      const isPlural = PLURAL_SUFFIX_PATTERN.test(key)
      const expectedPlaceholders = listPlaceholders(
        englishTranslations[isPlural ? `${removePluralSuffix(key)}_other` : key] ?? '',
      )
      /* A plural form may omit `count`: `حلقتان` means "two episodes". */
      const omitOptionalPlaceholders = (placeholders: string[]) =>
        placeholders.filter((placeholder) => !isPlural || placeholder !== 'count')
      expect([key, omitOptionalPlaceholders(listPlaceholders(text))]).toEqual([
        key,
        omitOptionalPlaceholders(expectedPlaceholders),
      ])
    }
  })

  test.each(localesAndNamespaces)(
    '%s/%s.json contains no empty texts, no spaces around texts and no markup',
    (locale, namespace) => {
      for (const [key, text] of Object.entries(readTranslations(locale, namespace))) {
        expect([key, text], 'trimmed and not empty').toEqual([key, text.trim() || '(empty)'])
        expect([key, text], 'without markup').toEqual([key, text.replace(/<[^>]*>|&\w+;/g, '')])
      }
    },
  )

  test.each(namespaces)(
    'ar/%s.json puts URLs, email addresses and Latin menu paths with arrows into bidi isolates',
    (namespace) => {
      // Without isolates, right-to-left text moves `/`, `@` and arrows to the wrong side of the Latin text.
      for (const [key, text] of Object.entries(readTranslations('ar', namespace))) {
        const textOutsideIsolates = text.replace(/[\u2066\u2068][^\u2069]*\u2069/g, '')
        expect([key, textOutsideIsolates]).toEqual([
          key,
          textOutsideIsolates.replace(/:\/\/|@|[a-z] [←→]|[←→] [a-z]/gi, ''),
        ])
      }
    },
  )

  test('every note for translators refers to an existing key', () => {
    const notesByNamespace = JSON.parse(readText('src/i18n/notes.json')) as Record<string, Translations>
    for (const [namespace, notesByKey] of Object.entries(notesByNamespace))
      for (const key of Object.keys(notesByKey))
        expect([namespace, listKeys(readTranslations('en', namespace)).includes(key)]).toEqual([
          namespace,
          true,
        ])
  })

  test('the README for translators exists', () => {
    expect(existsSync('src/i18n/README.md')).toBe(true)
  })
})

describe('use of translation keys', () => {
  const sources = globSync('src/**/*.{ts,tsx,astro}').filter((file) => !/lib\/(contract|rules)\//.test(file))
  const codeByFile = new Map(sources.map((file) => [file, readText(file).replace(/\/\*[\s\S]*?\*\//g, '')]))
  /** Matches `ns:key` as a complete key, or as the prefix of a dynamic key (`ns:stem_${state}`). */
  const KEY_USAGE_PATTERN = new RegExp(`['"\`](${namespaces.join('|')}):([\\w &]*)(\\$\\{|['"\`])`, 'g')
  const findKeyUsages = (code: string) =>
    [...code.matchAll(KEY_USAGE_PATTERN)].map(([, namespace = '', key = '', terminator]) => ({
      name: namespace,
      key,
      isPrefix: terminator === '${',
    }))

  test('every translation key is used, and every used key exists', () => {
    /*
     * The server uses translations only in these files: for emails, for push notifications, and for the page on which a
     * user unsubscribes from the weekly email.
     */
    const serverFiles = ['server/services/operations/email.ts', ...globSync('server/services/notices/*.ts')]
    const serverUsages = serverFiles.flatMap((file) => findKeyUsages(readText(file)))
    const keyUsages = [...[...codeByFile.values()].flatMap(findKeyUsages), ...serverUsages]
    for (const namespace of namespaces) {
      const namespaceUsages = keyUsages.filter((usage) => usage.name === namespace)
      const translationKeys = listKeys(readTranslations('en', namespace))
      const isKeyUsed = (key: string) =>
        namespaceUsages.some((usage) => (usage.isPrefix ? key.startsWith(usage.key) : key === usage.key))
      expect([namespace, translationKeys.filter((key) => !isKeyUsed(key))], 'unused').toEqual([namespace, []])
      const missingKeys = namespaceUsages
        .filter((usage) => !usage.isPrefix && !translationKeys.includes(usage.key))
        .map((usage) => usage.key)
      expect([namespace, missingKeys], 'missing').toEqual([namespace, []])
    }
  })

  /** Returns a file and all files that it imports, statically or dynamically, directly or indirectly. */
  function collectImports(file: string, collectedFiles = new Set<string>()): Set<string> {
    if (collectedFiles.has(file) || !codeByFile.has(file)) return collectedFiles
    collectedFiles.add(file)
    for (const [, target = ''] of (codeByFile.get(file) ?? '').matchAll(
      /(?:from |import\(|import )'(\.[^']+)'/g,
    ))
      collectImports(normalize(join(dirname(file), target)), collectedFiles)
    return collectedFiles
  }

  /**
   * Returns the namespaces that the files use. An export of a module in src/lib counts only if another file of the list
   * mentions the name of the export.
   */
  function findUsedNamespaces(files: readonly string[]): string[] {
    const isExportMentioned = (exportName: string, excludedFile: string) =>
      files.some(
        (file) =>
          file !== excludedFile &&
          new RegExp(`(?<![\\w$])${RegExp.escape(exportName)}\\b`).test(codeByFile.get(file) ?? ''),
      )
    return files.flatMap((file) => {
      const codeSections = file.startsWith('src/lib/')
        ? (codeByFile.get(file) ?? '').split(/^(?=export )/m)
        : [codeByFile.get(file) ?? '']
      return codeSections
        .filter((codeSection) => {
          const [, exportName] = /^export (?:async )?(?:function|const) (\$?\w+)/.exec(codeSection) ?? []
          return exportName === undefined || isExportMentioned(exportName, file)
        })
        .flatMap((codeSection) => findKeyUsages(codeSection).map((usage) => usage.name))
    })
  }

  /*
   * Islands and Astro files that the layout imports. Every page imports the layout, so the tests exclude these files.
   * Of these islands, each test adds only the island that the page shows: Header, or Toasts if there is no header.
   */
  const layoutFiles = collectImports('src/layouts/Shell.astro')
  for (const file of layoutFiles)
    if (!file.startsWith('src/islands/') && !file.endsWith('.astro')) layoutFiles.delete(file)
  const pages = sources.filter((file) => file.startsWith('src/pages/'))
  test.each(pages)('%s includes exactly the namespaces that its islands use', (page) => {
    const pageCode = codeByFile.get(page) ?? ''
    const [, namespaceList = ''] = /namespaces=\{\[([^\]]*)\]\}/.exec(pageCode) ?? []
    const declaredNamespaces = [...namespaceList.matchAll(/'(\w+)'/g)].map(([, namespace]) => namespace ?? '')
    const sharedNamespaces = ['common', 'errors', ...(pageCode.includes('header={false}') ? [] : ['header'])]
    const sharedIsland = pageCode.includes('header={false}')
      ? 'src/islands/Toasts.tsx'
      : 'src/islands/Header.tsx'
    const importedFiles = [...collectImports(page)].filter((file) => file !== page && !layoutFiles.has(file))
    const usedNamespaces = findUsedNamespaces(
      [...importedFiles, ...collectImports(sharedIsland)].filter((file) => !file.endsWith('.astro')),
    )
    expect(
      [...new Set(usedNamespaces)]
        .filter((namespace) => ![...declaredNamespaces, ...sharedNamespaces].includes(namespace))
        .sort(),
      'missing',
    ).toEqual([])
    expect(
      declaredNamespaces
        .filter((namespace) => sharedNamespaces.includes(namespace) || !usedNamespaces.includes(namespace))
        .sort(),
      'needless',
    ).toEqual([])
  })

  test('the English texts call every film a movie, as the specification does', () => {
    const textsWithFilm = namespaces
      .flatMap((namespace) => Object.values(readTranslations('en', namespace)))
      .filter((text) => /\bfilms?\b/i.test(text))
    expect(textsWithFilm).toEqual([])
  })

  test('the English texts call every series a TV show, except in the status “Returning Series”, which the specification fixes', () => {
    const textsWithForbiddenWords = namespaces
      .flatMap((namespace) => Object.values(readTranslations('en', namespace)))
      .filter((text) => /\bseries\b|\bmovies? (?:and|or) shows?\b/i.test(text))
    expect(textsWithForbiddenWords).toEqual(['Returning Series'])
  })

  test('src/lib/i18n/keys.ts lists every namespace', () => {
    const listedNamespaces = [...readText('src/lib/i18n/keys.ts').matchAll(/^ {2}(\w+): typeof/gm)].map(
      ([, namespace]) => namespace,
    )
    expect(listedNamespaces.sort()).toEqual(namespaces)
  })
})
