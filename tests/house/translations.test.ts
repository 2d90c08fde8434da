/** Rules of src/i18n/ that no tool knows: same keys everywhere, every plural form, every placeholder, no unused key. */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const LOCALES = ['en', 'fr', 'ar'] as const
const FORMS = {
  en: ['one', 'other'],
  fr: ['one', 'many', 'other'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
}
const PLURAL = /_(zero|one|two|few|many|other)$/
const namespaces = readdirSync('src/i18n/en')
const table = (locale: string, file: string) =>
  JSON.parse(readFileSync(`src/i18n/${locale}/${file}`, 'utf8')) as Record<string, string>
const stems = (keys: string[]) => [...new Set(keys.map((key) => key.replace(PLURAL, '')))].sort()
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).sort()

describe.each(namespaces)('%s', (file) => {
  const english = table('en', file)
  it.each(LOCALES)('has the same keys in %s, and every plural form', (locale) => {
    const words = table(locale, file)
    expect(stems(Object.keys(words))).toEqual(stems(Object.keys(english)))
    for (const stem of stems(
      Object.keys(words).filter((key) => PLURAL.test(key) && english[`${key.replace(PLURAL, '')}_other`]),
    )) {
      const forms = Object.keys(words)
        .filter((key) => key.startsWith(`${stem}_`) && PLURAL.test(key))
        .map((key) => key.slice(stem.length + 1))
      expect(forms.sort()).toEqual([...FORMS[locale]].sort())
    }
  })

  it.each(LOCALES)('has no empty text and the placeholders of English in %s', (locale) => {
    for (const [key, text] of Object.entries(table(locale, file))) {
      expect(text.trim(), key).not.toBe('')
      if (!PLURAL.test(key)) expect(placeholders(text), key).toEqual(placeholders(english[key] ?? ''))
    }
  })
})

it('uses every key', () => {
  const sources = globSync('src/**/*.{ts,tsx,astro}')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const dynamic = [...sources.matchAll(/[`'](\w+):([\w&, ]*)\$\{/g)].map((match) => `${match[1]}:${match[2]}`)
  const unused = namespaces.flatMap((file) => {
    const namespace = file.slice(0, -5)
    return stems(Object.keys(table('en', file)))
      .map((key) => `${namespace}:${key}`)
      .filter(
        (key) =>
          !sources.includes(`'${key}'`) &&
          !sources.includes(`"${key}"`) &&
          !dynamic.some((stem) => key.startsWith(stem)),
      )
  })
  expect(unused).toEqual([])
})
