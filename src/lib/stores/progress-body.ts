import type { Write } from '../client/queue.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import type { postHistory } from '../contract/progress.ts'

type Progress = Omit<Extract<Write, { kind: 'progress' }>, 'kind'>

/** A place in a film as the server takes it. */
export const progressBody = ({
  title,
  place,
  progress,
  duration,
  at,
}: Progress): BodyOf<typeof postHistory> => ({
  type: title.type,
  media_id: title.id,
  ...place,
  progress,
  data: { video_duration: duration },
  at,
})
