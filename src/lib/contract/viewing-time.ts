/**
 * Viewing time of profiles: minutes per day and quiet hours, which the server counts and enforces (decision record 40).
 */
import * as z from 'zod/mini'
import { MAX_ADDED_MINUTES } from '../rules/added-viewing-time.ts'
import { WEEKENDS, type Weekend } from '../rules/viewing-time.ts'
import {
  adultProofFields,
  idParamsSchema,
  idSchema,
  maxCharacters,
  mediaTypeSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { parentPinSchema } from './profiles.ts'

const minutesPerDaySchema = z.nullable(z.int().check(z.minimum(0), z.maximum(1_440)))
/** Minutes since midnight. */
const minuteOfDaySchema = z.nullable(z.int().check(z.minimum(0), z.maximum(1_439)))
const timeZoneSchema = z.string().check(z.minLength(1), maxCharacters(64))
const weekendSchema = z.enum(Object.keys(WEEKENDS) as [Weekend, ...Weekend[]])
const episodeNumberSchema = z.int().check(z.minimum(0), z.maximum(100_000))

export const viewingTimeSchema = z.object({
  /** `grace`: the profile may finish the video that it has started. `over`: the profile may not play any video. */
  status: z.enum(['unlimited', 'allowed', 'grace', 'over']),
  /** Why playback will end or has ended; null when `status` is `unlimited`. */
  reason: z.nullable(z.enum(['minutes', 'quiet_hours'])),
  /** Seconds until playback has to stop; null when no limit applies. */
  remaining_seconds: z.nullable(z.number()),
  /** Seconds played today. */
  played_seconds: z.number(),
  /** Seconds allowed today, including time that a parent added; null when the minutes are not limited. */
  allowed_seconds: z.nullable(z.number()),
  /** True when `status` is `over` and the child has not used grace today. */
  can_finish_episode: z.boolean(),
  /** End of quiet hours in minutes since midnight; null without quiet hours. */
  quiet_until: z.nullable(z.number()),
})
export type ViewingTime = z.infer<typeof viewingTimeSchema>

/** Playing time of a player since it was opened. Because reports contain totals, a repeated report counts only once. */
export const playedTimeSchema = z.strictObject({
  session: z.string().check(z.regex(/^[\w-]{8,64}$/)),
  seconds: z.number().check(z.minimum(0), z.maximum(1_000_000)),
})
export type PlayedTime = z.infer<typeof playedTimeSchema>

const VIEWING_TIME_PATH = '/profile/{id}/viewing-time'
const VIEWING_LIMITS_PATH = '/profile/{id}/viewing-limits'

export const getViewingTime = defineEndpoint({
  access: 'profile',
  method: 'GET',
  path: VIEWING_TIME_PATH,
  params: idParamsSchema,
  reply: viewingTimeSchema,
  summary: 'Returns how long the profile may still watch today',
})
export const finishEpisode = defineEndpoint({
  access: 'profile',
  method: 'POST',
  path: `${VIEWING_TIME_PATH}/finish`,
  params: idParamsSchema,
  body: z.strictObject({
    type: mediaTypeSchema,
    media_id: idSchema,
    season: z.optional(episodeNumberSchema),
    episode: z.optional(episodeNumberSchema),
  }),
  reply: viewingTimeSchema,
  errorStatuses: [409],
  summary: 'Allows 15 more minutes for a video that has begun, once a day, after the time is used up',
})
export const addViewingTime = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'POST',
  path: `${VIEWING_TIME_PATH}/extra`,
  params: idParamsSchema,
  body: z.strictObject({
    minutes: z.int().check(z.minimum(1), z.maximum(MAX_ADDED_MINUTES)),
    /**
     * Chosen by the client. A repeated call adds nothing. A call with the same key and other minutes is rejected with
     * 422 and the code `reused`.
     */
    key: z.optional(idSchema),
    pin: parentPinSchema,
    ...adultProofFields,
  }),
  reply: viewingTimeSchema,
  errorStatuses: [409],
  summary:
    'Adds viewing time for today, also during quiet hours; in a group, for each member whose time is used up',
})

const viewingLimitFields = {
  /** Minutes per day; null means no limit. */
  school_day_minutes: minutesPerDaySchema,
  weekend_minutes: minutesPerDaySchema,
  /** Start and end of the quiet hours, which may span midnight. Both are null without quiet hours. */
  quiet_start: minuteOfDaySchema,
  quiet_end: minuteOfDaySchema,
}
const viewingLimitsSchema = z.object(viewingLimitFields)
export type ViewingLimitFields = z.infer<typeof viewingLimitsSchema>

export const getViewingLimits = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'GET',
  path: VIEWING_LIMITS_PATH,
  params: idParamsSchema,
  reply: z.object({ limits: viewingLimitsSchema, today: viewingTimeSchema }),
  summary: 'Returns the viewing limits of a profile, and what it has watched today',
})
export const putViewingLimits = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'PUT',
  path: VIEWING_LIMITS_PATH,
  params: idParamsSchema,
  body: z.strictObject({
    /** Absent fields stay as they are. */
    school_day_minutes: z.optional(minutesPerDaySchema),
    weekend_minutes: z.optional(minutesPerDaySchema),
    quiet_start: z.optional(minuteOfDaySchema),
    quiet_end: z.optional(minuteOfDaySchema),
    /** Time zone of the device. It becomes the time zone of the account if the account has none yet. */
    time_zone: z.optional(timeZoneSchema),
    ...adultProofFields,
  }),
  reply: z.object({ limits: viewingLimitsSchema, today: viewingTimeSchema }),
  summary: 'Changes the given viewing limits of a profile',
})

const familySettingsSchema = z.object({
  time_zone: z.string(),
  weekend: weekendSchema,
  /** True when the account has an exit PIN, which is needed to leave a restricted profile for one without a PIN. */
  has_exit_pin: z.boolean(),
})
export type FamilySettings = z.infer<typeof familySettingsSchema>

export const getFamilySettings = defineEndpoint({
  access: 'user',
  proof: 'main',
  method: 'GET',
  path: '/user/family',
  reply: familySettingsSchema,
  summary: 'Returns the family settings of the account',
})
export const putFamilySettings = defineEndpoint({
  access: 'user',
  proof: 'main',
  method: 'PUT',
  path: '/user/family',
  body: z.strictObject({
    time_zone: z.optional(timeZoneSchema),
    weekend: z.optional(weekendSchema),
    ...adultProofFields,
  }),
  reply: familySettingsSchema,
  summary: 'Sets the time zone and the weekend of the account',
})
export const putExitPin = defineEndpoint({
  access: 'user',
  proof: 'main',
  method: 'PUT',
  path: '/user/family/exit-pin',
  body: z.strictObject({
    /** Null removes the PIN. */
    pin: z.nullable(z.string().check(z.regex(/^[0-9]{4}$/))),
    ...adultProofFields,
  }),
  reply: familySettingsSchema,
  summary:
    'Sets or removes the PIN that leaves a kids profile or one with limits for a profile without a PIN',
})
