import ErrorScreen from './errors/ErrorScreen.tsx'

/** Error page for an HTTP status (404, 401 or 403, 5xx; 0 for offline). */
export default function ErrorPage({ status }: { status: number }) {
  return <ErrorScreen error={{ status, message: '' }} />
}
