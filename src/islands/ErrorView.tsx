import { lazy, Suspense } from 'react'

/* The error screen is loaded lazily, because most page views show no error. */
const ErrorScreen = lazy(() => import('./errors/ErrorScreen.tsx'))

interface Props {
  error: { status: number; message: string }
  /**
   * True if the error is shown below the heading of a page. Otherwise, the error fills the page and has the main
   * heading.
   */
  isInSection?: boolean
}

export function ErrorView(props: Props) {
  return (
    <Suspense>
      <ErrorScreen {...props} />
    </Suspense>
  )
}
