/**
 * Removes viewing time that a parent has added. The call has a file of its own, because the home page loads the other
 * calls for viewing time and does not need this call.
 */
import * as z from 'zod/mini'
import { adultProofFields, idSchema } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { viewingTimeSchema } from './viewing-time.ts'

export const removeAddedViewingTime = defineEndpoint({
  access: 'profile:any',
  proof: 'main',
  method: 'DELETE',
  path: '/profile/{id}/viewing-time/extra/{key}',
  params: z.strictObject({ id: idSchema, key: idSchema }),
  body: z.strictObject(adultProofFields),
  reply: viewingTimeSchema,
  summary: 'Takes back the viewing time that was added with this key; idempotent',
})
