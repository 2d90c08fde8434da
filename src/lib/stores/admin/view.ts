/**
 * The displayed section of the dashboard and its filters, synchronised with the URL:
 * `/dashboard/?section=users&page=2&search=lea`.
 */
import { atom, computed, onMount, type ReadableAtom } from 'nanostores'
import { SECTIONS, type Section } from '../../rules/dashboard-sections.ts'

export type Filters = Readonly<Record<string, string>>
export interface View {
  section: Section
  /** The other query parameters; empty ones are omitted. */
  filters: Filters
}

export function readView(search: string): View {
  const query = new URLSearchParams(search)
  const section = SECTIONS.find((section) => section === query.get('section')) ?? 'overview'
  query.delete('section')
  return { section, filters: Object.fromEntries([...query].filter(([, value]) => value !== '')) }
}

/** Returns the query of a view, without the default section and page. */
export function writeView({ section, filters }: View): string {
  const query = new URLSearchParams()
  if (section !== 'overview') query.set('section', section)
  for (const [name, value] of Object.entries(filters))
    if (value !== '' && !(name === 'page' && value === '1')) query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

/** Returns the page number in the filters; 1 when it is missing or invalid. */
export function pageOf(filters: Filters): number {
  const page = Number(filters['page'] ?? 1)
  return Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1
}

/** Returns the value of a filter if it is one of `values`, else undefined. */
export function choiceOf<V extends string>(
  filters: Filters,
  name: string,
  values: readonly V[],
): V | undefined {
  return values.find((value) => value === filters[name])
}

export const $view = atom<View>({ section: 'overview', filters: {} })

/**
 * Creates a store with the filters of a section. It is null while another section is displayed, so that its reads are
 * not requested.
 */
export function filtersIn(section: Section): ReadableAtom<Filters | null> {
  return computed($view, (view) => (view.section === section ? view.filters : null))
}

const isDashboardOpen = () => document.querySelector('[data-dashboard]') !== null

/** Updates the view from the URL. */
export function syncView(): void {
  const view = readView(location.search)
  if (writeView(view) !== writeView($view.get())) $view.set(view)
}

onMount($view, () => {
  syncView()
  // Handles Back between two views of the dashboard. Otherwise the router would fetch and rebuild the page.
  const handlePopState = (event: PopStateEvent) => {
    if (!isDashboardOpen() || !/\/dashboard\/?$/.test(location.pathname)) return
    event.stopImmediatePropagation()
    syncView()
  }
  addEventListener('popstate', handlePopState, { capture: true })
  return () => removeEventListener('popstate', handlePopState, { capture: true })
})

/** Displays a section and adds a history entry. */
export function openSection(section: Section, filters: Filters = {}): void {
  navigateTo({ section, filters }, 'push')
  scrollTo({ top: 0 })
}

/**
 * Changes filters of the displayed section and removes empty ones. Returns to the first page unless `change` contains a page.
 * Use `replace` while the user types, so that not every letter adds a history entry.
 */
export function filterBy(change: Filters, historyMode: 'push' | 'replace' = 'push'): void {
  const { section, filters } = $view.get()
  const { page: _page, ...otherFilters } = filters
  const newFilters = { ...otherFilters, ...change }
  navigateTo(
    { section, filters: Object.fromEntries(Object.entries(newFilters).filter(([, value]) => value !== '')) },
    historyMode,
  )
}

function navigateTo(view: View, historyMode: 'push' | 'replace'): void {
  const query = writeView(view)
  if (query === writeView($view.get())) return
  const url = location.pathname + query
  // The router stores an index of the history entry in the state, so new entries must continue it.
  const state = (history.state ?? {}) as { index?: number }
  if (historyMode === 'push')
    history.pushState({ index: (state.index ?? 0) + 1, scrollX: 0, scrollY: 0 }, '', url)
  else history.replaceState(state, '', url)
  $view.set(view)
}
