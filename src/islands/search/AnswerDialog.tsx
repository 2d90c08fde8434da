import { useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import { REQUEST_ANSWERS, type RequestAnswer } from '../../lib/contract/watch-requests.ts'
import { t } from '../../lib/i18n/t.ts'
import { answerWithPin } from '../../lib/stores/watch-requests.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { PinInput } from '../../ui/PinInput.tsx'
import { useFormAction } from '../../ui/use-form-action.ts'

interface Props {
  title: string
  requestId: string
  onClose: () => void
}

/** Lets a parent answer a watch request on the device of the child, with the PIN of the main profile. */
export function AnswerDialog({ title, requestId, onClose }: Props) {
  const [answer, setAnswer] = useState<RequestAnswer>('once')
  const {
    error: errorText,
    isSubmitting,
    submit,
  } = useFormAction((failure) => {
    const isWrongPin = failure instanceof ApiError && failure.type === 'invalid_pin'
    return t(isWrongPin ? 'profiles:invalidPin' : 'errors:failed')
  })
  return (
    <Dialog title={title} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('requests:answerHint')}</p>
      <div className="flex flex-wrap gap-2">
        {REQUEST_ANSWERS.map((option) => (
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
      <PinInput
        label={t('requests:mainPin')}
        getDigitLabel={(digitNumber) => t('profiles:pinDigit', { number: digitNumber })}
        eraseLabel={t('common:delete')}
        error={errorText}
        disabled={isSubmitting}
        onComplete={(pin) => void submit(() => answerWithPin(requestId, answer, pin).then(onClose))}
      />
      <p role="alert" className="min-h-6 text-center text-danger">
        {errorText}
      </p>
    </Dialog>
  )
}
