/** Importers of catalogue data. Each import runs as a job. */
import * as z from 'zod/mini'
import { job } from './admin.ts'
import { endpoint } from './endpoint.ts'
import { listOf, paging } from './parts.ts'

export const importer = z.object({
  /** `demo`, `imdb`, `tmdb`. */
  name: z.string(),
  /** Why it cannot be started, or null. `no_token`: TMDB_API_TOKEN is not set. */
  unavailable: z.nullable(z.enum(['no_token'])),
  options: z.array(
    z.object({
      name: z.string(),
      /** `folder` is a path on the server; `whole` is an integer. */
      kind: z.enum(['folder', 'text', 'whole', 'flag']),
      required: z.boolean(),
    }),
  ),
})
export type Importer = z.infer<typeof importer>

export const listImports = endpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/imports',
  query: z.strictObject({ ...paging() }),
  /** `results` are the import jobs, newest first. */
  reply: z.extend(listOf(job), { importers: z.array(importer) }),
  summary: 'Lists the importers and past import jobs',
})
export const startImport = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/imports',
  status: 202,
  body: z.strictObject({
    importer: z.string().check(z.maxLength(40)),
    options: z.optional(
      z.record(
        z.string().check(z.maxLength(40)),
        z.union([z.string().check(z.maxLength(1_000)), z.number(), z.boolean()]),
      ),
    ),
  }),
  reply: job,
  summary: 'Starts an import job',
})
