/** Sign-up, sign-in and sign-out, and the signed-in user. */
import * as z from 'zod/mini'
import { MEDIA_QUALITIES, PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../rules/limits.ts'
import { isDisplayable } from '../rules/profile-name.ts'
import {
  adultProofFields,
  displayableTextRules,
  localeSchema,
  maxCharacters,
  passwordSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { homeStartRequestSchema, homeStartSchema } from './home-start.ts'
import { playbackRequestSchema, playbackStartSchema } from './playback.ts'

export const roleSchema = z.enum(['admin', 'user'])
export type AccountRole = z.infer<typeof roleSchema>
export const emailSchema = z.string().check(z.trim(), z.toLowerCase(), maxCharacters(254), z.email())
/**
 * Checks only the maximum length of a new password. The server also checks the rules of rules/password.ts, and replies
 * with a code for each rule that is not met. The API reference gets these rules from the metadata of this schema.
 */
export const newPasswordSchema = z
  .string()
  .check(maxCharacters(PASSWORD_MAX_LENGTH))
  .register(z.globalRegistry, {
    minLength: PASSWORD_MIN_LENGTH,
    pattern: '^(?=[\\s\\S]*\\p{Nd})(?=[\\s\\S]*\\p{Ll})(?=[\\s\\S]*\\p{Lu})[^\\u0000]*$',
    description: 'Contains a digit, a lowercase and an uppercase letter.',
  })
export const deviceNameSchema = z.optional(
  z
    .string()
    .check(z.trim(), maxCharacters(80), z.refine(isDisplayable))
    .register(z.globalRegistry, displayableTextRules),
)

export const userSchema = z.object({
  user_id: z.string(),
  /**
   * Email address of the account. Null in two cases: a restricted profile acts or is in the group, or no profile acts
   * while the account has a restricted profile or a profile with a PIN.
   */
  email: z.nullable(z.string()),
  role: roleSchema,
  onboarded: z.boolean(),
  created_at: z.string(),
  preferences: z.object({
    interface_language: localeSchema,
    title_language: z.string(),
    media_quality: z.enum(MEDIA_QUALITIES),
  }),
})
export type User = z.infer<typeof userSchema>

export const tokensSchema = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Lifetime of the access token in seconds. */
  expires_in: z.number(),
  user: userSchema,
})
export type AuthTokens = z.infer<typeof tokensSchema>

/** Reply to a sign-in with a password or an identity provider, when the account has a second factor. */
export const secondFactorNeededSchema = z.object({
  /** Single-use secret for `POST /auth/login/second-factor`. */
  sign_in_token: z.string(),
  /** Lifetime of the secret in seconds. */
  expires_in: z.number(),
})
export type SecondFactorNeeded = z.infer<typeof secondFactorNeededSchema>

export const registerUser = defineEndpoint({
  access: 'invitation',
  method: 'POST',
  path: '/auth/register',
  status: 201,
  body: z.strictObject({ email: emailSchema, password: newPasswordSchema, device_name: deviceNameSchema }),
  reply: tokensSchema,
  errorStatuses: [409],
  summary: 'Creates an account with an invitation',
})
export const loginUser = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/login',
  body: z.strictObject({
    email: z.string().check(z.trim(), z.toLowerCase(), maxCharacters(254)),
    password: passwordSchema,
    device_name: deviceNameSchema,
  }),
  /** Contains no tokens when the account has a second factor: the client then calls `completeSignIn`. */
  reply: z.union([tokensSchema, secondFactorNeededSchema]),
  errorStatuses: [401],
  summary: 'Signs in; an account with a second factor gets a token for the second step',
})
export const refreshTokens = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/refresh',
  body: z.strictObject({
    refresh_token: z.optional(z.string().check(maxCharacters(200))),
    watch: z.optional(playbackRequestSchema),
    home: z.optional(homeStartRequestSchema),
  }),
  /**
   * `watch` and `home` are absent when they were not requested, when loading them takes too long, and when loading them
   * fails, for example because no profile acts. The page then requests the data itself.
   */
  reply: z.extend(tokensSchema, {
    watch: z.optional(playbackStartSchema),
    home: z.optional(homeStartSchema),
  }),
  errorStatuses: [401],
  summary:
    'Issues a new access token for the refresh cookie; on request, with the data that the player or the home page starts with',
})
export const logoutUser = defineEndpoint({
  access: 'public',
  method: 'POST',
  path: '/auth/logout',
  body: z.strictObject({ refresh_token: z.optional(z.string().check(maxCharacters(200))) }),
  errorStatuses: [401],
  summary: 'Signs this device out',
})
export const getCurrentUser = defineEndpoint({
  access: 'user',
  method: 'GET',
  path: '/auth/me',
  reply: userSchema,
  summary: 'Returns the signed-in user',
})

export const updateUser = defineEndpoint({
  access: 'user',
  proof: 'adult',
  stepUp: ['user_id', 'role', 'blocked'],
  method: 'PUT',
  path: '/auth/user',
  body: z.strictObject({
    onboarded: z.optional(z.boolean()),
    preferences: z.optional(
      z.strictObject({
        interface_language: z.optional(localeSchema),
        title_language: z.optional(z.string().check(z.regex(/^[a-z]{2}$/))),
        media_quality: z.optional(z.enum(MEDIA_QUALITIES)),
      }),
    ),
    /**
     * Account to change; the account of the caller if absent. Only administrators may send `user_id`, `role` and
     * `blocked`.
     */
    user_id: z.optional(z.string().check(maxCharacters(64))),
    role: z.optional(roleSchema),
    blocked: z.optional(z.boolean()),
    ...adultProofFields,
  }),
  reply: userSchema,
  errorStatuses: [409],
  summary:
    'Updates the account of the caller; an administrator can change the role and block of another account',
})
