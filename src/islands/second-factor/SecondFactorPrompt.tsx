import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect } from 'react'
import { $secondFactorRequest, displaySecondFactorRequests } from '../../lib/stores/second-factor-request.ts'

const SecondFactorDialog = lazy(() => import('./SecondFactorDialog.tsx'))

/** Asks for the second factor if a call of this page needs a second factor that was confirmed recently (step-up). */
export function SecondFactorPrompt() {
  const request = useStore($secondFactorRequest)
  useEffect(displaySecondFactorRequests, [])
  if (!request) return null
  return (
    <Suspense>
      <SecondFactorDialog onClose={() => request.finish(false)} />
    </Suspense>
  )
}
