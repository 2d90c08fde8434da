import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { Search } from '../icons/index.ts'
import { getCurrentLocale, t } from '../lib/i18n/t.ts'
import type { PageName } from '../lib/routes.ts'
import { href, matchPage } from '../lib/routes.ts'
import { $profile } from '../lib/stores/profile.ts'
import { AccountMenu, NoticeMenu } from './header/HeaderMenus.tsx'
import { Wordmark } from './header/Wordmark.tsx'

const HEADER_LINKS = [
  ['home', 'common:home'],
  ['movies', 'common:movies'],
  ['tvshows', 'common:tvShows'],
  ['mylist', 'common:myList'],
] as const satisfies [PageName, string][]

/** True once the page is scrolled by more than 60 px; until then the header is transparent. */
function useIsScrolled(): boolean {
  const [isScrolled, setIsScrolled] = useState(false)
  useEffect(() => {
    const updateIsScrolled = () => setIsScrolled(window.scrollY > 60)
    updateIsScrolled()
    window.addEventListener('scroll', updateIsScrolled, { passive: true })
    return () => window.removeEventListener('scroll', updateIsScrolled)
  }, [])
  return isScrolled
}

/**
 * Returns the name of the current page. The header persists when the page changes, so this hook listens for
 * page changes.
 */
function useCurrentPage(): PageName | undefined {
  const [pageName, setPageName] = useState(() => matchPage(location.pathname)?.page.name)
  useEffect(() => {
    const updatePageName = () => setPageName(matchPage(location.pathname)?.page.name)
    document.addEventListener('astro:after-swap', updatePageName)
    return () => document.removeEventListener('astro:after-swap', updatePageName)
  }, [])
  return pageName as PageName | undefined
}

/** Delay before the event stream is opened, so that it does not delay the requests of the first screen. */
const EVENT_STREAM_DELAY_MS = 2_000

export default function Header() {
  const isScrolled = useIsScrolled()
  useEffect(() => {
    const timer = setTimeout(
      () =>
        void import('../lib/stores/account-events.ts').then((accountEvents) =>
          accountEvents.startAccountEvents(),
        ),
      EVENT_STREAM_DELAY_MS,
    )
    return () => clearTimeout(timer)
  }, [])
  const profile = useStore($profile)
  const locale = getCurrentLocale()
  const currentPage = useCurrentPage()
  return (
    <header
      data-clear={!isScrolled || undefined}
      className={`fixed inset-x-0 top-0 z-30 transition-colors duration-(--duration-slow) ${isScrolled ? 'bg-ground shadow-(--shadow-card)' : 'bg-linear-to-b from-scrim/95 via-scrim/60 to-scrim/0'}`}
    >
      <div className="bar edge flex h-(--header) items-center gap-3 md:gap-5">
        <a href={href('home', locale)} className="min-w-0">
          <Wordmark />
        </a>
        {profile && (
          <>
            <nav aria-label={t('header:main')}>
              <ul className="flex gap-1 max-md:flex-wrap">
                {HEADER_LINKS.map(([pageName, labelKey]) => (
                  <li key={pageName}>
                    <a
                      href={href(pageName, locale)}
                      aria-current={currentPage === pageName ? 'page' : undefined}
                      className="flex min-h-12 items-center px-2 text-muted transition-colors hover:text-ink aria-[current]:font-semibold aria-[current]:text-ink"
                    >
                      {t(labelKey)}
                    </a>
                  </li>
                ))}
              </ul>
            </nav>
            <div className="ms-auto flex shrink-0 items-center gap-1">
              <a
                href={href('search', locale)}
                aria-label={t('common:search')}
                title={t('common:search')}
                className="grid size-[max(44px,min(2.75rem,12vw))] place-items-center rounded-full text-ink hover:text-accent"
              >
                <Search aria-hidden size={22} />
              </a>
              <NoticeMenu />
              <AccountMenu profile={profile} />
            </div>
          </>
        )}
      </div>
    </header>
  )
}
