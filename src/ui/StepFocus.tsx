import { useEffect, useRef } from 'react'

/**
 * Moves the focus when its dialog or page displays another step, because the pressed button no longer exists. In a
 * dialog, the first field gets the focus. Otherwise, and on a page, the heading gets it. Without this, the nearest
 * button would get the focus, and screen readers would not read the new step.
 */
export function StepFocus({ step }: { step: string }) {
  const elementRef = useRef<HTMLSpanElement>(null)
  const lastStepRef = useRef(step)
  useEffect(() => {
    if (lastStepRef.current === step) return
    lastStepRef.current = step
    const container = elementRef.current?.closest('dialog,main')
    const field = container?.matches('dialog')
      ? container.querySelector<HTMLElement>('[data-first],input,textarea')
      : null
    const target = field ?? container?.querySelector<HTMLElement>('h1,h2')
    if (target && target !== field) target.tabIndex = -1
    target?.focus()
  }, [step])
  return <span ref={elementRef} hidden />
}
