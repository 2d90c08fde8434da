/**
 * Row types of all tables. Only server/db/ and server/queries/ use them. On both databases, flags are 0 or 1, times are
 * milliseconds since 1970, durations are seconds, dates are `YYYY-MM-DD`, and JSON is stored as text.
 */
import type { Catalogue } from './schema/catalogue.ts'
import type { HistoryImports } from './schema/imports.ts'
import type { Operations } from './schema/operations.ts'
import type { People } from './schema/people.ts'
import type { Tracking } from './schema/tracking.ts'

export interface Schema extends People, Catalogue, Tracking, HistoryImports, Operations {}
