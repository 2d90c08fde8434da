import { useEffect, useRef } from 'react'
import { isPageRightToLeft } from '../lib/page-direction.ts'
import { fadeHiddenSides, useFadedSides } from './faded-sides.ts'
import { useOptimisticChange } from './use-optimistic-change.ts'

interface Props<V extends string> {
  label: string
  value: V
  /** `spokenName` contains the count in words: `Movies, 4 results`. */
  tabs: readonly { value: V; label: string; count?: number | undefined; spokenName?: string | undefined }[]
  onChange: (value: V) => void
  /**
   * True if the selected tab gets the first focus of the page in remote control mode, even if another control precedes
   * the tabs.
   */
  hasInitialFocus?: boolean
}

/** With more tabs than this, each tab has less padding, so that all tabs fit on one line of a television. */
const MAX_WIDE_TABS = 6

/**
 * Tabs with a single tab stop. Arrow keys select the tab to the left or right, in both text directions. At
 * the ends, an arrow key leaves the tabs. On phones, tabs that do not fit are scrolled. On larger screens
 * they wrap, because a mouse cannot scroll sideways.
 */
export function Tabs<V extends string>({
  label,
  value: selectedValue,
  tabs,
  onChange,
  hasInitialFocus = false,
}: Props<V>) {
  const [value, selectValue] = useOptimisticChange(selectedValue, onChange)
  const tabListRef = useRef<HTMLDivElement>(null)
  /* If no tab is selected, the first tab is the tab stop. Otherwise, the Tab key could not reach the tabs. */
  const tabStop = tabs.find((tab) => tab.value === value) ?? tabs[0]
  /* If the tabs overflow, the selected one is scrolled to the centre. */
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `value` changes the scroll position
  useEffect(() => {
    const tabList = tabListRef.current
    const selectedTab = tabList?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!tabList || !selectedTab || tabList.scrollWidth <= tabList.clientWidth) return
    const selectedCentrePx = selectedTab.getBoundingClientRect().left + selectedTab.offsetWidth / 2
    tabList.scrollLeft += selectedCentrePx - (tabList.getBoundingClientRect().left + tabList.clientWidth / 2)
  }, [value])
  useFadedSides(tabListRef)
  const selectNeighbour = (step: number) => {
    const buttons = [...(tabListRef.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
    const focusedIndex = buttons.indexOf(document.activeElement as HTMLElement)
    const currentIndex = focusedIndex === -1 ? tabs.findIndex((tab) => tab.value === value) : focusedIndex
    const nextTab = tabs[currentIndex + step]
    if (!nextTab) return false
    selectValue(nextTab.value)
    buttons[currentIndex + step]?.focus()
    return true
  }
  return (
    <div
      ref={tabListRef}
      role="tablist"
      aria-label={label}
      onScroll={(event) => fadeHiddenSides(event.currentTarget)}
      className="-mx-1 flex max-w-full gap-1 overflow-x-auto px-1 py-1 md:flex-wrap [scrollbar-width:none]"
      onKeyDown={(event) => {
        const forwardKey = isPageRightToLeft() ? 'ArrowLeft' : 'ArrowRight'
        const backwardKey = forwardKey === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
        const step = { [forwardKey]: 1, [backwardKey]: -1 }[event.key]
        /*
         * At the first and the last tab, the key is not handled here, so that it leads to the controls beside
         * the tabs.
         */
        if (step !== undefined && selectNeighbour(step)) event.preventDefault()
      }}
    >
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          data-first={(hasInitialFocus && tab === tabStop) || undefined}
          aria-selected={tab.value === value}
          tabIndex={tab === tabStop ? 0 : -1}
          onClick={() => selectValue(tab.value)}
          className={`relative min-h-11 shrink-0 rounded-full ${tabs.length > MAX_WIDE_TABS ? 'px-3' : 'px-4'} font-medium transition-colors ${tab.value === value ? 'bg-ink text-ground' : 'text-muted hover:text-ink'}`}
        >
          <span aria-hidden={tab.spokenName !== undefined}>{tab.label}</span>
          {tab.count !== undefined && (
            <span aria-hidden={tab.spokenName !== undefined} className="numbers ms-2 opacity-85">
              {tab.count}
            </span>
          )}
          {tab.spokenName !== undefined && <span className="sr-only">{tab.spokenName}</span>}
        </button>
      ))}
    </div>
  )
}
