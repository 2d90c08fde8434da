/**
 * A text of a person in several languages, stored in one column as a JSON object by language (docs/decisions/0045). A
 * text without translations is stored as plain text.
 */

const FALLBACK_LANGUAGE = 'en'

/** Returns the column value for a text and its translations; null without an English text. */
export function encodeLocalisedText(
  englishText: string | undefined,
  translations: readonly { lang: string; text: string | undefined }[],
): string | null {
  if (!englishText) return null
  const textEntries = translations.flatMap(({ lang, text }) => (text ? [[lang, text] as const] : []))
  if (textEntries.length === 0) return englishText
  return JSON.stringify({ [FALLBACK_LANGUAGE]: englishText, ...Object.fromEntries(textEntries) })
}

/** Returns the stored text in `lang`, or the English text when the column has no text in `lang`. */
export function readLocalisedText(storedText: string | null, lang: string): string | null {
  if (!storedText?.startsWith(`{"${FALLBACK_LANGUAGE}":`)) return storedText
  try {
    const textsByLanguage = JSON.parse(storedText) as Record<string, string>
    return textsByLanguage[lang] ?? textsByLanguage[FALLBACK_LANGUAGE] ?? null
  } catch {
    // The text was imported and only looks like JSON.
    return storedText
  }
}
