/** Schema of the reply of the operator's stream resolver (docs/media.md). The reply is untrusted input. */
import * as z from 'zod/mini'

const secondsSchema = z.number().check(z.minimum(0), z.maximum(1_000_000))
const urlSchema = z.string().check(z.minLength(1), z.maxLength(2_000))
const sourceSchema = z.object({
  url: urlSchema,
  mime_type: z.optional(z.string().check(z.regex(/^[a-z]+\/[a-z\d.+-]{1,60}$/i))),
  quality: z.optional(z.string().check(z.regex(/^(?:auto|\d{3,4}p)$/))),
  size: z.optional(z.nullable(z.int().check(z.minimum(0)))),
})
const subtitleSchema = z.object({
  url: urlSchema,
  lang: z.string().check(z.regex(/^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,2}$/i)),
  label: z.optional(z.string().check(z.maxLength(100))),
})
export const upstreamReplySchema = z.object({
  sources: z.array(sourceSchema).check(z.maxLength(50)),
  subtitles: z._default(z.array(subtitleSchema).check(z.maxLength(100)), []),
  intro: z.optional(z.object({ start: secondsSchema, end: secondsSchema })),
  credits_at: z.optional(secondsSchema),
})
/** Only replies of Stremio add-ons can set `headers`: additional headers for the requests to the media host. */
export type UpstreamSource = z.infer<typeof sourceSchema> & { headers?: Record<string, string> }
export type UpstreamReply = Omit<z.infer<typeof upstreamReplySchema>, 'sources'> & {
  sources: UpstreamSource[]
}
