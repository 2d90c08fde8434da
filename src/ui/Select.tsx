import { ChevronDown } from 'lucide-react'
import { startTransition, useEffect, useId, useState } from 'react'

interface Props<V extends string> {
  label: string
  value: V
  options: readonly { value: V; label: string }[]
  onChange: (value: V) => void
  /** The label is for assistive technology alone. */
  bare?: boolean
  /** For narrow places, such as below a poster. */
  slim?: boolean
}

const FEW = 12

export function Select<V extends string>({
  label,
  value,
  options,
  onChange,
  bare = false,
  slim = false,
}: Props<V>) {
  const id = useId()
  /* A hundred years are there a moment after the one that is chosen: nobody waits for them to see the box. */
  const [all, setAll] = useState(options.length <= FEW)
  useEffect(() => {
    /* When it is seen, which may be long after it was drawn; and not in that frame. */
    const frame = requestAnimationFrame(() => setTimeout(() => startTransition(() => setAll(true))))
    return () => cancelAnimationFrame(frame)
  }, [])
  const shown = all ? options : options.filter((option) => option.value === value)
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className={bare ? 'sr-only' : 'text-sm font-medium text-muted'}>
        {label}
      </label>
      <div className="relative">
        <select
          id={id}
          value={value}
          onChange={(event) => onChange(event.target.value as V)}
          className={`min-h-11 w-full appearance-none truncate rounded-md border border-line bg-overlay text-ink hover:border-faint ${slim ? 'ps-3 pe-7 text-sm' : 'ps-4 pe-10'}`}
        >
          {shown.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          size={18}
          className={`pointer-events-none absolute inset-y-0 my-auto text-muted ${slim ? 'end-2' : 'end-3'}`}
        />
      </div>
    </div>
  )
}
