/** Importers of catalogue data. Each import runs as a job. */
import * as z from 'zod/mini'
import { jobSchema } from './admin.ts'
import { createPagedReplySchema, createPagingQueryFields, maxCharacters } from './common-schemas.ts'
import { defineEndpoint } from './endpoint.ts'

export const importerSchema = z.object({
  /** Name of the importer: `demo`, `imdb` or `tmdb`. */
  name: z.string(),
  /** Why the importer cannot be started; null when it can. `no_token`: TMDB_API_TOKEN is not set. */
  unavailable: z.nullable(z.enum(['no_token'])),
  options: z.array(
    z.object({
      name: z.string(),
      /** `folder` is a path on the server. */
      kind: z.enum(['folder', 'text', 'integer', 'flag']),
      required: z.boolean(),
    }),
  ),
})
export type Importer = z.infer<typeof importerSchema>

export const listImportJobs = defineEndpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/imports',
  query: z.strictObject({ ...createPagingQueryFields() }),
  /** `results` are the import jobs, newest first. */
  reply: z.extend(createPagedReplySchema(jobSchema), { importers: z.array(importerSchema) }),
  summary: 'Lists the importers and past import jobs',
})
export const startImportJob = defineEndpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/imports',
  status: 202,
  body: z.strictObject({
    importer: z.string().check(maxCharacters(40)),
    options: z.optional(
      z.record(
        z.string().check(maxCharacters(40)),
        z.union([z.string().check(maxCharacters(1_000)), z.number(), z.boolean()]),
      ),
    ),
  }),
  reply: jobSchema,
  errorStatuses: [409],
  summary: 'Starts an import job',
})
