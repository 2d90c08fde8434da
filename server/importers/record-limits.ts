/**
 * Limits the lists of records. Real titles have at most a few hundred names and keywords. A source that sends a hundred
 * thousand must neither block the writer of the database nor fill the search index.
 */
import type { PersonRecord, TitleRecord } from '../queries/title-record.ts'

const MAX_TITLE_NAMES = 1_000
const MAX_KEYWORDS = 1_000
const MAX_NETWORKS = 100
const MAX_PERSON_NAMES = 200

/** Returns the title with the first names, keywords and networks. Sources and importers put the display names first. */
export function limitTitleLists(record: TitleRecord): TitleRecord {
  return {
    ...record,
    names: record.names.slice(0, MAX_TITLE_NAMES),
    keywords: record.keywords.slice(0, MAX_KEYWORDS),
    networks: record.networks.slice(0, MAX_NETWORKS),
  }
}

/** Returns the person with the first names. */
export function limitPersonNames(record: PersonRecord): PersonRecord {
  return record.names ? { ...record, names: record.names.slice(0, MAX_PERSON_NAMES) } : record
}
