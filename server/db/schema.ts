/**
 * Row types, one per table; they stop at server/queries/. Flags are 0 or 1, instants are milliseconds since 1970,
 * durations are seconds, dates are `YYYY-MM-DD`, `json` columns hold text: the same on SQLite and PostgreSQL.
 */
import type { Catalogue } from './schema/catalogue.ts'
import type { HistoryImports } from './schema/imports.ts'
import type { Operations } from './schema/operations.ts'
import type { People } from './schema/people.ts'
import type { Tracking } from './schema/tracking.ts'

export interface Schema extends People, Catalogue, Tracking, HistoryImports, Operations {}
