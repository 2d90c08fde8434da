import { useStore } from '@nanostores/react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { Hand, Hourglass } from '../../icons/index.ts'
import type { AskableTitle } from '../../lib/contract/watch-requests.ts'
import { t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { $search, setSearchQuery } from '../../lib/stores/search.ts'
import { showToast } from '../../lib/stores/toast.ts'
import {
  $askableTitles,
  $hasParentPin,
  askToWatch,
  countAskableTitles,
  listenToAskableTitleDecrease,
  setAskableTitleName,
} from '../../lib/stores/watch-requests.ts'
import { Button } from '../../ui/Button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { TitleName } from '../media/Name.tsx'
import { AnswerDialog } from './AnswerDialog.tsx'

interface Props {
  query: string
  /** Called with the number of shown titles; null while it is not known. */
  onCountChange: (askableCount: number | null) => void
}

/**
 * Titles whose name equals the query and that a child may ask a parent for. Shows nothing if there are none.
 */
export default function AskToWatch({ query, onCountChange }: Props) {
  const askableState = useStore($askableTitles)
  const { data: askableReply } = askableState
  useEffect(() => {
    setAskableTitleName(query)
    return () => setAskableTitleName('')
  }, [query])
  // A lower count means that a parent has answered, because refused titles are not shown any more. The search then runs
  // again: a title that was allowed is now one of its results.
  useEffect(
    () =>
      listenToAskableTitleDecrease(() => {
        showToast('requests:answered')
        setSearchQuery($search.get().query, 0)
      }),
    [],
  )
  const askableTitleCount = countAskableTitles(askableState, query)
  useEffect(() => {
    onCountChange(askableTitleCount)
    return () => onCountChange(null)
  }, [askableTitleCount, onCountChange])
  if (!askableReply || !askableTitleCount) return null
  return (
    <ul aria-live="polite" className="flex flex-col gap-4">
      {askableReply.results.map((title) => (
        <AskableItem key={`${title.type} ${title.id}`} title={title} />
      ))}
    </ul>
  )
}

function AskableItem({ title }: { title: AskableTitle }) {
  const reasonId = useId()
  const [reason, setReason] = useState('')
  const [isSending, runAction] = useAction()
  const [isAnswerDialogOpen, setIsAnswerDialogOpen] = useState(false)
  const canParentAnswer = useStore($hasParentPin)
  const askParent = () => runAction(async () => askToWatch(title, reason.trim()))
  const statusRef = useRef<HTMLParagraphElement>(null)
  const hasAskedRef = useRef(false)
  const isWaiting = title.request_id !== null
  // The status replaces the form, which had the focus.
  useLayoutEffect(() => {
    if (isWaiting && hasAskedRef.current) statusRef.current?.focus()
  }, [isWaiting])
  return (
    <li className="flex max-w-2xl items-start gap-4 rounded-lg border border-line bg-raised p-4">
      <img
        src={getImageUrl(title.poster_path, 'w185')}
        alt=""
        width="92"
        height="138"
        className="w-20 shrink-0 rounded-md bg-overlay"
      />
      <div className="flex min-w-0 grow flex-col gap-3">
        <p className="text-lg font-bold">
          <TitleName title={title} />
        </p>
        {title.request_id !== null ? (
          <>
            <p
              ref={statusRef}
              tabIndex={-1}
              role="status"
              className="flex items-center gap-2 text-muted outline-none"
            >
              <Hourglass aria-hidden size={20} />
              {t('requests:waiting')}
            </p>
            {canParentAnswer && (
              <Button onClick={() => setIsAnswerDialogOpen(true)}>{t('requests:answerHere')}</Button>
            )}
            {isAnswerDialogOpen && (
              <AnswerDialog
                title={title.title}
                requestId={title.request_id}
                onClose={() => setIsAnswerDialogOpen(false)}
              />
            )}
          </>
        ) : (
          <form
            className="flex flex-col gap-3"
            onSubmit={(event) => {
              event.preventDefault()
              hasAskedRef.current = true
              void askParent()
            }}
          >
            <label htmlFor={reasonId} className="text-sm text-muted">
              {t('requests:reason')}
            </label>
            <input
              id={reasonId}
              dir={reason ? 'auto' : undefined}
              value={reason}
              maxLength={200}
              enterKeyHint="send"
              onChange={(event) => setReason(event.target.value)}
              className="min-h-12 w-full rounded-md border border-line bg-ground px-4 text-base text-ink focus:border-accent"
            />
            <Button
              variant="primary"
              type="submit"
              icon={<Hand aria-hidden size={20} />}
              aria-disabled={isSending}
            >
              {t('requests:ask')}
            </Button>
          </form>
        )}
      </div>
    </li>
  )
}
