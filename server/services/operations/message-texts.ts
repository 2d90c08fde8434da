/** Translates messages that leave the site, such as emails, to the language of their recipient. */
import { readFileSync } from 'node:fs'
import type common from '../../../src/i18n/en/common.json'
import type mail from '../../../src/i18n/en/mail.json'
import { FALLBACK_LOCALE, isLocale, LOCALES, type Locale } from '../../../src/lib/i18n/locales.ts'

interface MessageTexts {
  common: Record<keyof typeof common, string>
  mail: Record<keyof typeof mail, string>
}
export type MessageKey = `mail:${keyof typeof mail}` | 'common:episodeCode'

/** The texts by locale, from the translation files of the interface. */
const TEXTS_BY_LOCALE = new Map(
  LOCALES.map((locale): [Locale, MessageTexts] => [
    locale,
    { common: readTexts(locale, 'common'), mail: readTexts(locale, 'mail') },
  ]),
)

function readTexts<N extends keyof MessageTexts>(locale: string, namespace: N): MessageTexts[N] {
  const fileUrl = new URL(`../../../src/i18n/${locale}/${namespace}.json`, import.meta.url)
  return JSON.parse(readFileSync(fileUrl, 'utf8')) as MessageTexts[N]
}

/** Returns the language if the site supports it; otherwise the default language. */
export const toMessageLocale = (language: string): Locale => (isLocale(language) ? language : FALLBACK_LOCALE)

export type Translate = (key: MessageKey, values?: Record<string, string | number>) => string

/** Returns a function that translates keys. Every text can use `sharedValues` for its placeholders. */
export function createTranslate(
  locale: Locale,
  sharedValues: Record<string, string | number> = {},
): Translate {
  return (key, values) => {
    const [namespace = 'mail', messageName = ''] = key.split(':') as [keyof MessageTexts, string]
    const textsByName = TEXTS_BY_LOCALE.get(locale)?.[namespace] as Record<string, string> | undefined
    const allValues: Record<string, string | number> = { ...sharedValues, ...values }
    return (textsByName?.[messageName] ?? key).replace(/\{\{(\w+)\}\}/g, (_, placeholder: string) =>
      String(allValues[placeholder] ?? ''),
    )
  }
}
