import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { Keypad } from './Keypad.tsx'
import { EMPTY_PIN, insertPinDigits, type PinDigits } from './pin-digits.ts'

/** Calls `onIncomplete` and returns true while some digits are entered, but not all. */
export type RejectIncompletePin = () => boolean

interface Props {
  ref?: Ref<RejectIncompletePin>
  label: string
  getDigitLabel: (digitNumber: number) => string
  eraseLabel: string
  error: string | null
  /** Id of the element that displays the error. */
  messageId?: string
  isDisabled?: boolean
  onComplete: (pin: string) => void
  /**
   * Called when the user presses Enter, or the form calls the function in `ref`, while some digits are entered, but not
   * all.
   */
  onIncomplete: () => void
}

/**
 * Four inputs for a PIN. The focus advances automatically, and the digit that completes the PIN submits it. The order
 * is left to right in every language. While `isDisabled` is true, for example while the PIN is sent, nothing can be
 * entered, and the focus stays. After an error, the focus moves to the first input, unless a key of the keypad has the
 * focus.
 */
export function PinInput({
  ref,
  label,
  getDigitLabel,
  eraseLabel,
  error,
  messageId,
  isDisabled = false,
  onComplete,
  onIncomplete,
}: Props) {
  const [digits, setDigits] = useState<PinDigits>(EMPTY_PIN)
  const inputsRef = useRef<(HTMLInputElement | null)[]>([])
  const keypadRef = useRef<HTMLDivElement>(null)
  useEffect(() => inputsRef.current[0]?.focus(), [])
  // This is a layout effect, so that the inputs are already empty when the error becomes visible. Otherwise, a digit
  // that is entered at this moment would complete the wrong PIN again.
  useLayoutEffect(() => {
    if (!error) return
    setDigits(EMPTY_PIN)
    if (!keypadRef.current?.contains(document.activeElement)) inputsRef.current[0]?.focus()
  }, [error])
  const enterDigits = (startIndex: number, enteredText: string, shouldKeepFocus = false) => {
    if (isDisabled) return
    const newDigits = insertPinDigits(digits, enteredText, startIndex)
    // A digit of the keypad has no effect while all digits are entered, so that the PIN is not submitted again.
    if (newDigits === digits) return
    setDigits(newDigits)
    const nextIndex = newDigits.indexOf('', startIndex)
    if (!shouldKeepFocus) inputsRef.current[nextIndex < 0 ? newDigits.length - 1 : nextIndex]?.focus()
    if (newDigits.every(Boolean)) onComplete(newDigits.join(''))
  }
  const isEmpty = !digits.some(Boolean)
  const rejectIncompletePin = () => {
    if (isEmpty || digits.every(Boolean)) return false
    onIncomplete()
    return true
  }
  useImperativeHandle(ref, () => rejectIncompletePin)
  const eraseDigit = (index: number) => {
    if (!isDisabled) setDigits(digits.with(Math.max(0, index), ''))
  }
  const eraseDigitAndFocus = (index: number) => {
    const targetIndex = digits[index] ? index : Math.max(0, index - 1)
    eraseDigit(targetIndex)
    inputsRef.current[targetIndex]?.focus()
  }
  return (
    <fieldset
      dir="ltr"
      // Each submission removes the error. The animation therefore starts again with the next error.
      className={`flex min-w-0 flex-col items-center gap-3 ${error ? 'shake' : ''}`}
    >
      <legend className="sr-only">{label}</legend>
      <div className="flex max-w-full gap-3">
        {digits.map((digit, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the inputs have a fixed order
            key={index}
            ref={(element) => {
              inputsRef.current[index] = element
            }}
            data-first={index === 0 || undefined}
            /*
             * On a remote control, Backspace is the Back key. While no digit is entered, page-scripts/back-key.ts
             * therefore handles the key as Back.
             */
            data-leave-on-backspace={isEmpty || undefined}
            aria-label={getDigitLabel(index + 1)}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? messageId : undefined}
            value={digit ? '•' : ''}
            readOnly={isDisabled}
            aria-disabled={isDisabled || undefined}
            inputMode="numeric"
            autoComplete="off"
            onChange={(event) => enterDigits(index, event.target.value.replace('•', ''))}
            onPaste={(event) => {
              event.preventDefault()
              enterDigits(0, event.clipboardData.getData('text'))
            }}
            onKeyDown={(event) => {
              const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
              const neighbourInput = step !== undefined && inputsRef.current[index + step]
              if (neighbourInput) neighbourInput.focus()
              else if (event.key === 'Backspace' && !isEmpty) eraseDigitAndFocus(index)
              else if (event.key !== 'Enter' || !rejectIncompletePin()) return
              event.preventDefault()
            }}
            className={`size-16 min-w-0 rounded-md border-2 bg-ground text-center text-xl font-bold ${error ? 'border-danger' : 'border-line focus:border-accent'}`}
          />
        ))}
      </div>
      <Keypad
        eraseLabel={eraseLabel}
        ref={keypadRef}
        isDisabled={isDisabled}
        onDigit={(digit) => enterDigits(digits.indexOf(''), digit, true)}
        onErase={() => eraseDigit(digits.findLastIndex(Boolean))}
      />
    </fieldset>
  )
}
