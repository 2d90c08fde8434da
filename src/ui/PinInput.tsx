import { useEffect, useRef, useState } from 'react'
import { Keypad } from './Keypad.tsx'

interface Props {
  label: string
  getDigitLabel: (digitNumber: number) => string
  eraseLabel: string
  error: string | null
  disabled?: boolean
  onComplete: (pin: string) => void
}

/**
 * Four inputs for a PIN. The focus advances automatically, and the fourth digit submits the PIN. The order is left to
 * right in every language.
 */
export function PinInput({ label, getDigitLabel, eraseLabel, error, disabled = false, onComplete }: Props) {
  const [digits, setDigits] = useState(['', '', '', ''])
  const inputsRef = useRef<(HTMLInputElement | null)[]>([])
  useEffect(() => {
    if (error) setDigits(['', '', '', ''])
    if (!disabled) inputsRef.current[0]?.focus()
  }, [error, disabled])
  const enterDigits = (startIndex: number, enteredText: string, shouldKeepFocus = false) => {
    const enteredDigits = toWesternDigits(enteredText)
    if (!enteredDigits) return
    const newDigits = [...digits]
    for (const [digitOffset, digit] of [...enteredDigits].entries())
      if (startIndex + digitOffset < 4) newDigits[startIndex + digitOffset] = digit
    setDigits(newDigits)
    if (!shouldKeepFocus) inputsRef.current[Math.min(3, startIndex + enteredDigits.length)]?.focus()
    if (newDigits.every(Boolean)) onComplete(newDigits.join(''))
  }
  const isEmpty = !digits.some(Boolean)
  const deleteDigit = (index: number) => {
    const targetIndex = digits[index] ? index : Math.max(0, index - 1)
    setDigits(digits.with(targetIndex, ''))
    inputsRef.current[targetIndex]?.focus()
  }
  return (
    <fieldset
      dir="ltr"
      className={`flex flex-col items-center gap-3 ${error ? 'shake' : ''}`}
      key={error ? 'wrong' : 'fresh'}
    >
      <legend className="sr-only">{label}</legend>
      <div className="flex gap-3">
        {digits.map((digit, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the inputs have a fixed order
            key={index}
            ref={(element) => {
              inputsRef.current[index] = element
            }}
            data-first={index === 0 || undefined}
            /* On a remote control, Backspace is the Back key. While no digit is entered, it therefore goes back. */
            data-leave-on-backspace={isEmpty || undefined}
            aria-label={getDigitLabel(index + 1)}
            aria-invalid={error ? true : undefined}
            value={digit ? '•' : ''}
            disabled={disabled}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => enterDigits(index, event.target.value.replace('•', ''))}
            onPaste={(event) => {
              event.preventDefault()
              enterDigits(0, event.clipboardData.getData('text').slice(0, 8))
            }}
            onKeyDown={(event) => {
              const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
              const neighbourInput = step !== undefined && inputsRef.current[index + step]
              if (neighbourInput) neighbourInput.focus()
              else if (event.key === 'Backspace' && !isEmpty) deleteDigit(index)
              else return
              event.preventDefault()
            }}
            className={`size-16 rounded-md border-2 bg-ground text-center text-xl font-bold ${error ? 'border-danger' : 'border-line focus:border-accent'}`}
          />
        ))}
      </div>
      <Keypad
        eraseLabel={eraseLabel}
        disabled={disabled}
        onDigit={(digit) => enterDigits(digits.indexOf(''), digit, true)}
        onErase={() => setDigits(digits.with(Math.max(0, digits.findLastIndex(Boolean)), ''))}
      />
    </fieldset>
  )
}

/** Returns the Western, Arabic and Persian digits of a text as Western digits. */
function toWesternDigits(text: string): string {
  return text
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) - 0x6f0))
    .replace(/\D/g, '')
}
