/** API keys. With an API key, a program can call the API on behalf of an account, within the scopes of the key. */
import * as z from 'zod/mini'
import {
  adultProofFields,
  createVisibleTextSchema,
  idParamsSchema,
  idSchema,
  instantSchema,
  passwordSchema,
} from './common-schemas.ts'
import { API_KEY_SCOPES, defineEndpoint } from './endpoint.ts'

export const MAX_API_KEYS = 50
const MAX_API_KEY_NAME_LENGTH = 60

const apiKeySchema = z.object({
  key_id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(API_KEY_SCOPES)),
  /** The only profile that the key acts for; null for all profiles without a PIN. */
  profile_id: z.nullable(z.string()),
  created_at: instantSchema,
  expires_at: z.nullable(instantSchema),
  last_used: z.nullable(instantSchema),
})
export type ApiKey = z.infer<typeof apiKeySchema>

export const listApiKeys = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'GET',
  path: '/auth/api-keys',
  reply: z.object({ results: z.array(apiKeySchema) }),
  summary: 'Lists the API keys of the account',
})
export const createApiKey = defineEndpoint({
  access: 'user',
  proof: 'password',
  stepUp: true,
  method: 'POST',
  path: '/auth/api-keys',
  status: 201,
  body: z.strictObject({
    name: createVisibleTextSchema(MAX_API_KEY_NAME_LENGTH),
    scopes: z.array(z.enum(API_KEY_SCOPES)).check(z.minLength(1), z.maxLength(API_KEY_SCOPES.length)),
    profile_id: z.optional(z.nullable(idSchema)),
    /** When absent or null, the key does not expire. */
    expires_in_days: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(3_650)))),
    password: passwordSchema,
  }),
  reply: z.extend(apiKeySchema, {
    /** The API key itself. Only this reply contains the key, because the server stores only its hash. */
    token: z.string(),
  }),
  errorStatuses: [409],
  summary: 'Creates an API key',
})
export const revokeApiKey = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'DELETE',
  path: '/auth/api-keys/{id}',
  params: idParamsSchema,
  body: z.strictObject(adultProofFields),
  summary: 'Revokes an API key',
})
