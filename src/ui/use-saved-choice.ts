import { useRef, useState } from 'react'

interface PendingChoice<V> {
  value: V
  /** Saves the choice. Returns false after a failure. */
  save: (value: V) => Promise<boolean>
  /** The saved value when the user made the choice. */
  previousValue: V
  isSaved: boolean
}

/**
 * State of a control whose choice is saved immediately. Returns the value to show, and a function that saves a choice.
 * The control shows the choice until it is rejected, or until `savedValue` has changed after it was saved. Choices are
 * saved one after another. Of the choices that are made while one is being saved, only the last is saved.
 */
export function useSavedChoice<V>(savedValue: V, save: (value: V) => Promise<boolean>) {
  const [pendingChoice, setPendingChoice] = useState<PendingChoice<V> | null>(null)
  /** The choice to save next, while an earlier choice is being saved; otherwise the choice that is being saved. */
  const lastChoiceRef = useRef<PendingChoice<V> | null>(null)
  const choose = async (value: V): Promise<void> => {
    const isSaving = lastChoiceRef.current !== null
    const lastChoice = { value, save, previousValue: savedValue, isSaved: false }
    lastChoiceRef.current = lastChoice
    setPendingChoice(lastChoice)
    if (isSaving) return
    for (let choice: PendingChoice<V> = lastChoice; ; choice = lastChoiceRef.current) {
      const isSaved = await choice.save(choice.value).catch(() => false)
      if (choice !== lastChoiceRef.current) continue
      lastChoiceRef.current = null
      setPendingChoice(isSaved ? { ...choice, isSaved } : null)
      return
    }
  }
  const isShown = pendingChoice && (!pendingChoice.isSaved || savedValue === pendingChoice.previousValue)
  return [isShown ? pendingChoice.value : savedValue, choose] as const
}
