import { getCurrentLocale } from './t.ts'

/** Returns the list separator of the language: a comma and a space. */
export const getNameSeparator = () => (getCurrentLocale() === 'ar' ? '، ' : ', ')

export const formatNames = (names: readonly string[]): string => names.join(getNameSeparator())
