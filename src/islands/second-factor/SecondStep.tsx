import { useEffect, useRef } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { getPathAfterSignIn } from '../../lib/stores/path-after-sign-in.ts'
import { redirectTo } from '../../lib/stores/route-guard.ts'
import { completeSignIn } from '../../lib/stores/second-factor.ts'
import { Button } from '../../ui/Button.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'

/** Second step of a sign-in: asks for the second factor and starts the session. */
export default function SecondStep({
  signInToken,
  onRestart,
}: {
  signInToken: string
  onRestart: () => void
}) {
  const containerRef = useRef<HTMLDivElement>(null)
  useEffect(() => containerRef.current?.querySelector('input')?.focus(), [])
  const completeStep = async (code: string) => {
    const targetPath = getPathAfterSignIn()
    await completeSignIn(signInToken, code)
    await redirectTo(targetPath, { history: 'replace', state: history.state })
  }
  return (
    <div ref={containerRef}>
      <SecondFactorForm onSubmit={completeStep}>
        <Button variant="quiet" onClick={onRestart}>
          {t('secondfactor:startAgain')}
        </Button>
      </SecondFactorForm>
    </div>
  )
}
