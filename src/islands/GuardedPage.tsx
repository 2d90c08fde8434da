import { useStore } from '@nanostores/react'
import { Component, type ReactNode, useEffect, useState } from 'react'
import { isOffline } from '../lib/client/connectivity.ts'
import { t } from '../lib/i18n/t.ts'
import { $routeGuard } from '../lib/stores/route-guard.ts'
import { EmptyState, PendingAnimation } from '../ui/EmptyState.tsx'
import { ErrorView } from './ErrorView.tsx'

interface Props {
  children: ReactNode
  /** Content until the route guard has decided; a loading indicator by default. */
  pendingContent?: ReactNode
}

/** Outermost component of a page island: renders the page once the route guard has admitted the visitor. */
export function GuardedPage({ children, pendingContent }: Props) {
  const guardState = useStore($routeGuard)
  const [initialPathname] = useState(() => location.pathname)
  if (guardState.status === 'failed')
    return (
      <PageErrorBoundary>
        <ErrorView error={guardState.error} />
      </PageErrorBoundary>
    )
  // After a redirect, this island stays mounted until the next page is painted. The guard may by then have admitted the
  // visitor to the next page, so the path must also be the path of this page.
  if (guardState.status === 'pending' || location.pathname !== initialPathname)
    return pendingContent ?? <PendingAnimation label={t('common:loading')} />
  return <PageErrorBoundary>{children}</PageErrorBoundary>
}

/**
 * Shows a message if the page cannot be rendered, for example because a lazy module fails to load. If an update of the
 * site has removed the file of the module, page-scripts/inline/stale-code-reload.ts reloads the page.
 */
class PageErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError() {
    return { hasFailed: true }
  }
  override render() {
    if (!this.state.hasFailed) return this.props.children
    return <EmptyState title={t(isOffline() ? 'errors:offlineTitle' : 'errors:generic')} />
  }
}

/** Sets the document title to `title` and the site name; null leaves the document title unchanged. */
export function useDocumentTitle(title: string | null): void {
  useEffect(() => {
    const siteName = document.querySelector<HTMLMetaElement>('meta[name=site-name]')?.content ?? ''
    if (title) document.title = `${title} · ${siteName}`
  }, [title])
}
