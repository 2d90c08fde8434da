/** Schemas that several contracts share. Query values are sent as text, and the query schemas convert them. */
import * as z from 'zod/mini'
import { LOCALES } from '../i18n/locales.ts'
import { countCharacters } from '../rules/count-characters.ts'
import { PASSWORD_MAX_LENGTH } from '../rules/limits.ts'
import { FORBIDDEN_CHARACTERS, isVisibleText } from '../rules/profile-name.ts'

/**
 * Limits the length of a text in characters (code points), as `maxLength` of JSON Schema does. `z.maxLength` counts
 * UTF-16 code units and would reject a text that the API reference allows.
 */
export function maxCharacters(maximum: number) {
  const lengthCheck = z.maxLength(maximum)
  const checkCodeUnits = lengthCheck._zod.check
  lengthCheck._zod.check = (payload) => {
    const text = String(payload.value)
    if (text.length > 2 * maximum || countCharacters(text) > maximum) checkCodeUnits(payload)
  }
  return lengthCheck
}

/**
 * `FORBIDDEN_CHARACTERS` without the brackets. Escapes that only JavaScript knows are replaced, because clients in
 * other languages also read the patterns of the API reference.
 */
const forbiddenCharacters = FORBIDDEN_CHARACTERS.source
  .slice(1, -1)
  .replace('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f')
  .replace(/\\u\{(\w+)\}/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
/** Rules of `isDisplayable` for the API reference. The text is trimmed before the check. */
export const displayableTextRules = { pattern: `^\\s*[^${forbiddenCharacters}]*\\s*$` }
/**
 * The most usual characters that `INVISIBLE_CHARACTERS` matches. A pattern with all combining marks would have
 * thousands of characters.
 */
const invisibleCharacters =
  '\\u00ad\\u061c\\u115f\\u1160\\u180e\\u200b-\\u200f\\u2060-\\u2065\\u2800\\u3164\\ufeff\\uffa0'
/**
 * Rules of `validateVisibleText` for the API reference. `validateVisibleText` also rejects a text that consists only of
 * combining marks, which this pattern accepts.
 */
export const visibleTextRules = {
  pattern: `^\\s*[^${forbiddenCharacters}]*[^\\s${invisibleCharacters}${forbiddenCharacters}][^${forbiddenCharacters}]*\\s*$`,
}
/** A trimmed text on one line, with visible characters. */
export const createVisibleTextSchema = (maximumLength: number) =>
  z
    .string()
    .check(z.trim(), z.minLength(1), maxCharacters(maximumLength), z.refine(isVisibleText))
    .register(z.globalRegistry, visibleTextRules)
/** Rules of `validateListDescription` for the API reference. */
export const multilineTextRules = { pattern: `^\\s*(?:[^${forbiddenCharacters}]|\\n)*\\s*$` }

export const idSchema = z.string().check(z.minLength(1), maxCharacters(64), z.regex(/^[A-Za-z0-9_-]+$/))
export const slugSchema = z.string().check(z.minLength(1), maxCharacters(200), z.regex(/^[\p{L}\p{N}-]+$/u))
/**
 * Version of a list that is replaced as a whole. The server rejects the version of an older reply with 409, so that a
 * request does not undo the changes of somebody else. Without a version, the list is replaced in any case.
 */
export const listVersionSchema = z.string().check(z.minLength(1), maxCharacters(64))
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
 * Times of a request that is sent again because its first attempt got no reply, or that is sent late because the device
 * was offline. The server compares these times with the stored data, and keeps a newer change of another device.
 */
export const repeatFields = {
  /** Time at which the first attempt failed, or at which the change was made offline, by the clock of the device. */
  first_failed_at: z.optional(z.iso.datetime()),
  sent_at: sentAtSchema,
}
export const mediaTypeSchema = z.enum(['movie', 'tv'])

export const localeSchema = z.enum(LOCALES)

/** Returns the number in a decimal text such as `-1.5`; undefined for any other text, such as `1e3` or `1.5 GB`. */
export function parseDecimal(text: string): number | undefined {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** Like `parseDecimal`, but also accepts an exponent, because API clients write 0.0000001 as `1e-7`. */
const parseJsonNumber = (text: string): number | undefined =>
  /^-?\d+(\.\d+)?(e[-+]?\d+)?$/i.test(text) ? Number(text) : undefined

const createNumberFromTextSchema = (parseNumber: (text: string) => number | undefined) =>
  z.pipe(
    z.transform((value: number | string) =>
      typeof value === 'string' ? (parseNumber(value) ?? value) : value,
    ),
    z.number(),
  )

/** An integer in a query, from `min` to `max`. */
export const createIntegerQuerySchema = (min: number, max: number) =>
  z.pipe(createNumberFromTextSchema(parseDecimal), z.int().check(z.minimum(min), z.maximum(max)))

/** A number in a query, from `min` to `max`. */
export const createDecimalQuerySchema = (min: number, max: number) =>
  z.pipe(createNumberFromTextSchema(parseJsonNumber), z.number().check(z.minimum(min), z.maximum(max)))

/** A boolean in a query: `true`, `false`, `1` or `0`. */
export const booleanQuerySchema = z
  .pipe(
    z.transform((value: boolean | string) =>
      value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value,
    ),
    z.boolean(),
  )
  .register(z.globalRegistry, { type: ['boolean', 'integer'], enum: [true, false, 1, 0] })

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
    page: z.int(),
    limit: z.int(),
    total_results: z.nullable(z.int()),
    total_pages: z.nullable(z.int()),
    results: z.array(itemSchema),
  })
}

export const passwordSchema = z.string().check(z.minLength(1), maxCharacters(PASSWORD_MAX_LENGTH))
/**
 * Body field of endpoints with `proof: 'adult'`: the account password. The field can be absent while an
 * unrestricted profile acts without a restricted profile in its group, and when the account has neither a restricted
 * profile nor a PIN.
 */
export const adultProofFields = { password: z.optional(passwordSchema) }

export const idParamsSchema = z.strictObject({ id: idSchema })
/** A profile and a title in the path: `/profile/{id}/.../{type}/{mediaId}`. */
export const titleParamsSchema = z.strictObject({ id: idSchema, type: mediaTypeSchema, mediaId: idSchema })
