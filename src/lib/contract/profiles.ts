/** Profiles and their PIN locks. */
import * as z from 'zod/mini'
import { HOME_ROWS } from '../rules/home-rows.ts'
import { AVATAR_COUNT, MAX_PROFILE_NAME_GRAPHEMES, TEXT_SIZES_PERCENT } from '../rules/limits.ts'
import { PROOF_EXEMPT_SETTINGS } from '../rules/own-settings.ts'
import { MEDIA_TITLE_LANGUAGES } from '../rules/title-options.ts'
import {
  adultProofFields,
  idParamsSchema,
  idSchema,
  localeSchema,
  maxCharacters,
  passwordSchema,
  visibleTextRules,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { profileLimitsFields } from './profile-limits.ts'

const genreIdsSchema = z.array(z.int().check(z.minimum(1), z.maximum(100_000))).check(z.maxLength(30))
const textSizeSchema = z.literal([...TEXT_SIZES_PERCENT])
const mediaTitleLanguageSchema = z.enum(MEDIA_TITLE_LANGUAGES)
const contentGenresSchema = z.strictObject({ movie: genreIdsSchema, tv: genreIdsSchema })

const homeRowSchema = z.strictObject({ row: z.enum(HOME_ROWS), hidden: z.boolean() })

export const profileSchema = z.object({
  profile_id: z.string(),
  name: z.string(),
  avatar: z.number(),
  locked: z.boolean(),
  main: z.boolean(),
  kids: z.boolean(),
  /**
   * True when entering this profile needs the exit PIN of the account, because a restricted profile is chosen on this
   * device.
   */
  needs_exit_pin: z.boolean(),
  /** Whether the profile may ask to watch titles outside its audience. */
  may_ask: z.boolean(),
  /** Whether the browser speaks the name of the focused element. */
  spoken_labels: z.boolean(),
  /**
   * True for a kids profile, and for every other profile with limits except the main profile. Such a profile does not
   * prove that an adult uses the device.
   */
  restricted: z.boolean(),
  /**
   * Text that changes whenever the kids flag, a limit or a title rule of the profile changes. Clients discard the
   * cached data of the profile when the text differs from an earlier value.
   */
  audience: z.string(),
  /** False while this device must not act as the profile, because its PIN or the exit PIN must be entered first. */
  unlocked: z.boolean(),
  preferences: z.object({
    language: localeSchema,
    content_genres: z.object({ movie: z.array(z.number()), tv: z.array(z.number()) }),
    autoplay_next: z.boolean(),
    autoplay_previews: z.boolean(),
    hide_spoilers: z.boolean(),
    /** Rows of the home page in the order of the profile; empty means the default order. */
    home_rows: z.array(homeRowSchema),
    /** Text size in percent of the default size. */
    text_size: textSizeSchema,
    high_contrast: z.boolean(),
    less_motion: z.boolean(),
    /** True when subtitles are on by default. The viewer can turn them off in the player. */
    captions: z.boolean(),
    /** True when the home page shows only its most used rows. */
    simple_home: z.boolean(),
    /**
     * Language of the names of titles. Absent until the profile chooses one. Until then, the language of the profile
     * applies, or the title language of the account if profile and account have the same interface language.
     */
    media_title_language: z.optional(mediaTitleLanguageSchema),
  }),
})
export type Profile = z.infer<typeof profileSchema>

const avatarSchema = z.int().check(z.minimum(1), z.maximum(AVATAR_COUNT))
/**
 * Limits only the number of characters. rules/profile-name.ts checks the number of graphemes and rejects control
 * characters.
 */
const nameSchema = z
  .string()
  .check(maxCharacters(400))
  .register(z.globalRegistry, {
    ...visibleTextRules,
    maxLength: MAX_PROFILE_NAME_GRAPHEMES,
    description: `At most ${MAX_PROFILE_NAME_GRAPHEMES} graphemes. A grapheme can have several characters; up to 400 characters are accepted.`,
  })
const preferencesSchema = z.strictObject({
  language: z.optional(localeSchema),
  content_genres: z.optional(contentGenresSchema),
  autoplay_next: z.optional(z.boolean()),
  autoplay_previews: z.optional(z.boolean()),
  hide_spoilers: z.optional(z.boolean()),
  home_rows: z.optional(z.array(homeRowSchema).check(z.maxLength(HOME_ROWS.length))),
  text_size: z.optional(textSizeSchema),
  high_contrast: z.optional(z.boolean()),
  less_motion: z.optional(z.boolean()),
  captions: z.optional(z.boolean()),
  simple_home: z.optional(z.boolean()),
  media_title_language: z.optional(mediaTitleLanguageSchema),
})
export const pinSchema = z.string().check(z.regex(/^[0-9]{4}$/))
/**
 * PIN that proves that a parent uses a device on which another profile acts. It is the PIN of the main profile or, if
 * the main profile has none, the exit PIN of the account.
 */
export const parentPinSchema = z.optional(pinSchema)

export const listProfiles = defineEndpoint({
  access: 'user',
  scope: 'tracking:read',
  method: 'GET',
  path: '/profile',
  reply: z.object({
    results: z.array(profileSchema),
    /** Ids of the profiles that watch together on this device, the acting profile first; empty without a group. */
    group: z.array(z.string()),
    /** True when the account has an exit PIN, which is needed to leave a restricted profile for one without a PIN. */
    has_exit_pin: z.boolean(),
  }),
  summary:
    'Lists the profiles of the account, main profile first, and those that watch together on this device',
})
export const leaveProfile = defineEndpoint({
  access: 'user',
  method: 'POST',
  path: '/profile/leave',
  summary:
    'Ends the unlock of this device and leaves its acting profile; the profile picker calls it when it opens',
})
export const getProfile = defineEndpoint({
  access: 'profile:any',
  method: 'GET',
  path: '/profile/{id}',
  params: idParamsSchema,
  reply: profileSchema,
  summary: 'Returns a profile',
})
export const createProfile = defineEndpoint({
  access: 'user',
  proof: 'adult',
  method: 'POST',
  path: '/profile',
  status: 201,
  body: z.strictObject({
    /** Chosen by the client. A repeated call with the same key changes the profile that the first call created. */
    key: z.optional(idSchema),
    name: nameSchema,
    avatar: z.optional(avatarSchema),
    kids: z.optional(z.boolean()),
    preferences: z.optional(preferencesSchema),
    /**
     * Limits that apply from the creation of the profile on. Like a call of `updateProfileLimits`, a call with limits
     * needs the main profile to act, or the account password in the body.
     */
    limits: z.optional(z.strictObject(profileLimitsFields)),
    ...adultProofFields,
  }),
  reply: profileSchema,
  errorStatuses: [409],
  summary: 'Creates a profile; the first profile becomes the main profile',
})
export const updateProfile = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  proofExemptFields: PROOF_EXEMPT_SETTINGS,
  method: 'PUT',
  path: '/profile/{id}',
  params: idParamsSchema,
  body: z.strictObject({
    name: z.optional(nameSchema),
    avatar: z.optional(avatarSchema),
    kids: z.optional(z.boolean()),
    preferences: z.optional(preferencesSchema),
    ...adultProofFields,
  }),
  reply: profileSchema,
  summary: 'Updates a profile',
})
export const deleteProfile = defineEndpoint({
  access: 'profile:any',
  proof: 'adult',
  method: 'DELETE',
  path: '/profile/{id}',
  params: idParamsSchema,
  body: z.strictObject(adultProofFields),
  errorStatuses: [409],
  summary: 'Deletes a profile; a locked profile must be unlocked first, or the account password given',
})
export const setProfilePin = defineEndpoint({
  access: 'profile',
  proof: 'adult',
  method: 'POST',
  path: '/profile/{id}/lock',
  params: idParamsSchema,
  body: z.strictObject({ pin: pinSchema, ...adultProofFields }),
  reply: profileSchema,
  errorStatuses: [409],
  summary: 'Sets the PIN of a profile',
})
export const unlockProfile = defineEndpoint({
  access: 'profile:any',
  method: 'POST',
  path: '/profile/{id}/unlock',
  params: idParamsSchema,
  body: z.strictObject({ pin: z.optional(pinSchema), password: z.optional(passwordSchema) }),
  reply: z.object({ unlocked_until: z.string() }),
  summary:
    'Unlocks a profile on this device with its PIN or the account password, and makes it the acting profile; other unlocks of the device end',
})
export const updateProfilePin = defineEndpoint({
  access: 'profile:any',
  proof: 'adult',
  method: 'PUT',
  path: '/profile/{id}/update-lock',
  params: idParamsSchema,
  body: z.strictObject({ current_pin: pinSchema, new_pin: pinSchema, ...adultProofFields }),
  reply: profileSchema,
  errorStatuses: [409],
  summary: 'Changes the PIN of a profile',
})
export const removeProfilePin = defineEndpoint({
  access: 'profile:any',
  proof: 'adult',
  method: 'PUT',
  path: '/profile/{id}/remove-lock',
  params: idParamsSchema,
  body: z.strictObject({ pin: z.optional(pinSchema), ...adultProofFields }),
  reply: profileSchema,
  errorStatuses: [409],
  summary: 'Removes the PIN of a profile; requires the PIN or the account password',
})
