/** The translations and the demo texts follow the typography of their language (src/i18n/README.md). */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LOCALES, type Locale } from '../../src/lib/i18n/locales.ts'

interface TypographyRule {
  name: string
  /** Matches the parts of a text that violate the rule. */
  mistake: RegExp
}

const SHARED_RULES: TypographyRule[] = [
  { name: 'no double space', mistake: /[ \u00a0\u202f]{2,}/ },
  { name: 'an ellipsis character instead of three dots', mistake: /\.{3}/ },
  { name: 'a no-break space is used only in French', mistake: /[\u00a0\u202f]/ },
]
/** Rules for the languages of the demo catalogue. */
const RULES: Partial<Record<Locale, TypographyRule[]>> = {
  en: [...SHARED_RULES, { name: 'curly quotation marks', mistake: /"/ }],
  fr: [
    ...SHARED_RULES.slice(0, 2),
    { name: 'a narrow no-break space before ; ? ! »', mistake: /[^\u202f?!][;?!»]/ },
    { name: 'a narrow no-break space after «', mistake: /«[^\u202f]/ },
    /* A colon inside an address or a time is followed by another character, not by a space. */
    { name: 'a no-break space before :', mistake: /[ \u202f]:|[^\u00a0]:(?= |$)/ },
    { name: 'a no-break space between number and unit', mistake: /(?:\d|\}) (?:h|min|s|ms|%|Mo)(?![\wéà’])/ },
    { name: 'a curly apostrophe', mistake: /'/ },
    { name: 'quotation marks «»', mistake: /["“”]/ },
    /* A version number keeps its decimal point. */
    { name: 'a decimal comma', mistake: /(?<!version |ffmpeg )\b\d+\.\d/ },
  ],
  ar: [
    ...SHARED_RULES,
    { name: 'quotation marks «»', mistake: /["“”]/ },
    { name: 'no space inside «»', mistake: /«\s|\s»/ },
    { name: 'Arabic comma, semicolon and question mark', mistake: /[\u0600-\u06ff\u0750-\u077f})»]\s*[,;?]/ },
    { name: 'no space before punctuation', mistake: /\s[،؛؟:!.]/ },
    { name: 'Western digits', mistake: /[\u0660-\u0669\u06f0-\u06f9]/ },
    { name: 'the word for "and" joined to a Latin name', mistake: / و [A-Za-z]/ },
  ],
}

/** Official titles that violate a rule. Most of them are English titles that are also used in France. */
const EXCEPTIONS = new Set([
  'Avengers: Infinity War',
  'Barfi!',
  'Good Bye Lenin!',
  'Mamma Mia!',
  'Ralph 2.0',
  'Star Trek: Strange New Worlds',
  'Star Trek: Voyager',
  'tick, tick… BOOM!',
  'Won’t You Be My Neighbor?',
])

function findMistakes(locale: Locale, texts: readonly string[]): string[] {
  const rules = RULES[locale] ?? SHARED_RULES
  return texts
    .filter((text) => !EXCEPTIONS.has(text))
    .flatMap((text) =>
      rules.filter(({ mistake }) => mistake.test(text)).map(({ name }) => `${name}: ${text}`),
    )
}

/** Collects the texts of a locale: the values of `fr`, `ar` or `en` at any depth. */
function collectTexts(value: unknown, locale: Locale): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    key === locale && typeof child === 'string' ? [child] : collectTexts(child, locale),
  )
}

const demoRecords = globSync('data/demo/{places.json,{movies,series,people,episodes}/*}').flatMap(
  (file): unknown[] => {
    const text = readFileSync(file, 'utf8')
    return file.endsWith('.jsonl')
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [JSON.parse(text)]
  },
)

test.each(LOCALES)('the translations follow the typography of %s', (locale) => {
  const texts = globSync(`src/i18n/${locale}/*.json`).flatMap((file) =>
    Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>),
  )
  expect(texts.length).toBeGreaterThan(1_000)
  expect(findMistakes(locale, texts)).toEqual([])
})

test.each(Object.keys(RULES) as Locale[])('the demo catalogue follows the typography of %s', (locale) => {
  const texts = demoRecords.flatMap((record) => collectTexts(record, locale))
  expect(texts.length).toBeGreaterThan(1_000)
  expect(findMistakes(locale, texts)).toEqual([])
})

test('code composes labels with common:pair, because languages differ in the space before a colon', () => {
  const mistakes = globSync('src/{islands,ui}/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`[^`\n]*\}: \$\{|\)\}: <\/|\.join\(', '\)/g)].map(
      ([code]) => `${file}: ${code}`,
    ),
  )
  expect(mistakes).toEqual([])
})
