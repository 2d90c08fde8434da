/** Statistics of the viewings of a profile, including marks as seen (docs/decisions/0024-marks-as-seen.md). */
import * as z from 'zod/mini'
import { createIntegerQuerySchema, idParamsSchema, maxCharacters } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

/** Number of viewings, and the sum of their runtimes in minutes. */
const viewingTotalFields = { viewings: z.number(), minutes: z.number() }
const streakSchema = z.object({ days: z.number(), from: z.string(), until: z.string() })

export const getStatistics = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/statistics',
  params: idParamsSchema,
  query: z.strictObject({
    /** When absent, viewings of all time are counted, including those whose time is not known. */
    year: z.optional(createIntegerQuerySchema(1900, 9999)),
    /** IANA name of the time zone, such as `Europe/Paris`. It determines the day of each viewing. */
    time_zone: z._default(z.string().check(maxCharacters(64)), 'UTC'),
  }),
  reply: z.object({
    /** Years with viewings, newest first. */
    years: z.array(z.number()),
    totals: z.object({
      ...viewingTotalFields,
      movies: z.number(),
      series: z.number(),
      episodes: z.number(),
      /** Viewings of a movie or episode that had been seen before. */
      rewatches: z.number(),
      /** Number of days with a viewing. */
      days: z.number(),
      /** Viewings whose runtime is not known; they add no minutes. */
      without_runtime: z.number(),
      /** Viewings whose time is not known; they belong to no day. */
      without_date: z.number(),
    }),
    /**
     * Streaks: consecutive days with a viewing. `current_streak` is the streak that ends today or yesterday; null if
     * there is none, or if it does not end in the year of the statistics. It can begin in an earlier year.
     */
    longest_streak: z.nullable(streakSchema),
    current_streak: z.nullable(streakSchema),
    /** Days of the year that have viewings. Empty without a year. */
    days: z.array(z.object({ date: z.string(), ...viewingTotalFields })),
    /** Months with viewings. `month` is written `YYYY-MM`. */
    months: z.array(z.object({ month: z.string(), ...viewingTotalFields })),
    /** Viewings and minutes of each day of the week, Monday first. */
    weekdays: z.array(z.object(viewingTotalFields)),
    /**
     * `genres`, `decades`, `languages` and `titles` are sorted by descending minutes. A viewing counts for each genre
     * of its title.
     */
    genres: z.array(z.object({ id: z.number(), ...viewingTotalFields })),
    decades: z.array(z.object({ decade: z.number(), ...viewingTotalFields })),
    languages: z.array(z.object({ code: z.string(), ...viewingTotalFields })),
    titles: z.array(
      z.object({
        media: mediaCardSchema,
        ...viewingTotalFields,
      }),
    ),
    /** Actors and directors of at least two watched titles, sorted by descending number of these titles. */
    actors: z.array(z.object({ slug: z.string(), name: z.string(), titles: z.number() })),
    directors: z.array(z.object({ slug: z.string(), name: z.string(), titles: z.number() })),
  }),
  summary: 'Returns statistics of what the profile watched, of one year or of all time',
})
