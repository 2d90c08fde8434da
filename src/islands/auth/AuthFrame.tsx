import type { ReactNode } from 'react'
import { LOCALE_NAMES, LOCALES } from '../../lib/i18n/locales.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { localisePath } from '../../lib/routes.ts'
import { storeLocale } from '../../lib/stores/route-guard.ts'
import { Wordmark } from '../header/Wordmark.tsx'

/** The medium frame has smaller margins, so that the genres of the onboarding and their button fit on a television. */
const WIDTH_CLASSES = { narrow: 'max-w-md gap-8', medium: '-my-4 max-w-2xl gap-5', wide: 'max-w-3xl gap-8' }

/** Frame of pages with one form or message, such as sign-in and onboarding: site name, panel and language links. */
export function AuthFrame({
  title,
  hint,
  width = 'narrow',
  children,
}: {
  title: string
  hint?: ReactNode
  width?: keyof typeof WIDTH_CLASSES
  children: ReactNode
}) {
  return (
    <div className="grid min-h-dvh place-items-center bg-[radial-gradient(ellipse_at_top,var(--color-overlay),var(--color-ground)_65%)] px-4 py-10">
      <div className={`flex w-full flex-col ${WIDTH_CLASSES[width]}`}>
        <div className="flex justify-center">
          <Wordmark />
        </div>
        <section className="flex flex-col gap-6 rounded-lg border border-line bg-raised p-8 shadow-(--shadow-dialog)">
          <div>
            <h1 className="text-xl font-bold">{title}</h1>
            {hint && <p className="mt-1 text-muted">{hint}</p>}
          </div>
          {children}
        </section>
        <nav aria-label={t('header:language')} className="flex flex-wrap justify-center gap-2">
          {LOCALES.map((locale) => (
            <a
              key={locale}
              lang={locale}
              href={localisePath(location.pathname, locale) + location.search}
              aria-current={locale === getCurrentLocale() ? 'true' : undefined}
              onClick={() => storeLocale(locale)}
              data-astro-reload
              className="grid min-h-11 place-items-center px-3 text-muted hover:text-ink aria-[current]:text-accent"
            >
              {LOCALE_NAMES[locale]}
            </a>
          ))}
        </nav>
      </div>
    </div>
  )
}
