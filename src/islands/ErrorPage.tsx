import ErrorScreen from './errors/ErrorScreen.tsx'

/** Error page for an HTTP status; 0 stands for a missing network connection. */
export default function ErrorPage({ status }: { status: number }) {
  return <ErrorScreen error={{ status, message: '' }} />
}
