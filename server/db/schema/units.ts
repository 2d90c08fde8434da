/** 0 or 1: neither database has booleans that the other reads. */
export type Flag = number
/** Milliseconds since 1970. */
export type Ms = number
