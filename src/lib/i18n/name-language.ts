import { getCurrentLocale } from './t.ts'

/**
 * Returns the `lang` attribute for a name that may be in another script than the page; undefined when none is needed.
 */
export const getNameLanguage = (name: string): string | undefined =>
  /[\u0600-\u06ff]/.test(name) ? 'ar' : getCurrentLocale() === 'ar' && /[a-z]/i.test(name) ? 'en' : undefined
