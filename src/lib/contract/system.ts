import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const live = endpoint({
  access: 'public',
  method: 'GET',
  path: '/health/live',
  reply: z.object({ status: z.literal('ok') }),
  summary: 'The process answers',
})
export const ready = endpoint({
  access: 'public',
  method: 'GET',
  path: '/health/ready',
  reply: z.object({ status: z.literal('ok') }),
  summary: 'The process can serve: its database answers and it is not stopping',
})
/**
 * `data: {"kind":"list"|"progress"|"feedback"|"notices"|"profiles","profile_id"}` when something of the account changed,
 * `{"kind":"catalogue"}` when a title did, `{"kind":"job","job"}` for administrators, and `{"kind":"revoked"}` at the end of
 * this login. No news is a comment every 20 seconds.
 */
export const events = endpoint({
  access: 'user',
  method: 'GET',
  path: '/events',
  reply: z.string(),
  summary: 'Server-sent events: what changed for this account, as it changes',
})
