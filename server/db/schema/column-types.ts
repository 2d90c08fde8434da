/** 0 or 1, because SQLite has no boolean type. */
export type BooleanInteger = number
/** Milliseconds since 1970. */
export type TimestampMs = number
