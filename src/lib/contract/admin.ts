/** Settings, connection tests, caches, search index, jobs and block list, for administrators. */
import * as z from 'zod/mini'
import { DEFAULT_PAGE_SIZES } from '../rules/limits.ts'
import {
  createPagedReplySchema,
  createPagingQueryFields,
  idParamsSchema,
  idSchema,
  maxCharacters,
  visibleTextRules,
} from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

const settingValueSchema = z.union([z.string(), z.number(), z.boolean()])
export const settingSchema = z.object({
  key: z.string(),
  /** The value is always empty for a secret. */
  value: settingValueSchema,
  /** False when the current value is an empty text. For a secret, only this field tells whether there is a value. */
  is_set: z.boolean(),
  updated_at: z.nullable(z.string()),
  group: z.enum(['people', 'catalogue', 'playback', 'mail', 'backup', 'operation']),
  /** The value of a `secret` is stored encrypted and never returned. */
  kind: z.enum(['choice', 'integer', 'flag', 'text', 'secret']),
  default: settingValueSchema,
  /** Allowed values of a setting of kind `choice`. */
  choices: z.nullable(z.array(z.string())),
  /** Bounds of a setting of kind `integer`. */
  min: z.nullable(z.number()),
  max: z.nullable(z.number()),
  unit: z.nullable(z.enum(['days', 'hours', 'seconds', 'milliseconds', 'megabytes', 'count'])),
  /** Environment variable that sets the value, which then cannot be changed here; null if no variable sets it. */
  variable: z.nullable(z.string()),
  /** Key of a stored secret that a change of this setting removes; null if there is none. */
  clears: z.nullable(z.string()),
})
export type Setting = z.infer<typeof settingSchema>
export const listSettings = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/settings',
  reply: z.object({ results: z.array(settingSchema) }),
  summary: 'Lists all settings',
})
export const getSetting = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/settings/{key}',
  params: z.strictObject({ key: idSchema }),
  reply: settingSchema,
  summary: 'Returns a setting',
})
export const putSetting = defineEndpoint({
  access: 'admin',
  scope: null,
  method: 'POST',
  path: '/settings',
  body: z.strictObject({ key: idSchema, value: settingValueSchema }),
  reply: settingSchema,
  errorStatuses: [409],
  summary: 'Changes a setting; the value is validated by its key',
})

export const CONNECTION_TEST_RESULTS = [
  'ok',
  'not_configured',
  'unauthorized',
  'refused',
  'unreachable',
] as const
export type ConnectionTestResult = (typeof CONNECTION_TEST_RESULTS)[number]
export const testConnection = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/connections/{service}/test',
  params: z.strictObject({ service: z.enum(['mail', 'tmdb']) }),
  reply: z.object({
    result: z.enum(CONNECTION_TEST_RESULTS),
    /** Recipient of the test email; null for the test of TMDB. */
    email: z.nullable(z.string()),
  }),
  summary: 'Sends a test email to the caller, or sends a request to TMDB, with the current settings',
})

const jobStatusSchema = z.enum(['queued', 'running', 'done', 'failed', 'cancelled'])
export const jobSchema = z.object({
  job_id: z.string(),
  /** Kind of the job, such as `cloudflare_purge`, `redis_purge`, `search_sync`, `backup` or `import_demo`. */
  kind: z.string(),
  status: jobStatusSchema,
  done: z.number(),
  /** Null while the total is not known. */
  total: z.nullable(z.number()),
  /** For a completed job, a result code or a number. For a failed job, the error message. */
  message: z.nullable(z.string()),
  /**
   * `input` and `report` depend on `kind`. For example, the report of an import contains its counts and skipped
   * records.
   */
  input: z.record(z.string(), z.unknown()),
  report: z.nullable(z.record(z.string(), z.unknown())),
  /** True when a cancellation was requested, but the job has not stopped yet. */
  cancelling: z.boolean(),
  created_at: z.string(),
  started_at: z.nullable(z.string()),
  finished_at: z.nullable(z.string()),
})
export type Job = z.infer<typeof jobSchema>
export const purgeCloudflare = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/settings/revalidate/cloudflare-cache',
  status: 202,
  reply: jobSchema,
  errorStatuses: [409],
  summary: 'Purges the Cloudflare cache',
})
export const purgeRedis = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/settings/revalidate/redis-cache',
  status: 202,
  reply: jobSchema,
  errorStatuses: [409],
  summary: 'Purges the Redis cache',
})
export const syncSearch = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/settings/sync-search-engine',
  status: 202,
  reply: jobSchema,
  errorStatuses: [409],
  summary: 'Rebuilds the search index',
})
export const getJob = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/jobs/{id}',
  params: idParamsSchema,
  reply: jobSchema,
  summary: 'Returns the state of a job',
})
export const listJobs = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/jobs',
  query: z.strictObject({
    ...createPagingQueryFields(),
    kind: z.optional(z.string().check(maxCharacters(60))),
    status: z.optional(jobStatusSchema),
  }),
  reply: createPagedReplySchema(jobSchema),
  summary: 'Lists jobs, newest first',
})
export const cancelJob = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/jobs/{id}/cancel',
  params: idParamsSchema,
  reply: z.extend(jobSchema, {
    /** True when the job had ended before this call, which then changed nothing. */
    already_ended: z.boolean(),
  }),
  summary: 'Cancels a job at its next safe point',
})

const blockTypeSchema = z.enum(['movie', 'tv', 'actor', 'keyword'])
const blockEntrySchema = z.object({
  id: z.string(),
  type: blockTypeSchema,
  media_id: z.nullable(z.string()),
  value: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** Readable name of the blocked title, actor or keyword. */
  label: z.string(),
  created_at: z.string(),
})
export type BlockEntry = z.infer<typeof blockEntrySchema>
export const listBlockEntries = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/blocklist',
  query: z.strictObject({
    ...createPagingQueryFields(DEFAULT_PAGE_SIZES.blocklist),
    type: z.optional(blockTypeSchema),
    search: z.optional(z.string().check(maxCharacters(200))),
  }),
  reply: createPagedReplySchema(blockEntrySchema),
  summary: 'Lists the entries of the block list',
})
export const createBlockEntry = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/blocklist',
  status: 201,
  body: z.strictObject({
    type: blockTypeSchema,
    media_id: z.optional(idSchema),
    value: z.optional(
      z
        .string()
        .check(z.trim(), z.minLength(1), maxCharacters(200))
        .register(z.globalRegistry, visibleTextRules),
    ),
    reason: z.optional(z.string().check(z.trim(), maxCharacters(500))),
  }),
  reply: blockEntrySchema,
  errorStatuses: [409],
  summary: 'Blocks a title, a person, or all titles with a keyword, for everybody',
})
export const deleteBlockEntry = defineEndpoint({
  access: 'admin',
  method: 'DELETE',
  path: '/blocklist/{id}',
  params: idParamsSchema,
  summary: 'Removes an entry from the block list',
})
