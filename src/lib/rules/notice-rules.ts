/** Which releases of a title cause notices: all, only the first episode of each season (`seasons`), or none. */
export const NOTICE_RULES = ['all', 'seasons', 'none'] as const
export type NoticeRule = (typeof NOTICE_RULES)[number]
