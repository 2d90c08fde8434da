/** Name of the connections of a Marquee server in PostgreSQL, by which a restore notices a running server. */
export const APPLICATION_NAME = 'marquee'
