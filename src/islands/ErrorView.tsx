import { lazy, Suspense } from 'react'

/* The error screen is loaded lazily, because most page views show no error. */
const ErrorScreen = lazy(() => import('./errors/ErrorScreen.tsx'))

export function ErrorView({ error }: { error: { status: number; message: string } }) {
  return (
    <Suspense>
      <ErrorScreen error={error} />
    </Suspense>
  )
}
