/** Schemas of titles, seasons, episodes and actors in replies of the API. */
import * as z from 'zod/mini'
import { GUIDE_CATEGORIES, GUIDE_SEVERITIES } from '../rules/parental-guide.ts'
import { mediaTypeSchema } from './common-schemas.ts'

export const mediaCardSchema = z.object({
  id: z.string(),
  type: mediaTypeSchema,
  slug: z.string(),
  /** Name of the title in the title language of the caller, else in English, else in the original language. */
  title: z.string(),
  /** Language of `title`, ISO 639-1. Absent if it is not known. */
  title_lang: z.optional(z.string()),
  original_title: z.string(),
  release_date: z.nullable(z.string()),
  year: z.nullable(z.number()),
  poster_path: z.nullable(z.string()),
  backdrop_path: z.nullable(z.string()),
  /** Dominant colour of the poster, `#rrggbb`. */
  color: z.nullable(z.string()),
  /** Genre ids, as in rules/genres.ts. */
  genres: z.array(z.number()),
  language: z.nullable(z.string()),
  /** Average rating from 0 to 10, with one decimal. */
  rating: z.number(),
  rating_votes: z.number(),
  /** Age rating, one of AGE_RATINGS. */
  rated: z.nullable(z.string()),
  safe_for_kids: z.boolean(),
  high_quality: z.boolean(),
  /** Whether the installation can play the title. Absent while the server does not know this. */
  available: z.optional(z.boolean()),
  /** Runtime in seconds. */
  runtime: z.nullable(z.number()),
  status: z.optional(z.nullable(z.string())),
  season_count: z.optional(z.number()),
  networks: z.optional(z.array(z.string())),
  /** Present only in lists that an administrator requests with `admin=true`. */
  published: z.optional(z.boolean()),
})
export type MediaCard = z.infer<typeof mediaCardSchema>

export const seasonSchema = z.object({
  id: z.string(),
  season_number: z.number(),
  episode_count: z.number(),
  /** Lowest and highest episode number. A season need not start with episode 1. Null for a season without episodes. */
  first_episode: z.nullable(z.number()),
  last_episode: z.nullable(z.number()),
  title: z.nullable(z.string()),
  air_date: z.nullable(z.string()),
  poster_path: z.nullable(z.string()),
})
export type Season = z.infer<typeof seasonSchema>

export const episodeSchema = z.object({
  id: z.string(),
  season_number: z.number(),
  episode_number: z.number(),
  title: z.nullable(z.string()),
  overview: z.nullable(z.string()),
  /** Language of `overview`, ISO 639-1. */
  overview_lang: z.optional(z.string()),
  air_date: z.nullable(z.string()),
  /** Runtime in seconds. */
  runtime: z.nullable(z.number()),
  still_path: z.nullable(z.string()),
  released: z.boolean(),
  /** Whether the installation can play the episode. Absent while the server does not know this. */
  available: z.optional(z.boolean()),
})
export type Episode = z.infer<typeof episodeSchema>

export const mediaDetailsSchema = z.extend(mediaCardSchema, {
  titles: z.array(z.object({ lang: z.string(), text: z.string() })),
  overview: z.nullable(z.string()),
  /** Language of `overview` and `tagline`, ISO 639-1. Absent if the title has neither. */
  overview_lang: z.optional(z.string()),
  tagline: z.nullable(z.string()),
  cast: z.array(
    z.object({
      actor_id: z.string(),
      slug: z.string(),
      name: z.string(),
      character: z.nullable(z.string()),
      profile_path: z.nullable(z.string()),
    }),
  ),
  crew: z.array(z.object({ slug: z.string(), name: z.string(), job: z.string() })),
  genres: z.array(z.object({ id: z.number(), name: z.string() })),
  parental_guide: z.array(
    z.object({ category: z.enum(GUIDE_CATEGORIES), severity: z.enum(GUIDE_SEVERITIES), votes: z.number() }),
  ),
  imdb_id: z.nullable(z.string()),
  tmdb_id: z.nullable(z.number()),
  /** URL of a trailer on another site. Null if there is none, and while a kids profile acts or is in the group. */
  trailer: z.nullable(z.string()),
  published: z.boolean(),
  seasons: z.optional(z.array(seasonSchema)),
})
export type MediaDetails = z.infer<typeof mediaDetailsSchema>

export const actorSchema = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  birthday: z.nullable(z.string()),
  deathday: z.nullable(z.string()),
  /** Age in full years; for a person who has died, the age at death. */
  age: z.nullable(z.number()),
  place_of_birth: z.nullable(z.string()),
  biography: z.nullable(z.string()),
  profile_path: z.nullable(z.string()),
})
export type Actor = z.infer<typeof actorSchema>
