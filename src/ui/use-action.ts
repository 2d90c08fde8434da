import { useRef, useState } from 'react'
import { getTopToastOutlet } from './toast-outlets.ts'

/** Number of running actions of each dialog. */
const runningActionCounts = new WeakMap<Element, number>()

/** True while an action runs that was started in the dialog. */
export const isDialogBusy = (dialog: Element) => (runningActionCounts.get(dialog) ?? 0) > 0

/**
 * Runs an action. While the action runs, the modal dialog that was on top when the action started is busy. Rejects with
 * the error of the action.
 */
export async function runInTopDialog(action: () => Promise<unknown>): Promise<void> {
  const dialog = getTopToastOutlet()?.closest('dialog')
  const changeActionCount = (step: 1 | -1) => {
    if (dialog) runningActionCounts.set(dialog, (runningActionCounts.get(dialog) ?? 0) + step)
  }
  changeActionCount(1)
  try {
    await action()
  } finally {
    changeActionCount(-1)
  }
}

/**
 * Returns whether an action is running, and a function that runs an action, such as a request to the server. While the
 * action runs, its dialog stays open, so that the user sees the result. Further actions are ignored, so the submit
 * button only needs `aria-disabled`. With `disabled`, the button would lose the focus.
 */
export function useAction() {
  const [isRunning, setIsRunning] = useState(false)
  const isRunningRef = useRef(false)
  const runAction = async (action: () => Promise<unknown>): Promise<void> => {
    if (isRunningRef.current) return
    isRunningRef.current = true
    setIsRunning(true)
    try {
      await runInTopDialog(action)
    } finally {
      isRunningRef.current = false
      setIsRunning(false)
    }
  }
  return [isRunning, runAction] as const
}
