/** Returns the character before the decimals of a number in a language. */
export const getDecimalSeparator = (locale: string): string =>
  new Intl.NumberFormat(`${locale}-u-nu-latn`).formatToParts(0.1).find(({ type }) => type === 'decimal')
    ?.value ?? '.'
