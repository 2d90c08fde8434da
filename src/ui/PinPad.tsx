import { useEffect, useRef, useState } from 'react'
import { Keypad } from './Keypad.tsx'

interface Props {
  label: string
  digitLabel: (number: number) => string
  eraseLabel: string
  error: string | null
  disabled?: boolean
  onComplete: (pin: string) => void
}

/** Four boxes that advance by themselves and submit on the fourth digit; digits run left to right in every language. */
export function PinPad({ label, digitLabel, eraseLabel, error, disabled = false, onComplete }: Props) {
  const [digits, setDigits] = useState(['', '', '', ''])
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  useEffect(() => {
    if (error) setDigits(['', '', '', ''])
    if (!disabled) boxes.current[0]?.focus()
  }, [error, disabled])
  const fill = (at: number, text: string, stay = false) => {
    const given = western(text)
    if (!given) return
    const next = [...digits]
    for (const [offset, digit] of [...given].entries()) if (at + offset < 4) next[at + offset] = digit
    setDigits(next)
    if (!stay) boxes.current[Math.min(3, at + given.length)]?.focus()
    if (next.every(Boolean)) onComplete(next.join(''))
  }
  const back = (at: number) => {
    const target = digits[at] ? at : Math.max(0, at - 1)
    setDigits(digits.map((digit, index) => (index === target ? '' : digit)))
    boxes.current[target]?.focus()
  }
  return (
    <fieldset
      dir="ltr"
      className={`flex flex-col items-center gap-3 ${error ? 'shake' : ''}`}
      key={error ? 'wrong' : 'fresh'}
    >
      <legend className="sr-only">{label}</legend>
      <div className="flex gap-3">
        {digits.map((digit, at) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the boxes are their places
            key={at}
            ref={(element) => {
              boxes.current[at] = element
            }}
            data-first={at === 0 || undefined}
            aria-label={digitLabel(at + 1)}
            aria-invalid={error ? true : undefined}
            value={digit ? '•' : ''}
            disabled={disabled}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => fill(at, event.target.value.replace('•', ''))}
            onPaste={(event) => {
              event.preventDefault()
              fill(0, event.clipboardData.getData('text').slice(0, 8))
            }}
            onKeyDown={(event) => {
              if (event.key === 'Backspace') {
                event.preventDefault()
                back(at)
              }
              if (event.key === 'ArrowRight') boxes.current[at + 1]?.focus()
              if (event.key === 'ArrowLeft') boxes.current[at - 1]?.focus()
            }}
            className={`size-16 rounded-md border-2 bg-ground text-center text-xl font-bold ${error ? 'border-danger' : 'border-line focus:border-accent'}`}
          />
        ))}
      </div>
      <Keypad
        eraseLabel={eraseLabel}
        disabled={disabled}
        onDigit={(digit) => fill(digits.indexOf(''), digit, true)}
        onErase={() => setDigits(digits.with(Math.max(0, digits.findLastIndex(Boolean)), ''))}
      />
    </fieldset>
  )
}

/** The digits of a text, be they Western, Arabic or Persian. */
function western(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/\D/g, '')
}
