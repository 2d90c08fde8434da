import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ChevronDown, Search, X } from '../../../icons/index.ts'
import { t } from '../../../lib/i18n/t.ts'
import { changeDashboardFilters } from '../../../lib/stores/admin/dashboard-view.ts'

const SEARCH_DEBOUNCE_MS = 250

/** Container of a list's filters. Their values are stored in the URL. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className="flex flex-wrap items-center gap-2" aria-label={t('dashboard:filters')}>
      {children}
    </search>
  )
}

/** Search field that filters the list 250 ms after the last keystroke. */
export function SearchFilter({ label, value }: { label: string; value: string }) {
  const [searchText, setSearchText] = useState(value)
  const appliedSearchTextRef = useRef(value)
  const timerRef = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    /* Updates the field if the Back button or a reset has changed the value. */
    if (value !== appliedSearchTextRef.current) setSearchText(value)
    appliedSearchTextRef.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timerRef.current), [])
  const changeSearchText = (newText: string, delayMs: number) => {
    setSearchText(newText)
    clearTimeout(timerRef.current)
    timerRef.current = setTimeout(() => {
      const isFirstSearch = appliedSearchTextRef.current === ''
      appliedSearchTextRef.current = newText.trim()
      changeDashboardFilters({ search: newText.trim() }, isFirstSearch ? 'push' : 'replace')
    }, delayMs)
  }
  return (
    <div className="relative min-w-0 grow basis-60 md:max-w-80">
      <Search aria-hidden size={16} className="absolute inset-y-0 start-3 my-auto text-faint" />
      <input
        type="search"
        dir={searchText ? 'auto' : undefined}
        aria-label={label}
        placeholder={label}
        value={searchText}
        maxLength={200}
        onChange={(event) => changeSearchText(event.target.value, SEARCH_DEBOUNCE_MS)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && searchText) changeSearchText('', 0)
        }}
        className="min-h-9 w-full appearance-none rounded-md border border-line bg-ground ps-9 pe-9 text-sm text-ink [&::-webkit-search-cancel-button]:hidden placeholder:text-faint hover:border-faint focus:border-accent pointer-coarse:min-h-11"
      />
      {searchText && (
        <button
          type="button"
          aria-label={t('dashboard:clear')}
          title={t('dashboard:clear')}
          onClick={() => changeSearchText('', 0)}
          className="absolute inset-y-0 end-1 my-auto grid size-8 place-items-center rounded-md text-muted hover:text-ink"
        >
          <X aria-hidden size={16} />
        </button>
      )}
    </div>
  )
}

interface CompactSelectProps {
  label: string
  value: string
  /** Label of the empty option, which sets no filter. Without this label there is no empty option. */
  emptyLabel?: string
  options: readonly { value: string; label: string }[]
  onChange: (value: string) => void
}

/** Select whose label is visually hidden. The empty option names the filter. */
export function CompactSelect({ label, value, emptyLabel, options, onChange }: CompactSelectProps) {
  const id = useId()
  return (
    <div className="relative min-w-0">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`min-h-9 w-full max-w-60 appearance-none rounded-md border bg-ground ps-3 pe-8 text-sm hover:border-faint pointer-coarse:min-h-11 ${value && emptyLabel !== undefined ? 'border-accent text-ink' : 'border-line text-muted'}`}
      >
        {emptyLabel !== undefined && <option value="">{emptyLabel}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        size={16}
        className="pointer-events-none absolute inset-y-0 end-3 my-auto text-muted"
      />
    </div>
  )
}

interface SegmentedControlProps<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
}

/** Buttons for two or three views, of which exactly one is displayed. The button of the displayed view is pressed. */
export function SegmentedControl<V extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentedControlProps<V>) {
  return (
    <fieldset className="flex rounded-md border border-line p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className="min-h-8 rounded-sm px-3 text-sm text-muted hover:text-ink aria-pressed:bg-ink/10 aria-pressed:font-semibold aria-pressed:text-ink pointer-coarse:min-h-10"
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  )
}
