import ErrorScreen from './errors/ErrorScreen.tsx'

/** Error page for an HTTP status. Status 0 is a network error. */
export default function ErrorPage({ status }: { status: number }) {
  return <ErrorScreen error={{ status, message: '' }} />
}
