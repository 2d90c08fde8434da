import { ErrorView } from './ErrorView.tsx'

/** A whole page for an address that is not there, not for you, or not working. */
export default function ErrorPage({ status }: { status: number }) {
  return <ErrorView error={{ status, message: '' }} />
}
