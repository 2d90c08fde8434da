import { startTransition, useEffect, useId, useState } from 'react'
import { ChevronDown } from '../icons/index.ts'

interface Props<V extends string> {
  label: string
  value: V
  /** `lang` is the language of the label, if it differs from the language of the page. */
  options: readonly { value: V; label: string; lang?: string }[]
  onChange: (value: V) => void
  /** Hides the label visually; it stays available to assistive technology. */
  isLabelHidden?: boolean
  /** Reduces the padding, for narrow spaces such as below a poster. */
  isCompact?: boolean
  /**
   * Renders only the selected option before the first paint, even if the list is short. Only for a select whose width
   * does not depend on its options.
   */
  areOptionsDeferred?: boolean
}

/** If there are more options than this, only the selected option is rendered before the first paint. */
const MAX_INITIAL_OPTIONS = 12

export function Select<V extends string>({
  label,
  value,
  options,
  onChange,
  isLabelHidden = false,
  isCompact = false,
  areOptionsDeferred = false,
}: Props<V>) {
  const id = useId()
  /* A long list, such as the years, first renders only its selected option, so that it does not delay the page. */
  const areAllShownAtOnce = !areOptionsDeferred && options.length <= MAX_INITIAL_OPTIONS
  const [areAllShown, setAreAllShown] = useState(areAllShownAtOnce)
  useEffect(() => {
    /* The other options render after the first visible frame, which may be long after the first render. */
    const frameRequestId = requestAnimationFrame(() =>
      setTimeout(() => startTransition(() => setAreAllShown(true))),
    )
    return () => {
      cancelAnimationFrame(frameRequestId)
      /*
       * React Activity keeps the state of a hidden dialog. A long list is reduced to its selected option again, so that
       * it does not delay the next opening of the dialog.
       */
      setAreAllShown(areAllShownAtOnce)
    }
  }, [areAllShownAtOnce])
  const visibleOptions = areAllShown ? options : options.filter((option) => option.value === value)
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'text-sm font-medium text-muted'}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value as V)}
          className={`min-h-11 w-full appearance-none truncate rounded-md border border-line bg-overlay text-ink hover:border-faint ${isCompact ? 'ps-3 pe-7 text-sm' : 'ps-4 pe-10'}`}
        >
          {visibleOptions.map((option) => (
            <option key={option.value} value={option.value} lang={option.lang}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          size={18}
          className={`pointer-events-none absolute inset-y-0 my-auto text-muted ${isCompact ? 'end-2' : 'end-3'}`}
        />
      </div>
    </div>
  )
}
