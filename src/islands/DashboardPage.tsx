import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useLayoutEffect } from 'react'
import { t } from '../lib/i18n/t.ts'
import type { DashboardSection } from '../lib/rules/dashboard-sections.ts'
import { $dashboardView, syncViewWithUrl } from '../lib/stores/admin/dashboard-view.ts'
import { DashboardNavigation } from './dashboard/DashboardNavigation.tsx'
import { GuardedPage, useDocumentTitle } from './GuardedPage.tsx'
import { SecondFactorPrompt } from './second-factor/SecondFactorPrompt.tsx'

const SECTIONS = {
  overview: lazy(() => import('./dashboard/Overview.tsx')),
  users: lazy(() => import('./dashboard/Users.tsx')),
  invitations: lazy(() => import('./dashboard/Invitations.tsx')),
  catalogue: lazy(() => import('./dashboard/Catalogue.tsx')),
  library: lazy(() => import('./dashboard/Library.tsx')),
  imports: lazy(() => import('./dashboard/Imports.tsx')),
  blocklist: lazy(() => import('./dashboard/Blocklist.tsx')),
  settings: lazy(() => import('./dashboard/Settings.tsx')),
  caches: lazy(() => import('./dashboard/Caches.tsx')),
  jobs: lazy(() => import('./dashboard/Jobs.tsx')),
  audit: lazy(() => import('./dashboard/Audit.tsx')),
  backups: lazy(() => import('./dashboard/Backups.tsx')),
} satisfies Record<DashboardSection, unknown>

export default function DashboardPage() {
  return (
    <GuardedPage>
      <DashboardFrame />
    </GuardedPage>
  )
}

function DashboardFrame() {
  const { section } = useStore($dashboardView)
  /* Sets the section from the URL, because the store may still contain the section of an earlier visit. */
  useLayoutEffect(syncViewWithUrl, [])
  useDocumentTitle(`${t(`dashboard:section_${section}`)} · ${t('dashboard:title')}`)
  const SectionContent = SECTIONS[section]
  return (
    <div data-dashboard className="edge flex flex-col gap-6 pt-4 pb-28 lg:flex-row lg:gap-10 lg:pt-6">
      <DashboardNavigation section={section} />
      <SecondFactorPrompt />
      <div data-column className="min-w-0 max-w-[84rem] grow">
        <Suspense fallback={<SectionSkeleton />}>
          <AnnouncedSection section={section}>
            <SectionContent />
          </AnnouncedSection>
        </Suspense>
      </div>
    </div>
  )
}

/** Announces the name of the opened section to screen readers. */
function AnnouncedSection({ section, children }: { section: DashboardSection; children: React.ReactNode }) {
  useEffect(() => {
    const liveRegion = document.querySelector('[data-section-announcement]')
    if (liveRegion) liveRegion.textContent = t(`dashboard:section_${section}`)
  }, [section])
  return (
    <>
      <p data-section-announcement aria-live="polite" className="sr-only" />
      {children}
    </>
  )
}

function SectionSkeleton() {
  return (
    <div role="status" aria-label={t('common:loading')} className="flex flex-col gap-6">
      <div className="skeleton h-9 w-48" />
      <div className="skeleton h-80 w-full" />
    </div>
  )
}
