/** Decodes the character references of HTML that occur in exports. */
const CHARACTERS_BY_ENTITY: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    laquo: '«',
    raquo: '»',
    ldquo: '“',
    rdquo: '”',
    lsquo: '‘',
    rsquo: '’',
  }),
)
const ENTITY_PATTERN = /&(?:#(\d{1,7})|([a-z]+));/gi

/** Replaces the character references in a text by their characters. Unknown references stay. */
export const decodeHtmlEntities = (text: string): string =>
  text.replace(ENTITY_PATTERN, (entity, code?: string, name?: string) =>
    code ? toCharacter(Number(code)) : (CHARACTERS_BY_ENTITY.get(name?.toLowerCase() ?? '') ?? entity),
  )

const toCharacter = (codePoint: number) => (codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '')
