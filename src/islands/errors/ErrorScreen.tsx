import { Ban, CircleAlert, Compass, WifiOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ApiError } from '../../lib/client/errors.ts'
import { isAway } from '../../lib/client/reach.ts'
import { currentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { Button, buttonLook } from '../../ui/Button.tsx'
import { State } from '../../ui/State.tsx'

/** Error routing of the specification: 401 not authorized, 404 not found, anything else the server-error page. */
export default function ErrorScreen({ error }: { error: Pick<ApiError, 'status' | 'message'> }) {
  const place = useRef<HTMLDivElement>(null)
  /* Whoever has lost the focus with the page that failed finds it on the way out. */
  useEffect(() => {
    const { activeElement: active } = document
    if (active !== null && active !== document.body && active.id !== 'main') return
    place.current?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true })
  }, [])
  useEffect(withoutPicture, [])
  return (
    <div ref={place}>
      <Screen error={error} />
    </div>
  )
}

/** The header lies over no picture now (`flush` of layouts/Shell.astro), until one comes after all; another page says so itself. */
function withoutPicture() {
  const { pathname } = location
  const root = document.documentElement.classList
  if (!root.contains('flush')) return
  root.remove('flush')
  return () => {
    if (location.pathname === pathname) root.add('flush')
  }
}

function Screen({ error }: { error: Pick<ApiError, 'status' | 'message'> }) {
  if (error.status === 401 || error.status === 403) {
    return (
      <State
        level={1}
        icon={<Ban />}
        title={t('errors:notAuthorizedTitle')}
        hint={t('errors:notAuthorizedMessage')}
        action={<GoHome />}
      />
    )
  }
  if (error.status === 404) {
    return (
      <State
        level={1}
        icon={<Compass />}
        title={t('errors:notFoundTitle')}
        hint={t('errors:notFoundMessage')}
        action={<GoHome />}
      />
    )
  }
  if (error.status === 0 && isAway()) {
    return (
      <State
        level={1}
        icon={<WifiOff />}
        title={t('errors:offlineTitle')}
        hint={t('errors:offlineMessage')}
        action={
          <div className="flex flex-wrap justify-center gap-3">
            <GoHome />
            <Reload />
          </div>
        }
      />
    )
  }
  if (error.status === 0) {
    return (
      <State
        level={1}
        icon={<WifiOff />}
        title={t('errors:networkShort')}
        hint={t('errors:network')}
        action={<Reload />}
      />
    )
  }
  return (
    <State
      level={1}
      icon={<CircleAlert />}
      title={t(error.status >= 500 ? 'errors:serverTitle' : 'errors:generic')}
      hint={<Message text={error.message} />}
      action={<Reload />}
    />
  )
}

function GoHome() {
  return (
    <a data-first className={buttonLook('primary')} href={href('home', currentLocale())}>
      {t('common:goHome')}
    </a>
  )
}

function Reload() {
  return (
    <Button data-first look="primary" onClick={() => location.reload()}>
      {t('common:tryAgain')}
    </Button>
  )
}

function Message({ text }: { text: string }) {
  const [shown, setShown] = useState(false)
  return (
    <div className="flex flex-col items-center gap-2">
      <button
        type="button"
        aria-expanded={shown}
        onClick={() => setShown(!shown)}
        className="underline underline-offset-4"
      >
        {t(shown ? 'errors:hideMessage' : 'errors:showMessage')}
      </button>
      {shown && <p dir="auto">{text}</p>}
    </div>
  )
}
