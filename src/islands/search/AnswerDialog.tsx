import { useState } from 'react'
import { WATCH_REQUEST_ANSWERS, type WatchRequestAnswer } from '../../lib/contract/watch-requests.ts'
import { t } from '../../lib/i18n/t.ts'
import { answerRequestWithPin } from '../../lib/stores/watch-requests.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ParentPinForm } from '../profiles/ParentPinForm.tsx'

interface Props {
  title: string
  requestId: string
  onClose: () => void
}

/** Lets a parent answer a watch request on the device of the child, with a PIN that opens the main profile. */
export function AnswerDialog({ title, requestId, onClose }: Props) {
  const [answer, setAnswer] = useState<WatchRequestAnswer>('once')
  return (
    <Dialog title={title} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('requests:answerHint')}</p>
      <div className="flex flex-wrap gap-2">
        {WATCH_REQUEST_ANSWERS.map((option) => (
          <Button
            key={option}
            variant={answer === option ? 'primary' : 'plain'}
            aria-pressed={answer === option}
            className="px-4"
            onClick={() => setAnswer(option)}
          >
            {t(`requests:answer_${option}`)}
          </Button>
        ))}
      </div>
      <ParentPinForm onSubmit={(pin) => answerRequestWithPin(requestId, answer, pin).then(onClose)} />
    </Dialog>
  )
}
