/**
 * A text of a person in several languages, stored in one column as a JSON object by language (docs/decisions/0045). A text
 * without translations is stored as plain text.
 */

const FALLBACK_LANGUAGE = 'en'

/** Returns the column value for a text and its translations; null without an English text. */
export function encodeLocalizedText(
  english: string | undefined,
  translations: readonly { lang: string; text: string | undefined }[],
): string | null {
  if (!english) return null
  const texts = translations.flatMap(({ lang, text }) => (text ? [[lang, text] as const] : []))
  if (texts.length === 0) return english
  return JSON.stringify({ [FALLBACK_LANGUAGE]: english, ...Object.fromEntries(texts) })
}

/** Returns the stored text in `lang`, else in English. */
export function readLocalizedText(storedText: string | null, lang: string): string | null {
  if (!storedText?.startsWith(`{"${FALLBACK_LANGUAGE}":`)) return storedText
  try {
    const texts = JSON.parse(storedText) as Record<string, string>
    return texts[lang] ?? texts[FALLBACK_LANGUAGE] ?? null
  } catch {
    // The text was imported and only looks like JSON.
    return storedText
  }
}
