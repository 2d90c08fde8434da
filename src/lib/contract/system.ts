import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'

export const getLiveness = defineEndpoint({
  access: 'public',
  method: 'GET',
  path: '/health/live',
  reply: z.object({ status: z.literal('ok') }),
  summary: 'Liveness: the process responds',
})
export const getReadiness = defineEndpoint({
  access: 'public',
  method: 'GET',
  path: '/health/ready',
  reply: z.object({ status: z.literal('ok') }),
  summary: 'Readiness: the database responds and the process is not shutting down',
})
/**
 * Each event is a JSON object with a `kind`:
 * - `list`, `progress`, `feedback`, `notices`, `profiles` with `profile_id`: this data of the account changed (`list` is the watchlist)
 * - `catalogue`: a title changed
 * - `job` with `job`: a job changed; sent to administrators
 * - `revoked`: this device was signed out
 *
 * Without events, the server sends a comment every 20 seconds to keep the connection open.
 */
export const streamAccountEvents = defineEndpoint({
  access: 'user',
  method: 'GET',
  path: '/events',
  reply: z.string(),
  summary: 'Server-sent events: changes to the data of the account',
})
