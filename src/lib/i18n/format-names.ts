import { getCurrentLocale } from './t.ts'

/** Returns the comma of the language, with a space after it. */
export const getNameSeparator = () => (getCurrentLocale() === 'ar' ? '، ' : ', ')

/** Language of a name that differs from that of the page, so that it is read aloud and set correctly; else undefined. */
export const getNameLanguage = (name: string): string | undefined =>
  /[\u0600-\u06ff]/.test(name) ? 'ar' : getCurrentLocale() === 'ar' && /[a-z]/i.test(name) ? 'en' : undefined

export const formatNames = (names: readonly string[]): string => names.join(getNameSeparator())
