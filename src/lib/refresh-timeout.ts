/**
 * Time in milliseconds after which a refresh of the session without a response counts as failed. Browsers wait for up
 * to several minutes if a server neither accepts nor refuses a connection.
 */
export const SESSION_REFRESH_TIMEOUT_MS = 8_000
