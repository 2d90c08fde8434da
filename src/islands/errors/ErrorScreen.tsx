import { useEffect, useRef, useState } from 'react'
import { Ban, CircleAlert, Compass, WifiOff } from '../../icons/index.ts'
import { isOffline } from '../../lib/client/connectivity.ts'
import type { ApiError } from '../../lib/client/errors.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { loadProfiles } from '../../lib/stores/profile.ts'
import { Button, getButtonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

interface Props {
  error: Pick<ApiError, 'status' | 'message'>
  isInSection?: boolean
}

/**
 * Error view for an HTTP status (401, 403, 404, 5xx). Status 0 is a network error. `isInSection` is true if the error
 * is shown below the heading of a page.
 */
export default function ErrorScreen({ error, isInSection = false }: Props) {
  const containerRef = useRef<HTMLDivElement>(null)
  /* If the focused element was removed together with the failed page, the first action gets the focus. */
  useEffect(() => {
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body && activeElement.id !== 'main') return
    containerRef.current?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true })
  }, [])
  useEffect(applyThemeColoursInHeader, [])
  /* The server may have locked the acting profile. In this case, loading the profiles opens the profile picker. */
  useEffect(() => {
    if (error.status === 403) void loadProfiles().catch(() => {})
  }, [error.status])
  return (
    <div ref={containerRef}>
      <ErrorState error={error} headingLevel={isInSection ? 2 : 1} />
    </div>
  )
}

/**
 * Removes the root class `flush` (layouts/Shell.astro). This class keeps the header dark over a hero image, but an
 * error view has no hero image. The returned function adds the class again, unless another page has opened: every
 * page sets its own classes.
 */
function applyThemeColoursInHeader() {
  const { pathname } = location
  const rootClasses = document.documentElement.classList
  if (!rootClasses.contains('flush')) return
  rootClasses.remove('flush')
  return () => {
    if (location.pathname === pathname) rootClasses.add('flush')
  }
}

function ErrorState({ error, headingLevel }: Pick<Props, 'error'> & { headingLevel: 1 | 2 }) {
  if (error.status === 401 || error.status === 403) {
    return (
      <EmptyState
        headingLevel={headingLevel}
        icon={<Ban />}
        title={t('errors:notAuthorizedTitle')}
        hint={t('errors:notAuthorizedMessage')}
        action={<HomeLink />}
      />
    )
  }
  if (error.status === 404) {
    return (
      <EmptyState
        headingLevel={headingLevel}
        icon={<Compass />}
        title={t('errors:notFoundTitle')}
        hint={t('errors:notFoundMessage')}
        action={<HomeLink />}
      />
    )
  }
  if (error.status === 0 && isOffline()) {
    return (
      <EmptyState
        headingLevel={headingLevel}
        icon={<WifiOff />}
        title={t('errors:offlineTitle')}
        hint={t('errors:offlineMessage')}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <HomeLink />
            <ReloadButton />
          </div>
        }
      />
    )
  }
  if (error.status === 0) {
    return (
      <EmptyState
        headingLevel={headingLevel}
        icon={<WifiOff />}
        title={t('errors:networkShort')}
        hint={t('errors:network')}
        action={<ReloadButton />}
      />
    )
  }
  return (
    <EmptyState
      headingLevel={headingLevel}
      icon={<CircleAlert />}
      title={t(error.status >= 500 ? 'errors:serverTitle' : 'errors:generic')}
      hint={<TechnicalMessage messageText={error.message} />}
      action={<ReloadButton />}
    />
  )
}

function HomeLink() {
  return (
    <a data-first className={getButtonClass('primary')} href={href('home', getCurrentLocale())}>
      {t('common:goHome')}
    </a>
  )
}

function ReloadButton() {
  return (
    <Button data-first variant="primary" onClick={() => location.reload()}>
      {t('common:tryAgain')}
    </Button>
  )
}

function TechnicalMessage({ messageText }: { messageText: string }) {
  const [isShown, setIsShown] = useState(false)
  return (
    <div className="flex flex-col items-center gap-2">
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setIsShown(!isShown)}
        className="min-h-11 underline underline-offset-4"
      >
        {t(isShown ? 'errors:hideMessage' : 'errors:showMessage')}
      </button>
      {isShown && <p dir="auto">{messageText}</p>}
    </div>
  )
}
