/** Administration of titles. With `admin=true`, `GET /movies` and `GET /series` list the titles for administrators. */

import * as z from 'zod/mini'
import { GUIDE_CATEGORIES, GUIDE_SEVERITIES } from '../rules/parental-guide.ts'
import { TITLE_FIELDS } from '../rules/title-fields.ts'
import { AGE_RATINGS } from '../rules/title-options.ts'
import { MAX_INT32 } from '../rules/title-ranges.ts'
import {
  booleanQuerySchema,
  createIntegerQuerySchema,
  createPagedReplySchema,
  idParamsSchema,
  idSchema,
  localeSchema,
  maxCharacters,
  mediaTypeSchema,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

/** Ids of the titles that one request changes. */
const titleIdsSchema = z.array(idSchema).check(z.minLength(1), z.maxLength(100))
const parentalGuideSchema = z.array(
  z.strictObject({
    category: z.enum(GUIDE_CATEGORIES),
    severity: z.enum(GUIDE_SEVERITIES),
    votes: z._default(z.int().check(z.minimum(0), z.maximum(1_000_000_000)), 0),
  }),
)

/** A text in each language of the interface; null for languages without a text. */
const localisedTextsSchema = z.array(z.object({ lang: localeSchema, text: z.nullable(z.string()) }))
const createTextChangesSchema = (maxLength: number) =>
  z
    .array(
      z.strictObject({ lang: localeSchema, text: z.nullable(z.string().check(maxCharacters(maxLength))) }),
    )
    .check(z.maxLength(20))
const trailerSchema = z
  .string()
  .check(maxCharacters(300), z.regex(/^https:\/\/[\w.-]+\.[a-z]{2,}\/[\x21-\x7e]*$/))

export const adminTitleSchema = z.object({
  id: z.string(),
  type: mediaTypeSchema,
  slug: z.string(),
  title: z.string(),
  original_title: z.string(),
  year: z.nullable(z.number()),
  imdb_id: z.nullable(z.string()),
  tmdb_id: z.nullable(z.number()),
  titles: localisedTextsSchema,
  overviews: localisedTextsSchema,
  genres: z.array(z.number()),
  /** Age rating of the title; null when it has none. */
  rated: z.nullable(z.string()),
  /** URL of a trailer. */
  trailer: z.nullable(z.string()),
  poster_path: z.nullable(z.string()),
  published: z.boolean(),
  /** True when an entry of the block list applies to the title. */
  blocked: z.boolean(),
  safe_for_kids: z.boolean(),
  parental_guide: z.array(
    z.object({ category: z.enum(GUIDE_CATEGORIES), severity: z.enum(GUIDE_SEVERITIES), votes: z.number() }),
  ),
  /** Fields that an administrator has set. Imports do not overwrite these fields. */
  edited: z.array(z.enum(TITLE_FIELDS)),
  /** True when the server can fetch the data of the title from TMDB again. */
  can_refresh: z.boolean(),
  /** Importer that added the title: `demo`, `imdb` or `tmdb`; `file` when an administrator added it for a file. */
  source: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** For a deleted title, the time until which it can be restored; else null. */
  restorable_until: z.nullable(z.string()),
})
export type AdminTitle = z.infer<typeof adminTitleSchema>

export const getAdminTitle = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/titles/{id}',
  params: idParamsSchema,
  reply: adminTitleSchema,
  summary: 'Returns a title for administrators, including hidden, blocked and recently deleted titles',
})
export const updateTitle = defineEndpoint({
  access: 'admin',
  method: 'PUT',
  path: '/admin/titles/{id}',
  params: idParamsSchema,
  body: z.strictObject({
    published: z.optional(z.boolean()),
    /** A null text removes the translation. */
    titles: z.optional(createTextChangesSchema(500)),
    overviews: z.optional(createTextChangesSchema(20_000)),
    /** `path` of a poster from `listTitlePosters`; null for the poster that the server generates. */
    poster: z.optional(z.nullable(z.string().check(maxCharacters(300)))),
    trailer: z.optional(z.nullable(trailerSchema)),
    imdb_id: z.optional(z.nullable(z.string().check(z.regex(/^tt\d{7,10}$/)))),
    tmdb_id: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_INT32)))),
    genres: z.optional(z.array(z.int()).check(z.maxLength(20))),
    rated: z.optional(z.nullable(z.enum(AGE_RATINGS))),
    safe_for_kids: z.optional(z.boolean()),
    /** Replaces the whole guide; at most one entry per category. */
    parental_guide: z.optional(parentalGuideSchema.check(z.maxLength(GUIDE_CATEGORIES.length))),
  }),
  reply: adminTitleSchema,
  /** Enough for the longest overview in each language. */
  maxBodyBytes: 1024 * 1024,
  summary: 'Changes the visibility and the fields of a title; imports keep changed fields',
})
export const undoTitleEdit = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/admin/titles/{id}/edits/{field}',
  params: z.strictObject({ id: idSchema, field: z.enum(TITLE_FIELDS) }),
  reply: adminTitleSchema,
  summary: 'Sets a field of a title to the value of the import again',
})
export const refreshTitle = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/titles/{id}/refresh',
  params: idParamsSchema,
  reply: adminTitleSchema,
  errorStatuses: [409, 502],
  summary: 'Reads a title from TMDB again; changed fields stay',
})
const titlePosterSchema = z.object({
  path: z.string(),
  /** Language of the text on the poster; null when the poster has no text. */
  lang: z.nullable(z.string()),
})
export type TitlePoster = z.infer<typeof titlePosterSchema>
export const listTitlePosters = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/titles/{id}/posters',
  params: idParamsSchema,
  reply: z.object({ results: z.array(titlePosterSchema) }),
  errorStatuses: [409, 502],
  summary: 'Lists the posters that TMDB has for a title',
})
export const listMatchingTitleIds = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/titles/matching',
  query: z.strictObject({
    type: z._default(mediaTypeSchema, 'movie'),
    search: z.optional(z.string().check(maxCharacters(200))),
    published: z.optional(booleanQuerySchema),
    kids: z.optional(booleanQuerySchema),
  }),
  /** `total` is larger than the number of ids when more than 10,000 titles match. */
  reply: z.object({ ids: z.array(z.string()), total: z.number() }),
  summary: 'Returns the ids of all titles that match the filters of the dashboard, hidden ones included',
})
export const publishTitles = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/titles/publish',
  body: z.strictObject({ ids: titleIdsSchema, published: z.boolean() }),
  /** `changed`: ids of the titles whose state was different before. `missing`: ids of unknown or deleted titles. */
  reply: z.object({ changed: z.array(z.string()), missing: z.array(z.string()) }),
  summary: 'Publishes or hides up to 100 titles',
})
export const deleteTitles = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/titles/delete',
  body: z.strictObject({ ids: titleIdsSchema }),
  reply: z.object({
    deleted: z.array(z.string()),
    missing: z.array(z.string()),
    restorable_until: z.string(),
  }),
  summary: 'Deletes up to 100 titles; they can be restored until restorable_until',
})
export const restoreTitles = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/titles/restore',
  body: z.strictObject({ ids: titleIdsSchema }),
  reply: z.object({ restored: z.array(z.string()), missing: z.array(z.string()) }),
  summary: 'Restores up to 100 deleted titles',
})
const deletedTitleSchema = z.object({
  id: z.string(),
  type: mediaTypeSchema,
  title: z.string(),
  year: z.nullable(z.number()),
  deleted_at: z.string(),
  restorable_until: z.string(),
  /**
   * True when an entry of the block list names the title. Until that entry is removed, the title stays in the bin,
   * even after `restorable_until`.
   */
  kept_by_block_rule: z.boolean(),
})
export type DeletedTitle = z.infer<typeof deletedTitleSchema>
export const listDeletedTitles = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/titles/deleted',
  query: z.strictObject({
    page: z._default(createIntegerQuerySchema(1, 1_000_000), 1),
    limit: z._default(createIntegerQuerySchema(1, 200), 200),
    /** Finds a title by any of its names. */
    search: z.optional(z.string().check(maxCharacters(200))),
  }),
  reply: createPagedReplySchema(deletedTitleSchema),
  summary: 'Lists the deleted titles that can be restored, latest first',
})
export const restoreTitle = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/titles/{id}/restore',
  params: idParamsSchema,
  reply: adminTitleSchema,
  summary: 'Restores a deleted title',
})
