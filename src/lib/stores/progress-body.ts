import type { WriteRequest } from '../client/write-request.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import type { postProgress } from '../contract/progress.ts'

export type ProgressWrite = Omit<Extract<WriteRequest, { kind: 'progress' }>, 'kind'>

/** Converts a progress write to the request body of the API. `sent_at` is the time of this call. */
export const toProgressBody = ({
  title,
  place,
  progress,
  duration,
  creditsAtSeconds,
  at,
  played,
}: ProgressWrite): BodyOf<typeof postProgress> => ({
  type: title.type,
  media_id: title.id,
  ...place,
  progress,
  data: { video_duration: duration },
  credits_at: creditsAtSeconds,
  at,
  sent_at: new Date().toISOString(),
  played,
})
