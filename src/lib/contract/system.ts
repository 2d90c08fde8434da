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
  /** `degraded`: reads work, but writes fail because the disk is full, broken or read-only. */
  reply: z.object({ status: z.enum(['ok', 'degraded']) }),
  summary: 'Readiness: the database responds and the process is not shutting down',
})
/**
 * Kinds of account data. The server sends an event to the open tabs when such data changes. `list` is the watchlist,
 * `lists` are the named lists, and `requests` are the watch requests.
 */
export type AccountEventKind =
  | 'list'
  | 'progress'
  | 'feedback'
  | 'ratings'
  | 'lists'
  | 'notices'
  | 'profiles'
  | 'viewing_time'
  | 'requests'

export const streamAccountEvents = defineEndpoint({
  access: 'user',
  scope: 'tracking:read',
  method: 'GET',
  path: '/events',
  replyTypes: ['text/event-stream'],
  summary: 'Server-sent events: changes to the data of the account',
  description: [
    'The `data` of each event is a JSON object with a `kind`:',
    '',
    '- `list` (watchlist), `progress`, `feedback`, `ratings`, `lists` (named lists), `notices`, `profiles`, `viewing_time` or `requests` (watch requests), with `profile_id` if the data belongs to a profile: this data of the account changed.',
    '- `catalogue`: a title changed.',
    '- `gap`: events were lost, so the client reloads everything.',
    '- `job` with `job`: a job changed. Sent to administrators, and to API keys with the scope `admin`.',
    '- `remote` with `pairing_id`: sent from one device of a remote-control pairing to the other, with `command`, `text` or `state`. The state is `paired` (with `device_name`) or `ended`. An ended pairing has the `reason` `locked_profile`, or no reason.',
    '- `revoked`: this device was signed out, or the API key can no longer be used. The stream ends.',
    '',
    'Later releases can add kinds. Without events, the server sends a comment every 20 seconds to keep the connection open. Events are not stored: a client that reconnects with `Last-Event-ID` first gets `gap`. An API key gets the events of the profiles for which it may act.',
  ].join('\n'),
})
