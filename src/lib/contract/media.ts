/** What a title looks like on the wire (api.md, section 3). */
import * as z from 'zod/mini'
import { GUIDE_CATEGORIES, SEVERITIES } from '../rules/limits.ts'
import { mediaType } from './parts.ts'

export const mediaCard = z.object({
  id: z.string(),
  type: mediaType,
  slug: z.string(),
  /** In the caller's title language, else English, else the original. */
  title: z.string(),
  original_title: z.string(),
  release_date: z.nullable(z.string()),
  year: z.nullable(z.number()),
  poster_path: z.nullable(z.string()),
  backdrop_path: z.nullable(z.string()),
  /** `#rrggbb`, the poster's dominant colour. */
  color: z.nullable(z.string()),
  genres: z.array(z.number()),
  language: z.nullable(z.string()),
  /** 0 to 10, one decimal. */
  rating: z.number(),
  rating_votes: z.number(),
  /** Age rating, one of the filter's choices. */
  rated: z.nullable(z.string()),
  safe_for_kids: z.boolean(),
  high_quality: z.boolean(),
  /** Seconds. */
  runtime: z.nullable(z.number()),
  status: z.optional(z.nullable(z.string())),
  season_count: z.optional(z.number()),
  networks: z.optional(z.array(z.string())),
  /** Only in lists that an administrator asks for with `admin=true`. */
  published: z.optional(z.boolean()),
})
export type MediaCard = z.infer<typeof mediaCard>

export const season = z.object({
  id: z.string(),
  season_number: z.number(),
  episode_count: z.number(),
  title: z.nullable(z.string()),
  air_date: z.nullable(z.string()),
  poster_path: z.nullable(z.string()),
})
export type Season = z.infer<typeof season>

export const episode = z.object({
  id: z.string(),
  season_number: z.number(),
  episode_number: z.number(),
  title: z.nullable(z.string()),
  overview: z.nullable(z.string()),
  air_date: z.nullable(z.string()),
  /** Seconds. */
  runtime: z.nullable(z.number()),
  still_path: z.nullable(z.string()),
  released: z.boolean(),
})
export type Episode = z.infer<typeof episode>

export const mediaDetails = z.extend(mediaCard, {
  titles: z.array(z.object({ lang: z.string(), text: z.string() })),
  overview: z.nullable(z.string()),
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
  crew: z.array(z.object({ name: z.string(), job: z.string() })),
  genres: z.array(z.object({ id: z.number(), name: z.string() })),
  parental_guide: z.array(
    z.object({ category: z.enum(GUIDE_CATEGORIES), severity: z.enum(SEVERITIES), votes: z.number() }),
  ),
  imdb_id: z.nullable(z.string()),
  tmdb_id: z.nullable(z.number()),
  /** Address of a trailer, if one is known. */
  trailer: z.nullable(z.string()),
  published: z.boolean(),
  seasons: z.optional(z.array(season)),
})
export type MediaDetails = z.infer<typeof mediaDetails>

export const actor = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  birthday: z.nullable(z.string()),
  deathday: z.nullable(z.string()),
  /** Full years, at death if dead. */
  age: z.nullable(z.number()),
  place_of_birth: z.nullable(z.string()),
  biography: z.nullable(z.string()),
  profile_path: z.nullable(z.string()),
})
export type Actor = z.infer<typeof actor>
