import { useId } from 'react'
import { Check } from '../../icons/index.ts'

interface Props<V extends string> {
  label: string
  value: V
  /** `lang` is the language of the label; `note` follows the label in the language of the page. */
  options: readonly { value: V; label: string; lang?: string | undefined; note?: string | undefined }[]
  onChange: (value: V) => void
  /** True if the options are side by side instead of one per row. */
  isInline?: boolean
}

/**
 * Radio group in which every option is a tab stop. The arrow keys of a remote control can move through the
 * options and leave the group.
 */
export function RadioGroup<V extends string>({
  label,
  value,
  options,
  onChange,
  isInline = false,
}: Props<V>) {
  const id = useId()
  return (
    <div
      role="radiogroup"
      aria-labelledby={id}
      className={isInline ? 'flex flex-wrap items-center gap-x-3' : ''}
    >
      <p id={id} className={isInline ? 'w-24 shrink-0 text-sm text-muted' : 'px-3 pb-1 text-sm text-muted'}>
        {label}
      </p>
      <div className={isInline ? 'flex flex-wrap gap-1' : 'flex flex-col'}>
        {options.map((option) => (
          // biome-ignore lint/a11y/useSemanticElements: a native radio captures the arrow keys
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={option.value === value}
            onClick={() => onChange(option.value)}
            className={`flex items-center gap-2 rounded-md px-3 text-start hover:bg-white/10 ${isInline ? 'min-h-9 pointer-coarse:min-h-11 border border-line text-sm aria-checked:border-accent' : 'min-h-11'}`}
          >
            {!isInline && (
              <Check
                aria-hidden
                size={18}
                className={`shrink-0 text-accent ${option.value === value ? '' : 'invisible'}`}
              />
            )}
            <span className="min-w-0 wrap-anywhere">
              <bdi lang={option.lang}>{option.label}</bdi>
              {option.note && ` · ${option.note}`}
            </span>
          </button>
        ))}
      </div>
    </div>
  )
}
