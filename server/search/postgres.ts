/**
 * The search index on PostgreSQL. The tokens of a document are in tsvector columns with GIN indexes; keys and
 * words are in plain tables. No PostgreSQL extension is needed. There are two sets of tables, a and b:
 * searches use one set, and a rebuild fills the other set.
 */
import { readPostgresState, rebuildPostgres, writePostgresBatch } from './postgres-write.ts'
import { getSlotRange, isInRange } from './slot.ts'
import { kidsToken } from './topics.ts'
import {
  type IndexStore,
  type PgDb,
  type SearchCandidate,
  type SearchKind,
  type SearchRange,
  searchKinds,
  type TokenExpression,
  topicKinds,
} from './types.ts'

export const postgresSchema: string[] = [
  'CREATE TABLE IF NOT EXISTS search_meta (key text PRIMARY KEY, value text NOT NULL)',
  ...(['a', 'b'] as const).flatMap((tableSet) => [
    `CREATE TABLE IF NOT EXISTS search_doc_${tableSet} (slot bigint PRIMARY KEY, doc_id bigint NOT NULL UNIQUE,
      media_id text NOT NULL, year integer, popularity double precision NOT NULL, names text NOT NULL,
      folds text NOT NULL, tokens tsvector NOT NULL, topics tsvector NOT NULL)`,
    `CREATE INDEX IF NOT EXISTS search_text_${tableSet} ON search_doc_${tableSet} USING gin (tokens)`,
    `CREATE INDEX IF NOT EXISTS search_topics_${tableSet} ON search_doc_${tableSet} USING gin (topics)`,
    `CREATE TABLE IF NOT EXISTS search_key_${tableSet} (key text COLLATE "C", slot bigint, PRIMARY KEY (key, slot))`,
    `CREATE TABLE IF NOT EXISTS search_word_${tableSet} (word text COLLATE "C" PRIMARY KEY, docs integer NOT NULL,
      sound text NOT NULL, version integer NOT NULL)`,
    `CREATE INDEX IF NOT EXISTS search_sound_${tableSet} ON search_word_${tableSet} (sound, docs) WHERE sound <> ''`,
    `CREATE INDEX IF NOT EXISTS search_new_${tableSet} ON search_word_${tableSet} (version, word)`,
  ]),
]

/**
 * Returns tsquery text. Every lexeme is quoted, and quotes and backslashes are removed from it, so that typed
 * text cannot become query syntax.
 */
function createTsQuery(expression: TokenExpression): string {
  if ('token' in expression)
    return `'${expression.token.replace(/['\\]/g, '')}'${expression.prefix ? ':*' : ''}`
  const [operands, operator] = 'all' in expression ? [expression.all, ' & '] : [expression.any, ' | ']
  return `(${operands.map(createTsQuery).join(operator)})`
}

export function createPostgresStore(db: PgDb): IndexStore {
  const readLiveTableSet = async () => (await readPostgresState(db)).live
  const querySlots = async (statement: string, parameters: unknown[]) =>
    ((await db.query(statement, parameters)).rows as { slot: string | number }[]).map((row) =>
      Number(row.slot),
    )
  const createKidsCondition = (range: SearchRange) => (range.kids ? 'AND (slot & 1) = 1' : '')
  const matchColumn = async (
    column: 'tokens' | 'topics',
    kinds: readonly SearchKind[],
    {
      expression,
      range,
      limit: maxSlotCount,
    }: { expression: TokenExpression; range: SearchRange; limit: number },
  ) => {
    const scopedExpression = range.kids
      ? { all: [{ token: kidsToken, prefix: false }, expression] }
      : expression
    const statement = `SELECT slot FROM search_doc_${await readLiveTableSet()}
      WHERE ${column} @@ $1::tsquery AND slot BETWEEN $2 AND $3 ORDER BY slot LIMIT $4`
    const foundSlots: number[] = []
    for (const kind of kinds) {
      const slotRange = getSlotRange({ ...range, kind })
      foundSlots.push(
        ...(await querySlots(statement, [createTsQuery(scopedExpression), ...slotRange, maxSlotCount])),
      )
    }
    return foundSlots.filter((slot) => isInRange(slot, range))
  }
  return {
    readState: () => readPostgresState(db),
    findSlots: (expression, range, maxSlotCount) =>
      matchColumn('tokens', range.kind === 'all' ? searchKinds : [range.kind], {
        expression,
        range,
        limit: maxSlotCount,
      }),
    findTopicSlots: (expression, range, maxSlotCount) =>
      matchColumn(
        'topics',
        topicKinds.filter((kind) => range.kind === 'all' || range.kind === kind),
        { expression, range, limit: maxSlotCount },
      ),
    async findExactKeys(keys, range, maxSlotCount) {
      const statement = `SELECT found.slot FROM unnest($1::text[]) AS wanted (key), LATERAL (SELECT slot
        FROM search_key_${await readLiveTableSet()} k WHERE k.key = wanted.key AND slot BETWEEN $2 AND $3 ${createKidsCondition(range)}
        ORDER BY slot LIMIT $4) AS found`
      return querySlots(statement, [[...new Set(keys)], ...getSlotRange(range), maxSlotCount])
    },
    async findKeyPrefix(key, range, maxSlotCount) {
      const statement = `SELECT slot FROM search_key_${await readLiveTableSet()} WHERE key >= $1 AND key < $2
        AND slot BETWEEN $3 AND $4 ${createKidsCondition(range)} ORDER BY key LIMIT $5`
      return querySlots(statement, [key, `${key}\u{10ffff}`, ...getSlotRange(range), maxSlotCount])
    },
    async loadCandidates(slots) {
      if (slots.length === 0) return []
      const statement = `SELECT slot, media_id AS "mediaId", year, popularity, names, folds FROM search_doc_${await readLiveTableSet()}
        WHERE slot = ANY($1::bigint[])`
      const rows = (await db.query(statement, [slots])).rows as SearchCandidate[]
      return rows.map((row) => ({ ...row, slot: Number(row.slot) }))
    },
    async findWordsBySound(sound, maxWordCount) {
      const statement = `SELECT word FROM search_word_${await readLiveTableSet()} WHERE sound = $1 AND sound <> '' AND docs > 0
        ORDER BY docs DESC LIMIT $2`
      return ((await db.query(statement, [sound, maxWordCount])).rows as { word: string }[]).map(
        (row) => row.word,
      )
    },
    async listWords(afterWord, version, pageSize) {
      const statement = `SELECT word, docs FROM search_word_${await readLiveTableSet()} WHERE version > $1 AND word > $2 AND docs > 0
        ORDER BY word LIMIT $3`
      return (
        (await db.query(statement, [version, afterWord, pageSize])).rows as { word: string; docs: number }[]
      ).map((row) => [row.word, row.docs])
    },
    writeBatch: (entries, idsToRemove) => writePostgresBatch(db, entries, idsToRemove),
    rebuildAll: (pages) => rebuildPostgres(db, pages),
  }
}
