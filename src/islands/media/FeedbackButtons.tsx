import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ThumbsDown, ThumbsUp } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { $displayedFeedback, loadFeedback, setFeedback } from '../../lib/stores/feedback.ts'
import { $hasRestrictedViewer } from '../../lib/stores/parent.ts'
import type { TitleRef } from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'

/**
 * Like and dislike buttons. `isLabelled` shows the labels beside the icons on screens that are wide enough.
 */
export function FeedbackButtons({ title, isLabelled }: { title: TitleRef; isLabelled?: boolean }) {
  const feedback = useStore($displayedFeedback)[`${title.type}/${title.id}`] ?? null
  // A dislike hides the title. Only an adult may undo the dislike of a restricted profile.
  const isDislikeLocked = useStore($hasRestrictedViewer) && feedback === 'disliked'
  useEffect(() => {
    void loadFeedback(title).catch(() => {})
  }, [title])
  const likeLabel = t(feedback === 'liked' ? 'common:liked' : 'common:like')
  const dislikeLabel = t(feedback === 'disliked' ? 'common:disliked' : 'common:dislike')
  return (
    <>
      <IconButton
        label={likeLabel}
        visibleText={isLabelled ? likeLabel : undefined}
        disabled={isDislikeLocked}
        aria-pressed={feedback === 'liked'}
        onClick={() => void setFeedback(title, feedback === 'liked' ? null : 'liked')}
      >
        <ThumbsUp aria-hidden size={20} fill={feedback === 'liked' ? 'currentColor' : 'none'} />
      </IconButton>
      <IconButton
        label={isDislikeLocked ? t('common:dislikedByKid') : dislikeLabel}
        visibleText={isLabelled && !isDislikeLocked ? dislikeLabel : undefined}
        disabled={isDislikeLocked}
        aria-pressed={feedback === 'disliked'}
        onClick={() => void setFeedback(title, feedback === 'disliked' ? null : 'disliked')}
      >
        <ThumbsDown aria-hidden size={20} fill={feedback === 'disliked' ? 'currentColor' : 'none'} />
      </IconButton>
    </>
  )
}
