/**
 * Row types of all tables. Only server/db/ and server/queries/ use them. In both databases, flags are 0 or 1, times are
 * milliseconds since 1970, dates are `YYYY-MM-DD`, and JSON is stored as text. Durations are seconds, unless the column
 * name states another unit.
 */

import type { AccountTables } from './schema/accounts.ts'
import type { AuditTables } from './schema/audit.ts'
import type { CatalogueTables } from './schema/catalogue.ts'
import type { FamilyTables } from './schema/family.ts'
import type { HistoryImportTables } from './schema/history-imports.ts'
import type { LibraryTables } from './schema/library.ts'
import type { OperationTables } from './schema/operations.ts'
import type { ProfileTables } from './schema/profiles.ts'
import type { SignInTables } from './schema/sign-in.ts'
import type { TrackingTables } from './schema/tracking.ts'

export interface DatabaseSchema
  extends AccountTables,
    SignInTables,
    ProfileTables,
    AuditTables,
    CatalogueTables,
    TrackingTables,
    FamilyTables,
    HistoryImportTables,
    LibraryTables,
    OperationTables {}
