/** The translations and the demo texts follow the typography of their language (src/i18n/README.md). */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LOCALES, type Locale } from '../../src/lib/i18n/locales.ts'

interface TypographyRule {
  ruleName: string
  /** Matches the parts of a text that violate the rule. */
  mistakePattern: RegExp
}

const SHARED_RULES: TypographyRule[] = [
  { ruleName: 'no double space', mistakePattern: /[ \u00a0\u202f]{2,}/ },
  { ruleName: 'an ellipsis character instead of three dots', mistakePattern: /\.{3}/ },
  { ruleName: 'a no-break space is used only in French', mistakePattern: /[\u00a0\u202f]/ },
]
/** Rules for the languages of the demo catalogue. */
const RULES_BY_LOCALE: Partial<Record<Locale, TypographyRule[]>> = {
  en: [...SHARED_RULES, { ruleName: 'curly quotation marks', mistakePattern: /"/ }],
  fr: [
    ...SHARED_RULES.slice(0, 2),
    { ruleName: 'a narrow no-break space before ; ? ! »', mistakePattern: /[^\u202f?!][;?!»]/ },
    { ruleName: 'a narrow no-break space after «', mistakePattern: /«[^\u202f]/ },
    /* A colon inside an address or a time, which is not followed by a space, needs no space before it. */
    { ruleName: 'a no-break space before :', mistakePattern: /[ \u202f]:|[^\u00a0]:(?= |$)/ },
    {
      ruleName: 'a no-break space between number and unit',
      mistakePattern: /(?:\d|\}) (?:h|min|s|ms|%|Mo)(?![\wéà’])/,
    },
    { ruleName: 'a curly apostrophe', mistakePattern: /'/ },
    { ruleName: 'quotation marks «»', mistakePattern: /["“”]/ },
    /* A version number keeps its decimal point. */
    { ruleName: 'a decimal comma', mistakePattern: /(?<!version |ffmpeg )\b\d+\.\d/ },
  ],
  ar: [
    ...SHARED_RULES,
    { ruleName: 'quotation marks «»', mistakePattern: /["“”]/ },
    { ruleName: 'no space inside «»', mistakePattern: /«\s|\s»/ },
    {
      ruleName: 'Arabic comma, semicolon and question mark',
      mistakePattern: /[\u0600-\u06ff\u0750-\u077f})»]\s*[,;?]/,
    },
    { ruleName: 'no space before punctuation', mistakePattern: /\s[،؛؟:!.]/ },
    { ruleName: 'Western digits', mistakePattern: /[\u0660-\u0669\u06f0-\u06f9]/ },
    { ruleName: 'the word for "and" joined to a Latin name', mistakePattern: / و [A-Za-z]/ },
  ],
}

/** Official titles that violate a rule. Most of them are English titles that are also used in France. */
const EXCEPTIONAL_TITLES = new Set([
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
  const rules = RULES_BY_LOCALE[locale] ?? SHARED_RULES
  return texts
    .filter((text) => !EXCEPTIONAL_TITLES.has(text))
    .flatMap((text) =>
      rules
        .filter(({ mistakePattern }) => mistakePattern.test(text))
        .map(({ ruleName }) => `${ruleName}: ${text}`),
    )
}

/** Collects the texts of a locale at any depth of the JSON: the values whose key is the locale (`fr`, `ar` or `en`). */
function collectTexts(json: unknown, locale: Locale): string[] {
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([key, child]) =>
    key === locale && typeof child === 'string' ? [child] : collectTexts(child, locale),
  )
}

const demoRecords = globSync('data/demo/{places.json,{movies,series,people,episodes}/*}').flatMap(
  (file): unknown[] => {
    const fileText = readFileSync(file, 'utf8')
    return file.endsWith('.jsonl')
      ? fileText
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      : [JSON.parse(fileText)]
  },
)

test.each(LOCALES)('the translations follow the typography of %s', (locale) => {
  const texts = globSync(`src/i18n/${locale}/*.json`).flatMap((file) =>
    Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>),
  )
  expect(texts.length).toBeGreaterThan(1_000)
  expect(findMistakes(locale, texts)).toEqual([])
})

test.each(Object.keys(RULES_BY_LOCALE) as Locale[])(
  'the demo catalogue follows the typography of %s',
  (locale) => {
    const texts = demoRecords.flatMap((record) => collectTexts(record, locale))
    expect(texts.length).toBeGreaterThan(1_000)
    expect(findMistakes(locale, texts)).toEqual([])
  },
)

test('components join a label and its value with the text common:pair, because languages differ in the space before a colon', () => {
  const mistakes = globSync('src/{islands,ui}/**/*.tsx').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/`[^`\n]*\}: \$\{|\)\}: <\/|\.join\(', '\)/g)].map(
      ([code]) => `${file}: ${code}`,
    ),
  )
  expect(mistakes).toEqual([])
})
