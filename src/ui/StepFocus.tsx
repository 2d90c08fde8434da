import { useEffect, useId, useRef } from 'react'

/**
 * Moves the focus when its dialog or page displays another step, because the pressed button no longer exists. In a
 * dialog, the first field gets the focus. In a dialog without a field, and on a page, the heading gets the focus.
 * Without this component, the nearest button would get the focus, and screen readers would not read the new step. The
 * message of a step (`role="status"` or `role="alert"`) describes the heading, because screen readers do not announce a
 * message that appears together with its element.
 */
export function StepFocus({ step }: { step: string }) {
  const messageId = useId()
  const elementRef = useRef<HTMLSpanElement>(null)
  const lastStepRef = useRef(step)
  useEffect(() => {
    if (lastStepRef.current === step) return
    lastStepRef.current = step
    const dialog = elementRef.current?.closest('dialog')
    const container = dialog ?? elementRef.current?.closest('main')
    const field = dialog?.querySelector<HTMLElement>('[data-first],input,select,textarea')
    const heading = container?.querySelector<HTMLElement>('h1,h2')
    const message = container?.querySelector('[role=status]:not(:empty),[role=alert]:not(:empty)')
    if (message) message.id ||= messageId
    if (heading) {
      heading.tabIndex = -1
      if (message) heading.setAttribute('aria-describedby', message.id)
      else heading.removeAttribute('aria-describedby')
    }
    // A dialog keeps the scroll position of the previous step, which would hide the heading of the new step.
    if (dialog) dialog.scrollTop = 0
    ;(field ?? heading)?.focus()
  }, [step, messageId])
  return <span ref={elementRef} hidden />
}
