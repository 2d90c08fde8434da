/** Words that every overview has. */
const common = new Set(
  'that with this from their they have when where which while into after about over than them then been must will what also only being through other before himself herself find finds life young world story'.split(
    ' ',
  ),
)

/** The words of an English overview that may connect it to another. */
export const overviewWords = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter((word) => !common.has(word))
