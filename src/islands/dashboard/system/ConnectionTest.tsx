import { useState } from 'react'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { testConnection } from '../../../lib/stores/admin/settings.ts'
import { ActionButton } from '../kit/ActionButton.tsx'

/** Button that tests a service with the saved settings, and the result. */
export function ConnectionTest({ service }: { service: 'mail' | 'tmdb' }) {
  const [message, setMessage] = useState('')
  const [isRunning, setIsRunning] = useState(false)
  const run = async () => {
    setIsRunning(true)
    setMessage('')
    try {
      const { result, email } = await testConnection(service)
      setMessage(
        result === 'ok' && email
          ? t('dashboardsystem:connection_sentTo', { email: isolateBidi(email) })
          : t(`dashboardsystem:connection_${result}`),
      )
    } catch (error) {
      setMessage(t(getErrorMessageKey(error)))
    }
    setIsRunning(false)
  }
  return (
    <div className="flex flex-wrap items-center gap-4 pt-4">
      <ActionButton disabled={isRunning} onClick={() => void run()}>
        {t(service === 'mail' ? 'dashboardsystem:testMail' : 'dashboardsystem:testTmdb')}
      </ActionButton>
      <p role="status" className="text-sm text-muted">
        {message}
      </p>
    </div>
  )
}
