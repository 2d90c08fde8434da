/** Parses fields of the responses of media servers, which are untrusted input. */

import * as z from 'zod/mini'
import { MAX_INT32 } from '../../../src/lib/rules/title-ranges.ts'
import { toStorableText } from '../../core/storable-text.ts'
import type { ProviderIds } from './media-server.ts'

const MAX_TEXT_LENGTH = 500

/**
 * A text, cut at 500 characters and with spaces for control characters; undefined for a missing field, and null for a
 * value that is not a text.
 */
export const textOrNull = z.catch(
  z.nullish(
    z.pipe(
      z.string(),
      z.transform((text: string) => toStorableText(text, MAX_TEXT_LENGTH)),
    ),
  ),
  null,
)
/** Id of an item or of one of its files. It is stored, and sent back to the server, so it is never changed. */
export const remoteIdSchema = z
  .string()
  .check(z.minLength(1), z.maxLength(100), z.regex(/^[^\p{Cc}\p{Cs}]+$/u))
/**
 * A year or the number of a season or an episode; undefined for a missing field, and null for any other value and for a
 * number that the database cannot store.
 */
export const partNumberOrNull = z.catch(z.nullish(z.int().check(z.gte(0), z.lte(MAX_INT32))), null)
/** A finite number; undefined for a missing field, and null for a value that is not a number. */
export const numberOrNull = z.catch(z.nullish(z.number()), null)
export const flagOrNull = z.catch(z.nullish(z.union([z.boolean(), z.number()])), null)

const parseImdbId = (id: unknown): string | null =>
  typeof id === 'string' && /^tt\d{7,10}$/.test(id) ? id : null

function parseNumericId(id: unknown): number | null {
  const numericId = Number(id)
  return Number.isInteger(numericId) && numericId > 0 && numericId <= MAX_INT32 ? numericId : null
}

/**
 * Returns the ids of an item in public databases, null for a missing or invalid id. The keys of the map are `imdb`,
 * `tmdb` and `tvdb`.
 */
export const toProviderIds = (idsByProvider: ReadonlyMap<string, unknown>): ProviderIds => ({
  imdbId: parseImdbId(idsByProvider.get('imdb')),
  tmdbId: parseNumericId(idsByProvider.get('tmdb')),
  tvdbId: parseNumericId(idsByProvider.get('tvdb')),
})

/** Returns the numbers of a version such as `10.8.13`, from left to right; 0 for a part that is not a number. */
export const parseVersion = (version: string): number[] =>
  version.split('.').map((part) => Number.parseInt(part, 10) || 0)
