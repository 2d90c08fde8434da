import { useStore } from '@nanostores/react'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useEffect } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { $said, loadFeedback, rate } from '../../lib/stores/feedback.ts'
import type { Title } from '../../lib/stores/watchlist.ts'
import { IconButton } from '../../ui/Button.tsx'

export function FeedbackButtons({ title }: { title: Title }) {
  const said = useStore($said)[`${title.type}/${title.id}`] ?? null
  useEffect(() => {
    void loadFeedback(title).catch(() => {})
  }, [title])
  return (
    <>
      <IconButton
        label={t(said === 'liked' ? 'common:liked' : 'common:like')}
        aria-pressed={said === 'liked'}
        onClick={() => void rate(title, said === 'liked' ? null : 'liked')}
      >
        <ThumbsUp aria-hidden size={20} fill={said === 'liked' ? 'currentColor' : 'none'} />
      </IconButton>
      <IconButton
        label={t(said === 'disliked' ? 'common:disliked' : 'common:dislike')}
        aria-pressed={said === 'disliked'}
        onClick={() => void rate(title, said === 'disliked' ? null : 'disliked')}
      >
        <ThumbsDown aria-hidden size={20} fill={said === 'disliked' ? 'currentColor' : 'none'} />
      </IconButton>
    </>
  )
}
