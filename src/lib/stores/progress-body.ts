import type { Write } from '../client/queue.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import type { postHistory } from '../contract/progress.ts'

type ProgressWrite = Omit<Extract<Write, { kind: 'progress' }>, 'kind'>

/** Converts a progress write to the request body of the API. */
export const progressBody = ({
  title,
  place,
  progress,
  duration,
  at,
}: ProgressWrite): BodyOf<typeof postHistory> => ({
  type: title.type,
  media_id: title.id,
  ...place,
  progress,
  data: { video_duration: duration },
  at,
})
