/** Profiles and their locks (Spec §7, api.md §3). */
import * as z from 'zod/mini'
import { HOME_ROWS } from '../rules/home-rows.ts'
import { LIMITS, TEXT_SIZES } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { idParam, locale } from './parts.ts'

const genres = z.array(z.int().check(z.minimum(1), z.maximum(100_000))).check(z.maxLength(30))
const textSize = z.literal([...TEXT_SIZES])
const contentGenres = z.strictObject({ movie: genres, tv: genres })

const homeRow = z.strictObject({ row: z.enum(HOME_ROWS), hidden: z.boolean() })

export const profile = z.object({
  profile_id: z.string(),
  name: z.string(),
  avatar: z.number(),
  locked: z.boolean(),
  main: z.boolean(),
  kids: z.boolean(),
  /** Whether this device may act as the profile now: not locked, or unlocked here. */
  unlocked: z.boolean(),
  preferences: z.object({
    language: locale,
    content_genres: z.object({ movie: z.array(z.number()), tv: z.array(z.number()) }),
    autoplay_next: z.boolean(),
    autoplay_previews: z.boolean(),
    hide_spoilers: z.boolean(),
    /** Rows of home in the profile's order; empty: as the house has them. */
    home_rows: z.array(homeRow),
    /** Percent of the usual size. */
    text_size: textSize,
    high_contrast: z.boolean(),
    less_motion: z.boolean(),
    /** Subtitles show until the viewer says otherwise in the player. */
    captions: z.boolean(),
    /** Home with its few most used rows. */
    simple_home: z.boolean(),
  }),
})
export type Profile = z.infer<typeof profile>

const avatar = z.int().check(z.minimum(1), z.maximum(LIMITS.avatars))
/** Shape only; graphemes, controls and bidi overrides are judged by rules/profile-name.ts. */
const name = z.string().check(z.maxLength(400))
const preferences = z.strictObject({
  language: z.optional(locale),
  content_genres: z.optional(contentGenres),
  autoplay_next: z.optional(z.boolean()),
  autoplay_previews: z.optional(z.boolean()),
  hide_spoilers: z.optional(z.boolean()),
  home_rows: z.optional(z.array(homeRow).check(z.maxLength(HOME_ROWS.length))),
  text_size: z.optional(textSize),
  high_contrast: z.optional(z.boolean()),
  less_motion: z.optional(z.boolean()),
  captions: z.optional(z.boolean()),
  simple_home: z.optional(z.boolean()),
})
export const pin = z.string().check(z.regex(/^[0-9]{4}$/))
const password = z.string().check(z.minLength(1), z.maxLength(LIMITS.passwordMax))
/** What a kids-active device adds to prove that an adult is there (security.md, decision 5). */
const proof = { password: z.optional(password) }

export const listProfiles = endpoint({
  access: 'user',
  method: 'GET',
  path: '/profile',
  reply: z.object({ results: z.array(profile) }),
  summary: "The account's profiles, main first",
})
export const getProfile = endpoint({
  access: 'profile:any',
  method: 'GET',
  path: '/profile/{id}',
  params: idParam,
  reply: profile,
  summary: 'One profile',
})
export const createProfile = endpoint({
  access: 'user',
  method: 'POST',
  path: '/profile',
  status: 201,
  body: z.strictObject({
    name,
    avatar: z.optional(avatar),
    kids: z.optional(z.boolean()),
    preferences: z.optional(preferences),
    ...proof,
  }),
  reply: profile,
  summary: 'Creates a profile; the first one is the main profile',
})
export const updateProfile = endpoint({
  access: 'profile',
  method: 'PUT',
  path: '/profile/{id}',
  params: idParam,
  body: z.strictObject({
    name: z.optional(name),
    avatar: z.optional(avatar),
    kids: z.optional(z.boolean()),
    preferences: z.optional(preferences),
    ...proof,
  }),
  reply: profile,
  summary: 'Updates a profile',
})
export const deleteProfile = endpoint({
  access: 'profile:any',
  method: 'DELETE',
  path: '/profile/{id}',
  params: idParam,
  body: z.strictObject(proof),
  summary: 'Deletes a profile; a locked one needs its unlock or the password',
})
export const lockProfile = endpoint({
  access: 'profile',
  method: 'POST',
  path: '/profile/{id}/lock',
  params: idParam,
  body: z.strictObject({ pin, ...proof }),
  reply: profile,
  summary: 'Sets a PIN',
})
export const unlockProfile = endpoint({
  access: 'profile:any',
  method: 'POST',
  path: '/profile/{id}/unlock',
  params: idParam,
  body: z.strictObject({ pin }),
  reply: z.object({ unlocked_until: z.string() }),
  summary: 'Enters a locked profile on this device',
})
export const updateLock = endpoint({
  access: 'profile:any',
  method: 'PUT',
  path: '/profile/{id}/update-lock',
  params: idParam,
  body: z.strictObject({ current_pin: pin, new_pin: pin, ...proof }),
  reply: profile,
  summary: 'Changes the PIN',
})
export const removeLock = endpoint({
  access: 'profile:any',
  method: 'PUT',
  path: '/profile/{id}/remove-lock',
  params: idParam,
  body: z.strictObject({ pin: z.optional(pin), ...proof }),
  reply: profile,
  summary: 'Removes the PIN, with it or (forgotten) with the account password',
})
