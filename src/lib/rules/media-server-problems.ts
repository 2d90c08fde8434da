/**
 * Why a Jellyfin or Plex server cannot be used. The dashboard has a text for each problem.
 * - `unknown_host`       the host name does not resolve
 * - `connection_refused` nothing listens on the port
 * - `timed_out`          the server does not respond in time
 * - `certificate`        the HTTPS certificate is not accepted
 * - `redirected`         the server redirects to another address
 * - `forbidden_address`  connections to the IP address are not allowed
 * - `unreachable`        the connection failed for another reason
 * - `unauthorized`       the server rejects the token
 * - `wrong_service`      the address belongs to another service
 * - `outdated`           the version of the server is too old
 * - `refused`            the server responds with another error
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
