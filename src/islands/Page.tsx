import { useStore } from '@nanostores/react'
import { WifiOff } from 'lucide-react'
import { Component, type ReactNode, useEffect } from 'react'
import { isAway } from '../lib/client/reach.ts'
import { t } from '../lib/i18n/t.ts'
import { $gate } from '../lib/stores/gate.ts'
import { Pending, State } from '../ui/State.tsx'
import { ErrorView } from './ErrorView.tsx'

interface Props {
  children: ReactNode
  /** Shown until the visitor may see the page: the page's own skeleton, else the glowing circle. */
  pending?: ReactNode
}

/** What every page's island starts with: nobody sees a page before the gate lets them. */
export function Page({ children, pending }: Props) {
  const guardState = useStore($gate)
  if (guardState.status === 'failed')
    return (
      <PageErrorBoundary>
        <ErrorView error={guardState.error} />
      </PageErrorBoundary>
    )
  if (guardState.status === 'pending') return pending ?? <Pending label={t('common:loading')} />
  return <PageErrorBoundary>{children}</PageErrorBoundary>
}

/** A part whose code cannot be had leaves words in the page's place; layouts/boot.js reloads where that helps. */
class PageErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    if (!this.state.failed) return this.props.children
    return <State icon={<WifiOff />} title={t(isAway() ? 'errors:offlineTitle' : 'errors:generic')} />
  }
}

/** The page's title in the window, once data names it. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    const site = document.querySelector<HTMLMetaElement>('meta[name=site-name]')?.content ?? ''
    if (title) document.title = `${title} · ${site}`
  }, [title])
}
