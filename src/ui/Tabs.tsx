import { useEffect, useRef } from 'react'

interface Props<V extends string> {
  label: string
  value: V
  tabs: readonly { value: V; label: string; count?: number | undefined }[]
  onChange: (value: V) => void
}

/** Tabs with one tab stop; arrow keys follow the visual side. */
export function Tabs<V extends string>({ label, value, tabs, onChange }: Props<V>) {
  const list = useRef<HTMLDivElement>(null)
  /* Of more tabs than fit, the chosen one is in sight, with a piece of its neighbours. */
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value, another place
  useEffect(() => {
    const tabs = list.current
    const chosen = tabs?.querySelector<HTMLElement>('[aria-selected=true]')
    if (!tabs || !chosen || tabs.scrollWidth <= tabs.clientWidth) return
    const middle = chosen.getBoundingClientRect().left + chosen.offsetWidth / 2
    tabs.scrollLeft += middle - (tabs.getBoundingClientRect().left + tabs.clientWidth / 2)
  }, [value])
  const move = (step: number) => {
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
    const focused = buttons.indexOf(document.activeElement as HTMLElement)
    const at = focused === -1 ? tabs.findIndex((tab) => tab.value === value) : focused
    const place = (at + step + tabs.length) % tabs.length
    const next = tabs[place]
    if (!next) return
    onChange(next.value)
    buttons[place]?.focus()
  }
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      className="-mx-1 flex max-w-full gap-1 overflow-x-auto px-1 py-1 [scrollbar-width:none]"
      onKeyDown={(event) => {
        const forward = document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
        const backward = forward === 'ArrowRight' ? 'ArrowLeft' : 'ArrowRight'
        if (event.key === forward) move(1)
        else if (event.key === backward) move(-1)
        else return
        event.preventDefault()
      }}
    >
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
          className={`min-h-11 shrink-0 rounded-full px-5 font-medium transition-colors ${tab.value === value ? 'bg-ink text-ground' : 'text-muted hover:text-ink'}`}
        >
          {tab.label}
          {tab.count !== undefined && <span className="numbers ms-2 opacity-85">{tab.count}</span>}
        </button>
      ))}
    </div>
  )
}
