/**
 * Named lists. A list contains chosen titles in the order of the user, or the saved filters of a browse page (smart
 * list).
 */
import * as z from 'zod/mini'
import { NAMED_LIST_LIMITS } from '../rules/tracking-limits.ts'
import {
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  idSchema,
  maxCharacters,
  mediaTypeSchema,
  multilineTextRules,
  visibleTextRules,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'
import { mediaCardSchema } from './media.ts'

const listNameSchema = z
  .string()
  .check(z.minLength(1), maxCharacters(NAMED_LIST_LIMITS.nameLength))
  .register(z.globalRegistry, visibleTextRules)
const listDescriptionSchema = z
  .string()
  .check(maxCharacters(NAMED_LIST_LIMITS.descriptionLength))
  .register(z.globalRegistry, multilineTextRules)
/** Saved filters. `query` contains the parameters of `GET /movies` or `GET /series`, without paging. */
const listFilterSchema = z.strictObject({
  type: mediaTypeSchema,
  query: z.string().check(maxCharacters(2_000)),
})
export type ListFilter = z.infer<typeof listFilterSchema>
const titleRefSchema = z.strictObject({ type: mediaTypeSchema, media_id: idSchema })
/** A title that a request has added to a list (`included`) or removed from it, with the values of its entry. */
const listTitleChangeSchema = z.object({
  type: mediaTypeSchema,
  media_id: z.string(),
  included: z.boolean(),
  position: z.number(),
  added_at: z.nullable(z.string()),
})
export type ListTitleChange = z.infer<typeof listTitleChangeSchema>

const namedListSchema = z.object({
  list_id: z.string(),
  name: z.string(),
  description: z.string(),
  /** True when the other profiles of the account may read the list. */
  shared: z.boolean(),
  /** True when the list is a row of the home page of this profile; always false for lists of other profiles. */
  on_home: z.boolean(),
  /** True for a list of this profile; lists of other profiles cannot be changed. */
  own: z.boolean(),
  owner_name: z.string(),
  /** The saved filters of a smart list; null for a list of chosen titles. */
  filter: z.nullable(listFilterSchema),
  /** Number of titles of the list that the profile may see. */
  title_count: z.number(),
  /** Posters of the first four titles; fewer if some of these titles have no poster. */
  posters: z.array(z.string()),
  /** Whether the list contains the title that the query names; absent when the query names no title. */
  contains: z.optional(z.boolean()),
  updated_at: z.string(),
})
export type NamedList = z.infer<typeof namedListSchema>
const namedListItemSchema = z.object({
  type: mediaTypeSchema,
  media_id: z.string(),
  position: z.number(),
  added_at: z.nullable(z.string()),
  media: mediaCardSchema,
})
export type NamedListItem = z.infer<typeof namedListItemSchema>

const LISTS_PATH = '/profile/{id}/lists'
const LIST_PATH = '/profile/{id}/lists/{listId}'
const listParamsSchema = z.extend(idParamsSchema, { listId: idSchema })

export const listNamedLists = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: LISTS_PATH,
  params: idParamsSchema,
  query: z.strictObject({
    /** When `type` and `media_id` are given, each list in the reply has the field `contains` for this title. */
    type: z.optional(mediaTypeSchema),
    media_id: z.optional(idSchema),
  }),
  reply: z.object({ results: z.array(namedListSchema) }),
  summary: 'Lists the named lists of the profile and those that other profiles of the account share, by name',
})
export const createNamedList = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'POST',
  path: LISTS_PATH,
  params: idParamsSchema,
  body: z.strictObject({
    /** Chosen by the client. A repeated call with the same key changes the list that the first call created. */
    key: z.optional(idSchema),
    name: listNameSchema,
    description: z.optional(listDescriptionSchema),
    shared: z.optional(z.boolean()),
    on_home: z.optional(z.boolean()),
    filter: z.optional(listFilterSchema),
  }),
  reply: namedListSchema,
  status: 201,
  summary: 'Creates a named list; with a filter, a smart list whose titles follow the catalogue',
})
export const listHomeLists = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: `${LISTS_PATH}/home`,
  params: idParamsSchema,
  reply: z.object({
    results: z.array(z.object({ list_id: z.string(), name: z.string(), results: z.array(mediaCardSchema) })),
  }),
  summary: 'Returns the named lists that are rows of the home page, with their first titles',
})
export const getNamedList = defineEndpoint({
  access: 'profile',
  scope: 'tracking:read',
  method: 'GET',
  path: LIST_PATH,
  params: listParamsSchema,
  query: z.strictObject(createPagingQueryFields()),
  reply: z.extend(createPagedReplySchema(namedListItemSchema), { list: namedListSchema }),
  summary: 'Returns a named list with a page of its titles',
})
export const changeNamedList = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: LIST_PATH,
  params: listParamsSchema,
  body: z.strictObject({
    name: z.optional(listNameSchema),
    description: z.optional(listDescriptionSchema),
    shared: z.optional(z.boolean()),
    on_home: z.optional(z.boolean()),
    filter: z.optional(listFilterSchema),
  }),
  reply: namedListSchema,
  summary: 'Changes the given fields of a named list',
})
export const deleteNamedList = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'DELETE',
  path: LIST_PATH,
  params: listParamsSchema,
  summary: 'Deletes a named list; it can be restored for 30 days',
})
export const restoreNamedList = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'POST',
  path: `${LIST_PATH}/restore`,
  params: listParamsSchema,
  reply: namedListSchema,
  summary: 'Restores a deleted list',
})
export const changeListTitles = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: `${LIST_PATH}/titles`,
  params: listParamsSchema,
  body: z.strictObject({
    titles: z
      .array(
        z.extend(titleRefSchema, {
          included: z.boolean(),
          /** Position of a restored title in the list. When absent, the title is added at the end. */
          position: z.optional(z.int().check(z.minimum(0), z.maximum(1_000_000_000))),
          /**
           * Time at which a restored title was added; null when it had none. A time in the future is stored as the
           * current time. When absent, the current time is stored.
           */
          added_at: z.optional(z.nullable(z.iso.datetime())),
        }),
      )
      .check(z.minLength(1), z.maxLength(100)),
  }),
  reply: z.extend(namedListSchema, {
    /**
     * The changes that were made. Titles whose addition or removal changed nothing are left out. To revert the
     * changes, send these titles again with the opposite value of `included`.
     */
    changes: z.array(listTitleChangeSchema),
  }),
  summary: 'Adds titles to a list or removes them, in one transaction',
})
export const moveListTitle = defineEndpoint({
  access: 'profile',
  scope: 'tracking:write',
  method: 'PUT',
  path: `${LIST_PATH}/order`,
  params: listParamsSchema,
  body: z.strictObject({
    title: titleRefSchema,
    /** The title that will follow the moved title. Null moves the title to the end. */
    before: z.nullable(titleRefSchema),
  }),
  reply: namedListSchema,
  summary: 'Moves a title of a list in front of another one, or to the end',
})
