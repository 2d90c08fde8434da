/** Taking back viewing time. A separate file, because the home page loads the other calls of viewing time. */
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
