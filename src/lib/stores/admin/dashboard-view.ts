/**
 * The displayed section of the dashboard and its filters, synchronised with the URL:
 * `/dashboard/?section=users&page=2&search=lea`.
 */
import { computed, onMount, type ReadableAtom } from 'nanostores'
import { DASHBOARD_SECTIONS, type DashboardSection } from '../../rules/dashboard-sections.ts'
import { perProfile } from '../per-profile.ts'
import { $tableLayouts, DEFAULT_PAGE_SIZE, getPageSize } from './table-layouts.ts'

export type DashboardFilters = Readonly<Record<string, string>>
export interface DashboardView {
  section: DashboardSection
  /** All query parameters except `section`. Empty parameters are omitted. */
  filters: DashboardFilters
}

/** Parameters that choose what a section lists, and in which order. They do not count as active filters. */
const VIEW_PARAMETERS_BY_SECTION: Partial<Record<DashboardSection, readonly string[]>> = {
  catalogue: ['type', 'sort'],
  library: ['source'],
}

/** Returns the names of the active filters, which may make the list of the section shorter. */
export const listActiveFilters = ({ section, filters }: DashboardView): string[] =>
  Object.keys(filters).filter(
    (name) => name !== 'page' && !VIEW_PARAMETERS_BY_SECTION[section]?.includes(name),
  )

export function parseDashboardView(search: string): DashboardView {
  const query = new URLSearchParams(search)
  const section = DASHBOARD_SECTIONS.find((candidate) => candidate === query.get('section')) ?? 'overview'
  query.delete('section')
  return { section, filters: Object.fromEntries([...query].filter(([, value]) => value !== '')) }
}

/** Returns the URL query of a view. The default section, page 1 and empty filters are omitted. */
export function formatDashboardView({ section, filters }: DashboardView): string {
  const query = new URLSearchParams()
  if (section !== 'overview') query.set('section', section)
  for (const [name, value] of Object.entries(filters))
    if (value !== '' && !(name === 'page' && value === '1')) query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

/** Returns the page number in the filters; 1 when it is missing or invalid. */
export function parsePageNumber(filters: DashboardFilters): number {
  const pageNumber = Number(filters['page'] ?? 1)
  return Number.isInteger(pageNumber) && pageNumber > 0 && pageNumber <= 1_000_000 ? pageNumber : 1
}

/** Returns the page number from the filters, and the page size of the table. */
export const parsePaging = (filters: DashboardFilters) => ({
  page: parsePageNumber(filters),
  limit: Number(filters['limit'] ?? DEFAULT_PAGE_SIZE),
})

/** Returns the value of a filter if it is one of `allowedValues`, else undefined. */
export function parseFilterChoice<V extends string>(
  filters: DashboardFilters,
  filterName: string,
  allowedValues: readonly V[],
): V | undefined {
  return allowedValues.find((allowedValue) => allowedValue === filters[filterName])
}

export const $dashboardView = perProfile<DashboardView>(() => ({ section: 'overview', filters: {} }))

/**
 * Creates a store with the filters of a section and, as `limit`, the page size of its table. The store is null while
 * another section is displayed. Read stores that depend on it then send no requests.
 */
export function createFiltersStore(section: DashboardSection): ReadableAtom<DashboardFilters | null> {
  return computed([$dashboardView, $tableLayouts], (view, layouts) =>
    view.section === section ? { ...view.filters, limit: String(getPageSize(layouts, section)) } : null,
  )
}

const isDashboardOpen = () => document.querySelector('[data-dashboard]') !== null

/** Updates the view from the URL. */
export function syncViewWithUrl(): void {
  const view = parseDashboardView(location.search)
  if (formatDashboardView(view) !== formatDashboardView($dashboardView.get())) $dashboardView.set(view)
}

onMount($dashboardView, () => {
  syncViewWithUrl()
  // Handles Back and Forward between two dashboard views, because the Astro router would fetch and rebuild the page.
  const handlePopState = (event: PopStateEvent) => {
    if (!isDashboardOpen() || !/\/dashboard\/?$/.test(location.pathname)) return
    event.stopImmediatePropagation()
    syncViewWithUrl()
  }
  addEventListener('popstate', handlePopState, { capture: true })
  return () => removeEventListener('popstate', handlePopState, { capture: true })
})

/** Displays a section with the given filters, adds a history entry, and scrolls to the top. */
export function openDashboardSection(section: DashboardSection, filters: DashboardFilters = {}): void {
  openDashboardUrl({ section, filters }, 'push')
  scrollTo({ top: 0 })
}

/**
 * Changes filters of the displayed section and removes empty filters. Returns to the first page unless `change`
 * contains a page. Use `replace` while the user types, so that letters do not add history entries.
 */
export function changeDashboardFilters(
  change: DashboardFilters,
  historyMode: 'push' | 'replace' = 'push',
): void {
  const { section, filters } = $dashboardView.get()
  const { page: _page, ...otherFilters } = filters
  const newFilters = { ...otherFilters, ...change }
  openDashboardUrl(
    { section, filters: Object.fromEntries(Object.entries(newFilters).filter(([, value]) => value !== '')) },
    historyMode,
  )
}

function openDashboardUrl(view: DashboardView, historyMode: 'push' | 'replace'): void {
  const query = formatDashboardView(view)
  if (query === formatDashboardView($dashboardView.get())) return
  const url = location.pathname + query
  // The Astro router stores the index of each history entry in the state of the entry. A new entry must have the next
  // index.
  const historyState = (history.state ?? {}) as { index?: number }
  if (historyMode === 'push')
    history.pushState(
      { ...historyState, index: (historyState.index ?? 0) + 1, scrollX: 0, scrollY: 0 },
      '',
      url,
    )
  else history.replaceState(historyState, '', url)
  $dashboardView.set(view)
}
