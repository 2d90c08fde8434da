/** What translators write: complete, well formed, and carried by every page that needs it. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { LOCALES } from '../../src/lib/i18n/locales.ts'

type Table = Record<string, string>
const read = (file: string) => readFileSync(file, 'utf8')
const namespaces = globSync('src/i18n/en/*.json')
  .map((file) => file.slice('src/i18n/en/'.length, -'.json'.length))
  .sort()
const table = (locale: string, name: string) => JSON.parse(read(`src/i18n/${locale}/${name}.json`)) as Table
const PLURAL = /_(zero|one|two|few|many|other)$/
const stem = (key: string) => key.replace(PLURAL, '')
const stems = (words: Table) => [...new Set(Object.keys(words).map(stem))].sort()
const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name ?? '').sort()
const cases = LOCALES.flatMap((locale) => namespaces.map((name) => [locale, name] as const))

describe('tables', () => {
  test.each(LOCALES)('%s has a file per namespace and no other', (locale) => {
    const files = globSync(`src/i18n/${locale}/*`).map((file) => file.split('/').at(-1))
    expect(files.sort()).toEqual(namespaces.map((name) => `${name}.json`))
  })

  test.each(cases)('%s %s has the keys of English', (locale, name) => {
    expect(stems(table(locale, name))).toEqual(stems(table('en', name)))
  })

  test.each(cases)('%s %s counts with all forms of its language, and with no others', (locale, name) => {
    const words = table(locale, name)
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories
    for (const counted of new Set(
      Object.keys(words)
        .filter((key) => PLURAL.test(key))
        .map(stem),
    )) {
      const found = Object.keys(words).filter((key) => PLURAL.test(key) && stem(key) === counted)
      expect(found.sort()).toEqual(forms.map((form) => `${counted}_${form}`).sort())
    }
  })

  test.each(cases)('%s %s fills in what English fills in', (locale, name) => {
    const english = table('en', name)
    for (const [key, text] of Object.entries(table(locale, name))) {
      const counted = PLURAL.test(key)
      const wanted = placeholders(english[counted ? `${stem(key)}_other` : key] ?? '')
      /* `حلقتان` says two without a figure. */
      const may = (found: string[]) => found.filter((one) => !counted || one !== 'count')
      expect([key, may(placeholders(text))]).toEqual([key, may(wanted)])
    }
  })

  test.each(cases)('%s %s holds plain, trimmed text in the typography of its language', (locale, name) => {
    for (const [key, text] of Object.entries(table(locale, name))) {
      expect([key, text], 'trimmed and not empty').toEqual([key, text.trim() || '(empty)'])
      expect([key, text], 'without markup').toEqual([key, text.replace(/<[^>]*>|&\w+;/g, '')])
      if (locale === 'fr') {
        expect([key, text], 'no-break space before : ; ? !').toEqual([
          key,
          text.replace(/ (?=[:;?!])/g, '\u00a0'),
        ])
        expect([key, text], 'curly apostrophe').toEqual([key, text.replaceAll("'", '’')])
      }
      if (locale === 'ar')
        expect([key, text], 'Arabic question mark, comma, semicolon').toEqual([
          key,
          text.replace(/[?,;]/g, '؟'),
        ])
    }
  })

  test('a note for translators is about a key that exists', () => {
    const notes = JSON.parse(read('src/i18n/notes.json')) as Record<string, Table>
    for (const [name, about] of Object.entries(notes))
      for (const key of Object.keys(about))
        expect([name, stems(table('en', name)).includes(key)]).toEqual([name, true])
  })
})

describe('use', () => {
  const sources = globSync('src/**/*.{ts,tsx,astro}').filter((file) => !/lib\/(contract|rules)\//.test(file))
  const texts = new Map(sources.map((file) => [file, read(file).replace(/\/\*[\s\S]*?\*\//g, '')]))
  /** `ns:key` as a whole key, or as the start of one made of data (`ns:stem_${state}`). */
  const USE = new RegExp(`['"\`](${namespaces.join('|')}):([\\w &]*)(\\$\\{|['"\`])`, 'g')
  const uses = (text: string) =>
    [...text.matchAll(USE)].map(([, name = '', key = '', end]) => ({ name, key, open: end === '${' }))

  test('every key is used somewhere, and every used key exists', () => {
    /* What the server writes: letters. */
    const letters = uses(read('server/services/operations/email.ts'))
    const all = [...[...texts.values()].flatMap(uses), ...letters]
    for (const name of namespaces) {
      const mine = all.filter((use) => use.name === name)
      const keys = stems(table('en', name))
      const used = (key: string) => mine.some((use) => (use.open ? key.startsWith(use.key) : key === use.key))
      expect([name, keys.filter((key) => !used(key))], 'unused').toEqual([name, []])
      const missing = mine.filter((use) => !use.open && !keys.includes(use.key)).map((use) => use.key)
      expect([name, missing], 'missing').toEqual([name, []])
    }
  })

  /** A file and all it imports, lazily or not. */
  function reach(file: string, seen = new Set<string>()): Set<string> {
    if (seen.has(file) || !texts.has(file)) return seen
    seen.add(file)
    for (const [, target = ''] of (texts.get(file) ?? '').matchAll(/(?:from |import\(|import )'(\.[^']+)'/g))
      reach(normalize(join(dirname(file), target)), seen)
    return seen
  }

  /** What these files say; of a module, only what its exports say that another of them names. */
  function spoken(files: readonly string[]): string[] {
    const named = (name: string, by: string) =>
      files.some(
        (file) =>
          file !== by && new RegExp(`(?<![\\w$])${RegExp.escape(name)}\\b`).test(texts.get(file) ?? ''),
      )
    return files.flatMap((file) => {
      const parts = file.startsWith('src/lib/')
        ? (texts.get(file) ?? '').split(/^(?=export )/m)
        : [texts.get(file) ?? '']
      return parts
        .filter((part) => {
          const [, name] = /^export (?:async )?(?:function|const) (\$?\w+)/.exec(part) ?? []
          return name === undefined || named(name, file)
        })
        .flatMap((part) => uses(part).map((use) => use.name))
    })
  }

  /* The frame of every page; its islands are added back where the page has them. */
  const frame = reach('src/layouts/Shell.astro')
  for (const file of frame)
    if (!file.startsWith('src/islands/') && !file.endsWith('.astro')) frame.delete(file)
  const pages = sources.filter((file) => file.startsWith('src/pages/'))
  test.each(pages)('%s carries the words that its islands say, and no more', (page) => {
    const text = texts.get(page) ?? ''
    const [, list = ''] = /namespaces=\{\[([^\]]*)\]\}/.exec(text) ?? []
    const given = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name ?? '')
    const always = ['common', 'errors', ...(text.includes('header={false}') ? [] : ['header'])]
    const shared = text.includes('header={false}') ? 'src/islands/Toasts.tsx' : 'src/islands/Header.tsx'
    const files = [...reach(page)].filter((file) => file !== page && !frame.has(file))
    const said = spoken([...files, ...reach(shared)].filter((file) => !file.endsWith('.astro')))
    expect(
      [...new Set(said)].filter((name) => ![...given, ...always].includes(name)).sort(),
      'missing',
    ).toEqual([])
    expect(given.filter((name) => always.includes(name) || !said.includes(name)).sort(), 'needless').toEqual(
      [],
    )
  })

  test('namespaces are listed where keys are typed', () => {
    const typed = [...read('src/lib/i18n/keys.ts').matchAll(/^ {2}(\w+): typeof/gm)].map(([, name]) => name)
    expect(typed.sort()).toEqual(namespaces)
  })

  test('a page exists for what the translators are told', () => {
    expect(existsSync('src/i18n/README.md')).toBe(true)
  })
})
