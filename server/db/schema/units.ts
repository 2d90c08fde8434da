/** 0 or 1, because SQLite has no boolean type. */
export type Flag = number
/** Milliseconds since 1970. */
export type Ms = number
