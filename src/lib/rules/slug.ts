import { removeCombiningMarks } from './fold-letters.ts'

/**
 * Returns the slug of a title: letters and digits of any script, joined by hyphens, at most 120 characters.
 * `WALL·E` becomes `wall-e`, `Amélie` becomes `amelie`, and `الممر` stays `الممر`. A title without letters and digits
 * becomes `untitled`.
 */
export function slugify(text: string): string {
  const slug = removeCombiningMarks(text)
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/æ/g, 'ae')
    .replace(/œ/g, 'oe')
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/đ/g, 'd')
    .replace(/&/g, ' and ')
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .normalize('NFC')
  return slug.slice(0, 120).replace(/-+$/, '') || 'untitled'
}

/**
 * Leading articles by language. The Arabic article is joined to the word. Its pattern does not match the word for God
 * (`الله`), which begins with the letters of the article.
 */
const ARTICLE_PATTERNS_BY_LANGUAGE: Readonly<Record<string, RegExp>> = {
  en: /^(the|an?)\s+(?=\S)/iu,
  fr: /^((les?|la|une?)\s+|l['’]\s*)(?=\S)/iu,
  ar: /^ال(?!له(\P{L}|$))(?=\p{L}{2})/u,
}

/** Returns a name for sorting: without punctuation at its start, and without the leading article of the language. */
export function removeArticle(name: string, language: string): string {
  const trimmedName = name.replace(/^[^\p{L}\p{N}]+/u, '')
  const articlePattern = ARTICLE_PATTERNS_BY_LANGUAGE[language]
  return (articlePattern ? trimmedName.replace(articlePattern, '') : trimmedName) || name
}

/**
 * Returns the sort key of a title: lower case, without accents, and without punctuation or an article (English, French,
 * Spanish or German) at its start.
 */
export function getTitleSortKey(text: string): string {
  const foldedText = removeCombiningMarks(text)
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+/u, '')
  return (
    foldedText.replace(/^(the|an?|les?|la|une?|el|los|las|der|die|das)\s+(?=\S)/, '').replace(/^l'/, '') ||
    text
  )
}
