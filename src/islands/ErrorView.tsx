import { lazy, Suspense } from 'react'

/** What went wrong, in words. Its code is fetched only when something does. */
const ErrorScreen = lazy(() => import('./errors/ErrorScreen.tsx'))

export function ErrorView({ error }: { error: { status: number; message: string } }) {
  return (
    <Suspense>
      <ErrorScreen error={error} />
    </Suspense>
  )
}
