/** Distinguishes requests that the server rejected from requests whose reply may have been lost. */
import { ApiError } from './errors.ts'

/** True if the server rejected the request (status 4xx), and therefore changed nothing. */
export const isClientError = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500

/** Statuses without a reply of the API itself: a failed connection, and responses of a proxy that got no reply. */
const LOST_REPLY_STATUSES = [0, 502, 504]

/** True if the server may have applied the request although no reply arrived. */
export const isReplyLost = (error: unknown): boolean =>
  error instanceof ApiError && LOST_REPLY_STATUSES.includes(error.status)
