import { type MouseEvent, useEffect, useRef } from 'react'
import {
  Archive,
  Ban,
  Clapperboard,
  DatabaseZap,
  FileClock,
  FolderOpen,
  Gauge,
  Import,
  ListChecks,
  MailPlus,
  SlidersHorizontal,
  Users,
} from '../../icons/index.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import type { DashboardSection } from '../../lib/rules/dashboard-sections.ts'
import { openDashboardSection } from '../../lib/stores/admin/dashboard-view.ts'

const SECTION_GROUPS = [
  ['overview'],
  ['users', 'invitations'],
  ['catalogue', 'library', 'imports', 'blocklist'],
  ['settings', 'caches', 'jobs', 'backups', 'audit'],
] as const satisfies readonly (readonly DashboardSection[])[]
const GROUP_TITLE_KEYS = [
  null,
  'dashboard:group_people',
  'dashboard:group_library',
  'dashboard:group_system',
] as const
const ICONS_BY_SECTION = {
  overview: Gauge,
  users: Users,
  invitations: MailPlus,
  catalogue: Clapperboard,
  library: FolderOpen,
  imports: Import,
  blocklist: Ban,
  settings: SlidersHorizontal,
  caches: DatabaseZap,
  jobs: ListChecks,
  audit: FileClock,
  backups: Archive,
} satisfies Record<DashboardSection, unknown>

/**
 * Links to the sections. They are a sidebar on wide screens and a horizontally scrolling bar on narrow
 * screens.
 */
export function DashboardNavigation({ section }: { section: DashboardSection }) {
  const navigationRef = useRef<HTMLElement>(null)
  useEffect(() => {
    const currentLink = navigationRef.current?.querySelector(`[data-section-link=${section}]`)
    currentLink?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [section])
  return (
    <nav
      ref={navigationRef}
      data-column
      aria-label={t('dashboard:title')}
      className="flex shrink-0 gap-1 [scrollbar-width:none] max-lg:-mx-(--edge) max-lg:overflow-x-auto max-lg:border-b max-lg:border-line max-lg:px-(--edge) max-lg:py-2 lg:sticky lg:top-[calc(var(--header)+1.5rem)] lg:max-h-[calc(100dvh-var(--header)-6.5rem)] lg:w-56 lg:flex-col lg:gap-5 lg:self-start lg:overflow-y-auto lg:p-1"
    >
      {SECTION_GROUPS.map((group, index) => (
        <div key={group[0]} className="max-lg:contents">
          {GROUP_TITLE_KEYS[index] && (
            <p className="px-3 pb-1.5 text-xs font-medium text-faint max-lg:hidden">
              {t(GROUP_TITLE_KEYS[index])}
            </p>
          )}
          <ul className="flex gap-1 lg:flex-col">
            {group.map((groupSection) => (
              <li key={groupSection}>
                <SectionLink section={groupSection} isCurrent={groupSection === section} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

function SectionLink({ section, isCurrent }: { section: DashboardSection; isCurrent: boolean }) {
  const Icon = ICONS_BY_SECTION[section]
  const query = section === 'overview' ? {} : { section }
  const handleClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return
    event.preventDefault()
    openDashboardSection(section)
  }
  return (
    <a
      data-section-link={section}
      href={href('dashboard', getCurrentLocale(), { query })}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={handleClick}
      className="flex min-h-9 items-center gap-3 rounded-md px-3 text-sm font-medium whitespace-nowrap text-muted transition-colors hover:text-ink aria-[current]:bg-ink/8 aria-[current]:text-ink max-lg:min-h-11"
    >
      <Icon aria-hidden size={17} />
      {t(`dashboard:section_${section}`)}
    </a>
  )
}
