/** Small schemas that the calls share. Query values arrive as text; these turn them into what they mean. */
import * as z from 'zod/mini'

export const id = z.string().check(z.minLength(1), z.maxLength(64), z.regex(/^[A-Za-z0-9_-]+$/))
export const slug = z.string().check(z.minLength(1), z.maxLength(200), z.regex(/^[\p{L}\p{N}-]+$/u))
/** Instant, ISO 8601 UTC. */
export const instant = z.string()
/** `YYYY-MM-DD`, a day that there is. */
export const date = z.string().check(z.iso.date())
export const mediaType = z.enum(['movie', 'tv'])

export const locale = z.enum(['en', 'fr', 'ar'])

const digits = z.pipe(
  z.transform((value: number | string) =>
    typeof value === 'string' && value.trim() !== '' ? Number(value) : value,
  ),
  z.number(),
)

/** A whole number in a query, between `min` and `max`. */
export const whole = (min: number, max: number) =>
  z.pipe(digits, z.int().check(z.minimum(min), z.maximum(max)))

/** A number in a query, between `min` and `max`. */
export const decimal = (min: number, max: number) =>
  z.pipe(digits, z.number().check(z.minimum(min), z.maximum(max)))

/** `true`, `false`, `1` or `0` in a query. */
export const flag = z.pipe(
  z.transform((value: boolean | string) =>
    value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value,
  ),
  z.boolean(),
)

/** Repeated keys in a query (`a=1&a=2`); one value alone is a list of one. At most 50. */
export function many<T extends z.ZodMiniType>(item: T) {
  return z.pipe(
    z.transform((value: z.input<T> | z.input<T>[]): unknown => (Array.isArray(value) ? value : [value])),
    z.array(item).check(z.maxLength(50)),
  )
}

/** Paging of every list (Spec §9: default page 1, limit 20). */
export const paging = (limit = 20) => ({
  page: z._default(whole(1, 1_000_000), 1),
  limit: z._default(whole(1, 100), limit),
})

/** The envelope of every list. Totals are null when the caller asked for `paginate=false`. */
export function listOf<T extends z.ZodMiniType>(item: T) {
  return z.object({
    page: z.number(),
    limit: z.number(),
    total_results: z.nullable(z.number()),
    total_pages: z.nullable(z.number()),
    results: z.array(item),
  })
}

export const idParam = z.strictObject({ id })
