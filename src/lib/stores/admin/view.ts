/** What the dashboard shows, as its address says it: `/dashboard/?section=users&page=2&search=lea`. */
import { atom, computed, onMount, type ReadableAtom } from 'nanostores'
import { SECTIONS, type Section } from '../../rules/dashboard-sections.ts'

export type Filters = Readonly<Record<string, string>>
export interface View {
  section: Section
  /** The rest of the query; what says nothing is not there. */
  filters: Filters
}

export function readView(search: string): View {
  const query = new URLSearchParams(search)
  const section = SECTIONS.find((one) => one === query.get('section')) ?? 'overview'
  query.delete('section')
  return { section, filters: Object.fromEntries([...query].filter(([, value]) => value !== '')) }
}

/** The query of a view; the overview's is empty, as is a first page's number. */
export function writeView({ section, filters }: View): string {
  const query = new URLSearchParams()
  if (section !== 'overview') query.set('section', section)
  for (const [name, value] of Object.entries(filters))
    if (value !== '' && !(name === 'page' && value === '1')) query.set(name, value)
  return query.size > 0 ? `?${query}` : ''
}

/** A page number that an address names; anything odd is the first. */
export function pageOf(filters: Filters): number {
  const page = Number(filters['page'] ?? 1)
  return Number.isInteger(page) && page > 0 && page <= 1_000_000 ? page : 1
}

/** One of the values that a filter may have, else nothing. */
export function choiceOf<V extends string>(
  filters: Filters,
  name: string,
  values: readonly V[],
): V | undefined {
  return values.find((value) => value === filters[name])
}

export const $view = atom<View>({ section: 'overview', filters: {} })

/** A section's filters, null while another is shown: its reads wait meanwhile. */
export function filtersIn(section: Section): ReadableAtom<Filters | null> {
  return computed($view, (view) => (view.section === section ? view.filters : null))
}

const isShown = () => document.querySelector('[data-dashboard]') !== null

/** Takes the view from the address. */
export function syncView(): void {
  const next = readView(location.search)
  if (writeView(next) !== writeView($view.get())) $view.set(next)
}

onMount($view, () => {
  syncView()
  /* Between two views of one page Back is ours: the router would fetch the page and build it anew. */
  const back = (event: PopStateEvent) => {
    if (!isShown() || !/\/dashboard\/?$/.test(location.pathname)) return
    event.stopImmediatePropagation()
    syncView()
  }
  addEventListener('popstate', back, { capture: true })
  return () => removeEventListener('popstate', back, { capture: true })
})

/** Shows a section. Each is a step that Back undoes. */
export function openSection(section: Section, filters: Filters = {}): void {
  go({ section, filters }, 'push')
  scrollTo({ top: 0 })
}

/**
 * Changes filters of the section in view; empty ones go. The first page comes with a change of anything else.
 * While somebody types, each letter replaces the step before.
 */
export function filterBy(change: Filters, how: 'push' | 'replace' = 'push'): void {
  const { section, filters } = $view.get()
  const { page: _page, ...rest } = filters
  const next = { ...rest, ...change }
  go({ section, filters: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')) }, how)
}

function go(view: View, how: 'push' | 'replace'): void {
  const query = writeView(view)
  if (query === writeView($view.get())) return
  const address = location.pathname + query
  /* The router counts its steps in the state; ours count with it. */
  const state = (history.state ?? {}) as { index?: number }
  if (how === 'push')
    history.pushState({ index: (state.index ?? 0) + 1, scrollX: 0, scrollY: 0 }, '', address)
  else history.replaceState(state, '', address)
  $view.set(view)
}
