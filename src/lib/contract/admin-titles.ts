/** What an administrator does to titles. Lists are /movies and /series with `admin=true`. */
import * as z from 'zod/mini'
import { GUIDE_CATEGORIES, SEVERITIES } from '../rules/limits.ts'
import { endpoint } from './endpoint.ts'
import { id, idParam, mediaType } from './parts.ts'

/** Titles changed by one call. */
const ids = z.array(id).check(z.minLength(1), z.maxLength(100))
const guide = z.array(
  z.strictObject({
    category: z.enum(GUIDE_CATEGORIES),
    severity: z.enum(SEVERITIES),
    votes: z._default(z.int().check(z.minimum(0), z.maximum(1_000_000_000)), 0),
  }),
)

export const adminTitle = z.object({
  id: z.string(),
  type: mediaType,
  slug: z.string(),
  title: z.string(),
  original_title: z.string(),
  year: z.nullable(z.number()),
  imdb_id: z.nullable(z.string()),
  poster_path: z.nullable(z.string()),
  published: z.boolean(),
  /** By an entry of the block list. */
  blocked: z.boolean(),
  safe_for_kids: z.boolean(),
  parental_guide: z.array(
    z.object({ category: z.enum(GUIDE_CATEGORIES), severity: z.enum(SEVERITIES), votes: z.number() }),
  ),
  /** Which of its fields an administrator has set; imports leave these alone. */
  edited: z.array(z.enum(['safe_for_kids', 'parental_guide'])),
  /** Where it came from: `demo`, `imdb`, `tmdb`. */
  source: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  /** Set while it is deleted and can still be brought back, until then. */
  restorable_until: z.nullable(z.string()),
})
export type AdminTitle = z.infer<typeof adminTitle>

export const getAdminTitle = endpoint({
  access: 'admin',
  method: 'GET',
  path: '/admin/titles/{id}',
  params: idParam,
  reply: adminTitle,
  summary: 'A title as administrators see it: hidden, blocked and just deleted ones too',
})
export const updateTitle = endpoint({
  access: 'admin',
  method: 'PUT',
  path: '/admin/titles/{id}',
  params: idParam,
  body: z.strictObject({
    published: z.optional(z.boolean()),
    safe_for_kids: z.optional(z.boolean()),
    /** One entry per category at most; the whole guide is replaced. */
    parental_guide: z.optional(guide.check(z.maxLength(GUIDE_CATEGORIES.length))),
  }),
  reply: adminTitle,
  summary: 'Publishes or hides a title, sets whether it is safe for kids, and its parental guide',
})
export const publishTitles = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/titles/publish',
  body: z.strictObject({ ids, published: z.boolean() }),
  /** `missing`: ids that name no title, or a deleted one. */
  reply: z.object({ changed: z.array(z.string()), missing: z.array(z.string()) }),
  summary: 'Shows or hides up to 100 titles at once',
})
export const deleteTitles = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/titles/delete',
  body: z.strictObject({ ids }),
  reply: z.object({
    deleted: z.array(z.string()),
    missing: z.array(z.string()),
    restorable_until: z.string(),
  }),
  summary: 'Deletes up to 100 titles: gone for everybody at once, for good after the time to undo',
})
export const restoreTitles = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/titles/restore',
  body: z.strictObject({ ids }),
  reply: z.object({ restored: z.array(z.string()), missing: z.array(z.string()) }),
  summary: 'Brings up to 100 deleted titles back, as they were',
})
export const restoreTitle = endpoint({
  access: 'admin',
  method: 'POST',
  path: '/admin/titles/{id}/restore',
  params: idParam,
  reply: adminTitle,
  summary: 'Brings a deleted title back, as it was',
})
