/**
 * Watch requests: a child asks for a title outside its audience, and a parent answers on any device (decision record
 * 40).
 */
import * as z from 'zod/mini'
import {
  adultProofFields,
  idParamsSchema,
  idSchema,
  maxCharacters,
  mediaTypeSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema, mediaDetailsSchema } from './media.ts'
import { parentPinSchema } from './profiles.ts'

/** Complete name of a title in any language. It is compared without case and accents. */
const titleNameSchema = z.string().check(z.trim(), z.minLength(2), maxCharacters(200))

/** A title that a child may ask for. It contains only data that a child may see: the name and the poster. */
const askableTitleSchema = z.object({
  type: mediaTypeSchema,
  id: z.string(),
  title: z.string(),
  poster_path: z.nullable(z.string()),
  /** Id of the child's unanswered request for this title; null when there is none. */
  request_id: z.nullable(z.string()),
})
export type AskableTitle = z.infer<typeof askableTitleSchema>

export const listAskableTitles = defineEndpoint({
  access: 'profile',
  method: 'GET',
  path: '/profile/{id}/requests',
  params: idParamsSchema,
  query: z.strictObject({ name: titleNameSchema }),
  reply: z.object({ results: z.array(askableTitleSchema) }),
  summary:
    'Lists titles with exactly this name that the profile may ask for; empty unless a parent turned requests on',
})
export const createWatchRequest = defineEndpoint({
  access: 'profile',
  method: 'POST',
  path: '/profile/{id}/requests',
  params: idParamsSchema,
  status: 201,
  body: z.strictObject({
    name: titleNameSchema,
    type: mediaTypeSchema,
    media_id: idSchema,
    reason: z.optional(z.string().check(maxCharacters(300))),
  }),
  reply: z.object({ request_id: z.string() }),
  summary: 'Asks to watch a title, whose exact name is needed; idempotent',
})

export const WATCH_REQUEST_ANSWERS = ['once', 'week', 'always', 'no'] as const
const watchRequestAnswerSchema = z.enum(WATCH_REQUEST_ANSWERS)
export type WatchRequestAnswer = z.infer<typeof watchRequestAnswerSchema>

const watchRequestSchema = z.object({
  request_id: z.string(),
  profile_id: z.string(),
  profile_name: z.string(),
  media: mediaCardSchema,
  parental_guide: mediaDetailsSchema.shape.parental_guide,
  reason: z.string(),
  created_at: z.string(),
  /** Null until a parent has answered. */
  answer: z.nullable(watchRequestAnswerSchema),
  /** Time at which the permission expires; null when it does not expire. */
  expires_at: z.nullable(z.string()),
})
export type WatchRequest = z.infer<typeof watchRequestSchema>

export const listWatchRequests = defineEndpoint({
  access: 'viewer',
  proof: 'main',
  method: 'GET',
  path: '/user/requests',
  reply: z.object({ results: z.array(watchRequestSchema), open: z.number() }),
  summary:
    'Lists what the profiles of the account asked for in the last 90 days: unanswered first, then latest first',
})
export const answerWatchRequest = defineEndpoint({
  access: 'viewer',
  proof: 'main',
  method: 'PUT',
  path: '/user/requests/{requestId}',
  params: z.strictObject({ requestId: idSchema }),
  body: z.strictObject({
    answer: watchRequestAnswerSchema,
    pin: parentPinSchema,
    ...adultProofFields,
  }),
  reply: z.object({ answer: watchRequestAnswerSchema, expires_at: z.nullable(z.string()) }),
  summary:
    'Allows a requested title once, for a week or always, or refuses it; a later answer replaces an earlier one',
})

const childOptionsFields = {
  /** Whether the profile may ask to watch titles outside its audience. */
  may_ask: z.boolean(),
  /** Whether the browser speaks the name of the focused element. */
  spoken_labels: z.boolean(),
}
export const getChildOptions = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'GET',
  path: '/profile/{id}/child-options',
  params: idParamsSchema,
  reply: z.object(childOptionsFields),
  summary: 'Returns what a parent turned on for a profile',
})
export const putChildOptions = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'PUT',
  path: '/profile/{id}/child-options',
  params: idParamsSchema,
  body: z.strictObject({
    /** Absent options stay as they are. */
    may_ask: z.optional(z.boolean()),
    spoken_labels: z.optional(z.boolean()),
    ...adultProofFields,
  }),
  reply: z.object(childOptionsFields),
  summary: 'Turns requests and spoken labels of a profile on or off',
})
