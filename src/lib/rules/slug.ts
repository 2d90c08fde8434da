import { removeMarks } from './fold-letters.ts'

/**
 * Returns the slug of a title: letters and digits of any script, joined by hyphens, at most 120 characters.
 * `WALL·E` becomes `wall-e`, `Amélie` becomes `amelie`, and `الممر` stays `الممر`.
 */
export function slugify(text: string): string {
  const slug = removeMarks(text)
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

/** Returns the sort key of a title: lower case, without accents and leading article. */
export function getTitleSortKey(text: string): string {
  const foldedText = removeMarks(text)
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+/u, '')
  return (
    foldedText.replace(/^(the|an?|les?|la|une?|el|los|las|der|die|das)\s+(?=\S)/, '').replace(/^l'/, '') ||
    text
  )
}
