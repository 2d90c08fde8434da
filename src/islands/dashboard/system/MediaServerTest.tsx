import { useState } from 'react'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { testMediaServer } from '../../../lib/stores/admin/media-servers.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { useAction } from '../../../ui/use-action.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { formatMediaServerProblem } from './media-server-contact.ts'

interface Props {
  accessibleName: string
  testServer: () => ReturnType<typeof testMediaServer>
}

/** Button that tests a media server, and the result of the test. */
export function MediaServerTest({ accessibleName, testServer }: Props) {
  const [message, setMessage] = useState('')
  const [isRunning, runAction] = useAction()
  const label = t('dashboardsystem:testConnection')
  const runTest = async () => {
    setMessage('')
    try {
      const { result, name, version } = await testServer()
      setMessage(
        result === 'ok'
          ? t('dashboardsystem:mediaServerWorks', {
              name: isolateBidi(name ?? ''),
              version: isolateBidi(version ?? ''),
            })
          : formatMediaServerProblem(result),
      )
    } catch (error) {
      setMessage(t(getErrorMessageKey(error)))
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-4">
      <ActionButton
        aria-disabled={isRunning}
        aria-label={t('common:pair', { name: label, value: accessibleName })}
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
