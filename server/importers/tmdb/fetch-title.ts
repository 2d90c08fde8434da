/** One title, or one person, with all that hangs on it. */
import * as z from 'zod/mini'
import type { PersonRecord, TitleRecord } from '../../queries/title-record.ts'
import type { Item } from './checkpoint.ts'
import type { TmdbClient } from './client.ts'
import { movieRecord, personRecord, seriesRecord } from './records.ts'
import { movieShape, personShape, type Season, seasonShape, seriesShape } from './shapes.ts'

const ALIKE = 'external_ids,translations,keywords,images,videos,alternative_titles'
const MOVIE = { append_to_response: `${ALIKE},credits,release_dates` }
const SERIES = { append_to_response: `${ALIKE},aggregate_credits,content_ratings` }
const LANGUAGE = { language: 'en-US', include_image_language: 'en,null' }

type Answer<T> = { record: T } | { skip: string }

const GONE = { skip: 'TMDB has it no more' }
const ODD = { skip: 'the answer is not what TMDB documents' }
const NAMELESS = { skip: 'has no name' }
const ADULT = { skip: 'is for adults' }

/** Throws `TmdbError` when TMDB cannot be reached; a title that cannot be read is skipped. */
export async function fetchTitle(client: TmdbClient, { kind, id }: Item): Promise<Answer<TitleRecord>> {
  return kind === 'movie' ? fetchMovie(client, id) : fetchSeries(client, id)
}

async function fetchMovie(client: TmdbClient, id: number): Promise<Answer<TitleRecord>> {
  const body = await client.get(`/movie/${id}`, { ...LANGUAGE, ...MOVIE })
  if (body === null) return GONE
  const movie = z.safeParse(movieShape, body)
  if (!movie.success) return ODD
  if (movie.data.adult) return ADULT
  const record = movieRecord(movie.data)
  return record ? { record } : NAMELESS
}

async function fetchSeries(client: TmdbClient, id: number): Promise<Answer<TitleRecord>> {
  const body = await client.get(`/tv/${id}`, { ...LANGUAGE, ...SERIES })
  if (body === null) return GONE
  const series = z.safeParse(seriesShape, body)
  if (!series.success) return ODD
  if (series.data.adult) return ADULT
  const seasons: Season[] = []
  for (const { season_number } of series.data.seasons ?? []) {
    const answer = await client.get(`/tv/${id}/season/${season_number}`, { language: LANGUAGE.language })
    if (answer === null) continue
    const season = z.safeParse(seasonShape, answer)
    if (!season.success) return ODD
    seasons.push(season.data)
  }
  const record = seriesRecord(series.data, seasons)
  return record ? { record } : NAMELESS
}

export async function fetchPerson(client: TmdbClient, id: number): Promise<Answer<PersonRecord>> {
  const query = { language: LANGUAGE.language, append_to_response: 'external_ids' }
  const body = await client.get(`/person/${id}`, query)
  if (body === null) return GONE
  const person = z.safeParse(personShape, body)
  if (!person.success) return ODD
  const record = personRecord(person.data)
  return record ? { record } : NAMELESS
}
