/** Titles that became available, and profiles that wait for a title to become available. */
import * as z from 'zod/mini'
import { titleParamsSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

export const listNewestLibraryTitles = defineEndpoint({
  access: 'viewer',
  scope: 'catalogue:read',
  method: 'GET',
  path: '/library/newest',
  reply: z.object({ results: z.array(mediaCardSchema) }),
  summary:
    'Lists the titles that were added to the library last, without those that the acting profile dislikes',
})

const availabilityRequestSchema = z.object({ requested: z.boolean() })
export const getAvailabilityRequest = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile/{id}/availability/{type}/{mediaId}',
  params: titleParamsSchema,
  reply: availabilityRequestSchema,
  summary: 'Tells whether the profile waits for a title to become available',
})
export const putAvailabilityRequest = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: '/profile/{id}/availability/{type}/{mediaId}',
  params: titleParamsSchema,
  body: z.strictObject({ requested: z.boolean() }),
  reply: availabilityRequestSchema,
  summary: 'Requests a notice when a title becomes available, or withdraws the request',
})
