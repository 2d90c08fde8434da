import { useState } from 'react'
import type { ConnectionTestResult } from '../../../lib/contract/admin.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { useAction } from '../../../ui/use-action.ts'
import { ActionButton } from '../kit/ActionButton.tsx'

interface Props {
  label: string
  /** Label for assistive technology, needed if several buttons have the same visible label. */
  accessibleLabel?: string
  testService: () => Promise<{ result: ConnectionTestResult; email?: string | null }>
}

/** Button that tests a service with the saved settings. The result is shown beside the button. */
export function ConnectionTest({ label, accessibleLabel, testService }: Props) {
  const [message, setMessage] = useState('')
  const [isRunning, runAction] = useAction()
  const runTest = async () => {
    setMessage('')
    try {
      const { result, email } = await testService()
      setMessage(
        result === 'ok' && email
          ? t('dashboardsystem:connection_sentTo', { email: isolateBidi(email) })
          : t(`dashboardsystem:connection_${result}`),
      )
    } catch (error) {
      setMessage(t(getErrorMessageKey(error)))
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-4 pt-4">
      <ActionButton
        aria-disabled={isRunning}
        aria-label={accessibleLabel}
        onClick={() => void runAction(runTest)}
      >
        {label}
      </ActionButton>
      <p role="status" className="text-sm text-muted">
        {message}
      </p>
    </div>
  )
}
