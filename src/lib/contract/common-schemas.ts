/** Schemas that several contracts share. Query values are sent as text, and the query schemas convert them. */
import * as z from 'zod/mini'
import { LOCALES } from '../i18n/locales.ts'
import { LIMITS } from '../rules/limits.ts'

export const idSchema = z.string().check(z.minLength(1), z.maxLength(64), z.regex(/^[A-Za-z0-9_-]+$/))
export const slugSchema = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^[\p{L}\p{N}-]+$/u))
/**
 * Version of a list that is replaced as a whole. The server rejects the version of an older reply with 409, so that a
 * request does not undo the changes of somebody else. Without a version, the list is replaced in any case.
 */
export const listVersionSchema = z.string().check(z.minLength(1), z.maxLength(64))
/** Date and time in ISO 8601, UTC. */
export const instantSchema = z.string()
/** `YYYY-MM-DD`; rejects days that do not exist, such as 30 February. */
export const dateSchema = z.string().check(z.iso.date())
/**
 * Time at which a request is sent, by the clock of the device, which may be wrong. The server compares this time with
 * its own clock, and corrects the other times in the request by the difference.
 */
export const sentAtSchema = z.optional(z.iso.datetime())
/**
 * Times of a request that is sent again, because its first attempt got no reply, or late, because the device was
 * offline. A newer change of another device is then kept.
 */
export const repeatFields = {
  /** Time at which the first attempt failed or the device was offline, by the clock of the device. */
  first_failed_at: z.optional(z.iso.datetime()),
  sent_at: sentAtSchema,
}
export const mediaTypeSchema = z.enum(['movie', 'tv'])

export const localeSchema = z.enum(LOCALES)

/** Returns the number in a decimal text such as `-1.5`; undefined for any other text, such as `1e3` or `1.5 GB`. */
export function parseDecimal(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

const numberFromTextSchema = z.pipe(
  z.transform((value: number | string) =>
    typeof value === 'string' ? (parseDecimal(value) ?? value) : value,
  ),
  z.number(),
)

/** An integer in a query, from `min` to `max`. */
export const createIntegerQuerySchema = (min: number, max: number) =>
  z.pipe(numberFromTextSchema, z.int().check(z.minimum(min), z.maximum(max)))

/** A number in a query, from `min` to `max`. */
export const createDecimalQuerySchema = (min: number, max: number) =>
  z.pipe(numberFromTextSchema, z.number().check(z.minimum(min), z.maximum(max)))

/** A boolean in a query: `true`, `false`, `1` or `0`. */
export const booleanQuerySchema = z.pipe(
  z.transform((value: boolean | string) =>
    value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value,
  ),
  z.boolean(),
)

/** A query key that may occur up to 50 times (`a=1&a=2`). A key that occurs once becomes a list with one item. */
export function createRepeatableParameterSchema<T extends z.ZodMiniType>(itemSchema: T) {
  return z.pipe(
    z.transform((value: z.input<T> | z.input<T>[]): unknown => (Array.isArray(value) ? value : [value])),
    z.array(itemSchema).check(z.maxLength(50)),
  )
}

/** Query keys `page` and `limit` of paged lists. */
export const createPagingQueryFields = (defaultLimit = 20) => ({
  page: z._default(createIntegerQuerySchema(1, 1_000_000), 1),
  limit: z._default(createIntegerQuerySchema(1, 100), defaultLimit),
})

/** The reply of every paged list. Totals are null when the caller requested `paginate=false`. */
export function createPagedReplySchema<T extends z.ZodMiniType>(itemSchema: T) {
  return z.object({
    page: z.number(),
    limit: z.number(),
    total_results: z.nullable(z.number()),
    total_pages: z.nullable(z.number()),
    results: z.array(itemSchema),
  })
}

export const passwordSchema = z.string().check(z.minLength(1), z.maxLength(LIMITS.passwordMax))
/**
 * Body field of endpoints with `proof: 'adult'`: the account password. The field can be absent while an adult profile
 * acts, and when the account has neither a kids profile nor a PIN.
 */
export const adultProofFields = { password: z.optional(passwordSchema) }

export const idParamsSchema = z.strictObject({ id: idSchema })
/** A profile and a title in the path: `/profile/{id}/.../{type}/{mediaId}`. */
export const titleParamsSchema = z.strictObject({ id: idSchema, type: mediaTypeSchema, mediaId: idSchema })
