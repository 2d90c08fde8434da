/**
 * Calendar: releases of the titles that a profile follows, for the site and for calendar programs (iCalendar, RFC
 * 5545).
 */
import * as z from 'zod/mini'
import { adultProofFields, dateSchema, idParamsSchema, mediaTypeSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

const CALENDAR_PATH = '/profile/{id}/calendar'
const CALENDAR_FEED_PATH = `${CALENDAR_PATH}/feed`

const releaseSchema = z.object({
  /** Release date, `YYYY-MM-DD`. */
  date: z.string(),
  /** Id of the title. The field `titles` of the reply contains the card of this title. */
  media_id: z.string(),
  /** Null for movies. */
  season: z.nullable(z.number()),
  episode: z.nullable(z.number()),
  episode_title: z.nullable(z.string()),
  seen: z.boolean(),
})
export type Release = z.infer<typeof releaseSchema>

export const listReleases = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: CALENDAR_PATH,
  params: idParamsSchema,
  query: z.strictObject({ from: dateSchema, until: dateSchema, type: z.optional(mediaTypeSchema) }),
  reply: z.object({
    /** Releases in the order of their dates. */
    releases: z.array(releaseSchema),
    titles: z.array(mediaCardSchema),
    /** Date of the last release before `from`; null when there is no earlier release. */
    previous: z.nullable(z.string()),
    /** Date of the first release after the releases in the reply; null when there is no later release. */
    next: z.nullable(z.string()),
  }),
  description:
    'The reply contains releases from `from` (inclusive) until `until` (exclusive), which is at most 186 days later.',
  summary:
    'Lists releases of the titles that the profile follows: in its watchlist, started, or to be notified about',
})

const calendarFeedSchema = z.object({
  /** Null when the profile has no calendar address. */
  created_at: z.nullable(z.string()),
  /** Time at which a calendar program last read the calendar; null when no program has read it. */
  read_at: z.nullable(z.string()),
})

export const getCalendarFeedState = defineEndpoint({
  access: 'profile',
  method: 'GET',
  path: CALENDAR_FEED_PATH,
  params: idParamsSchema,
  reply: calendarFeedSchema,
  summary: 'Tells whether the profile has an address for calendar programs, without the address',
})
export const createCalendarFeed = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'POST',
  path: CALENDAR_FEED_PATH,
  params: idParamsSchema,
  status: 201,
  body: z.strictObject(adultProofFields),
  reply: z.extend(calendarFeedSchema, { url: z.string() }),
  summary: 'Creates the address of the calendar, which is shown only once and replaces an earlier one',
})
export const revokeCalendarFeed = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'DELETE',
  path: CALENDAR_FEED_PATH,
  params: idParamsSchema,
  body: z.strictObject(adultProofFields),
  summary: 'Ends the address of the calendar',
})

export const readCalendarFeed = defineEndpoint({
  access: 'public',
  method: 'GET',
  path: '/calendar/{token}/releases.ics',
  params: z.strictObject({ token: z.string() }),
  replyTypes: ['text/calendar'],
  hasEtag: true,
  summary: 'Returns the calendar of a profile as iCalendar; 404 for unknown and ended addresses',
})
