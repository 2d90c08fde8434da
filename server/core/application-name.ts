/**
 * Name under which PostgreSQL lists the connections of a Marquee server. A restore detects a running server by this
 * name.
 */
export const APPLICATION_NAME = 'marquee'
