import { getCurrentLocale } from './t.ts'

/** Returns the comma of the language, with a space after it. */
export const getNameSeparator = () => (getCurrentLocale() === 'ar' ? '، ' : ', ')
export const formatNames = (names: readonly string[]): string => names.join(getNameSeparator())
