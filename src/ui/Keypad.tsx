import type { Ref } from 'react'
import { Delete } from '../icons/index.ts'

interface Props {
  eraseLabel: string
  isDisabled: boolean
  ref: Ref<HTMLDivElement>
  onDigit: (digit: string) => void
  onErase: () => void
}
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0'] as const

/** A numeric keypad for TV remotes without digits. The style sheet shows it only where a television is likely. */
export function Keypad({ eraseLabel, isDisabled, ref, onDigit, onErase }: Props) {
  const keyClass =
    'grid h-13 w-16 place-items-center rounded-md border border-line bg-overlay text-lg font-bold aria-disabled:opacity-50'
  return (
    <div ref={ref} className="keypad">
      {KEYS.map((digit) =>
        digit ? (
          <button
            key={digit}
            type="button"
            aria-disabled={isDisabled || undefined}
            onClick={() => onDigit(digit)}
            className={keyClass}
          >
            {digit}
          </button>
        ) : (
          <span key="gap" />
        ),
      )}
      <button
        type="button"
        aria-disabled={isDisabled || undefined}
        aria-label={eraseLabel}
        onClick={onErase}
        className={keyClass}
      >
        <Delete aria-hidden size={22} />
      </button>
    </div>
  )
}
