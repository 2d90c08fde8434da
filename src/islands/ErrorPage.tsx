import ErrorScreen from './errors/ErrorScreen.tsx'

/** A whole page for an address that is not there, not for you, or not working. */
export default function ErrorPage({ status }: { status: number }) {
  return <ErrorScreen error={{ status, message: '' }} />
}
