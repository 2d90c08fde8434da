/** Words that are too common in overviews to indicate a similarity of titles. */
const stopWords = new Set(
  'that with this from their they have when where which while into after about over than them then been must will what also only being through other before himself herself find finds life young world story'.split(
    ' ',
  ),
)

/** Returns the words of an English overview that have at least four letters and are not stop words, in lower case. */
export const extractOverviewWords = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter((word) => !stopWords.has(word))
