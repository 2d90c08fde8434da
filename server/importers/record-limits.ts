/**
 * Limits the numbers of names, keywords and networks in a record. Real titles have at most a few hundred names and
 * keywords. A source that sends a hundred thousand must neither block the writer of the database nor fill the search
 * index.
 */
import type { PersonRecord, TitleRecord } from '../queries/title-record.ts'

const MAX_TITLE_NAMES = 1_000
const MAX_KEYWORDS = 1_000
const MAX_NETWORKS = 100
const MAX_PERSON_NAMES = 200

/**
 * Cuts the lists of names, keywords and networks to their maximum lengths. Display names stay, because sources and
 * importers put them first.
 */
export function limitTitleLists(record: TitleRecord): TitleRecord {
  return {
    ...record,
    names: record.names.slice(0, MAX_TITLE_NAMES),
    keywords: record.keywords.slice(0, MAX_KEYWORDS),
    networks: record.networks.slice(0, MAX_NETWORKS),
  }
}

/** Cuts the list of names to its maximum length. */
export function limitPersonNames(record: PersonRecord): PersonRecord {
  return record.names ? { ...record, names: record.names.slice(0, MAX_PERSON_NAMES) } : record
}
