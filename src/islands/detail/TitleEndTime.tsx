import { useStore } from '@nanostores/react'
import type { MediaDetails } from '../../lib/contract/media.ts'
import { $displayedTitleProgress } from '../../lib/stores/title-progress.ts'
import EndTime from '../media/EndTime.tsx'

/** Clock time at which the movie, or an episode of the series, ends if it starts or continues now. */
export default function TitleEndTime({ details }: { details: MediaDetails }) {
  const latestProgress = useStore($displayedTitleProgress).data?.latest
  const isInProgress = latestProgress && !latestProgress.finished && latestProgress.media_id === details.id
  const remainingSeconds = isInProgress
    ? latestProgress.data.video_duration - latestProgress.progress
    : (details.runtime ?? 0)
  return <EndTime remainingSeconds={remainingSeconds} />
}
