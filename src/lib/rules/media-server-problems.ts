/**
 * Why a Jellyfin or Plex server cannot be used. The dashboard has a text for each problem. In this list, "it" is the
 * media server.
 * - `unknown_host`       its name does not resolve
 * - `connection_refused` nothing listens on its port
 * - `timed_out`          it does not respond in time
 * - `certificate`        its HTTPS certificate is not accepted
 * - `redirected`         it redirects to another address
 * - `forbidden_address`  connections to its IP address are not allowed
 * - `unreachable`        the connection failed for another reason
 * - `unauthorized`       it rejects the token
 * - `wrong_service`      the address belongs to another service
 * - `outdated`           its version is too old
 * - `refused`            it responds with another error
 */
export const MEDIA_SERVER_PROBLEMS = [
  'unknown_host',
  'connection_refused',
  'timed_out',
  'certificate',
  'redirected',
  'forbidden_address',
  'unreachable',
  'unauthorized',
  'wrong_service',
  'outdated',
  'refused',
] as const
export type MediaServerProblem = (typeof MEDIA_SERVER_PROBLEMS)[number]
export const MEDIA_SERVER_KINDS = ['jellyfin', 'plex'] as const
export type MediaServerKind = (typeof MEDIA_SERVER_KINDS)[number]
