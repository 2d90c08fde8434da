import { getCurrentLocale } from './t.ts'

/** Returns the comma of the language, with a space after it. */
export const getNameSeparator = () => (getCurrentLocale() === 'ar' ? '، ' : ', ')

/** Returns the language of a name for its `lang` attribute; undefined when the name is in the language of the page. */
export const getNameLanguage = (name: string): string | undefined =>
  /[\u0600-\u06ff]/.test(name) ? 'ar' : getCurrentLocale() === 'ar' && /[a-z]/i.test(name) ? 'en' : undefined

export const formatNames = (names: readonly string[]): string => names.join(getNameSeparator())
