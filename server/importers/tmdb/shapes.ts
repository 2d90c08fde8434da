/** What is read of TMDB's answers (https://developer.themoviedb.org/reference). Fields it leaves out or empties are absent. */
import * as z from 'zod/mini'

const text = z.nullish(z.string())
const number = z.nullish(z.number())
const list = <T extends z.core.$ZodType>(item: T) => z.nullish(z.array(item))
const page = <T extends z.core.$ZodType>(item: T) => z.nullish(z.object({ results: list(item) }))

const genre = z.object({ id: z.int(), name: text })
const image = z.object({ file_path: text, iso_639_1: text, vote_average: number })
const castMember = z.object({
  id: z.int(),
  name: text,
  profile_path: text,
  order: number,
  character: text,
  roles: list(z.object({ character: text })),
})
const crewMember = z.object({
  id: z.int(),
  name: text,
  profile_path: text,
  job: text,
  jobs: list(z.object({ job: text })),
})
const credits = z.nullish(z.object({ cast: list(castMember), crew: list(crewMember) }))
const alternative = z.object({ iso_3166_1: text, title: text })
const keyword = z.object({ name: text })

const media = {
  id: z.int(),
  adult: z.nullish(z.boolean()),
  original_language: text,
  overview: text,
  tagline: text,
  poster_path: text,
  backdrop_path: text,
  vote_average: number,
  vote_count: number,
  genres: list(genre),
  external_ids: z.nullish(z.object({ imdb_id: text })),
  credits,
  images: z.nullish(z.object({ posters: list(image), backdrops: list(image) })),
  videos: page(
    z.object({ site: text, key: text, type: text, official: z.nullish(z.boolean()), iso_639_1: text }),
  ),
  translations: z.nullish(
    z.object({
      translations: list(
        z.object({
          iso_3166_1: text,
          iso_639_1: text,
          data: z.nullish(z.object({ title: text, name: text, overview: text, tagline: text })),
        }),
      ),
    }),
  ),
}

export const movieShape = z.object({
  ...media,
  imdb_id: text,
  title: text,
  original_title: text,
  release_date: text,
  runtime: number,
  keywords: z.nullish(z.object({ keywords: list(keyword) })),
  alternative_titles: z.nullish(z.object({ titles: list(alternative) })),
  release_dates: page(z.object({ iso_3166_1: text, release_dates: list(z.object({ certification: text })) })),
})
export type Movie = z.infer<typeof movieShape>

export const seriesShape = z.object({
  ...media,
  name: text,
  original_name: text,
  first_air_date: text,
  episode_run_time: list(z.number()),
  status: text,
  created_by: list(z.object({ id: z.int(), name: text, profile_path: text })),
  networks: list(z.object({ id: z.int(), name: text })),
  seasons: list(z.object({ season_number: z.int() })),
  aggregate_credits: credits,
  keywords: page(keyword),
  alternative_titles: page(alternative),
  content_ratings: page(z.object({ iso_3166_1: text, rating: text })),
})
export type Series = z.infer<typeof seriesShape>

export const seasonShape = z.object({
  season_number: z.int(),
  name: text,
  air_date: text,
  poster_path: text,
  episodes: list(
    z.object({
      episode_number: z.int(),
      name: text,
      overview: text,
      air_date: text,
      runtime: number,
      still_path: text,
    }),
  ),
})
export type Season = z.infer<typeof seasonShape>

export const personShape = z.object({
  id: z.int(),
  name: text,
  also_known_as: list(z.string()),
  biography: text,
  birthday: text,
  deathday: text,
  place_of_birth: text,
  profile_path: text,
  imdb_id: text,
  external_ids: z.nullish(z.object({ imdb_id: text })),
})
export type Person = z.infer<typeof personShape>

export const changesShape = z.object({
  results: z.array(z.object({ id: z.nullable(z.int()), adult: z.nullish(z.boolean()) })),
  page: z.int(),
  total_pages: z.int(),
})

/** A line of a daily id file. */
export const idShape = z.object({
  id: z.int(),
  popularity: number,
  adult: z.nullish(z.boolean()),
  video: z.nullish(z.boolean()),
})
