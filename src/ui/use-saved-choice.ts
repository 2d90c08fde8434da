import { useRef, useState } from 'react'

interface PendingChoice<V> {
  value: V
  /** Saves the choice. Returns false after a failure. */
  save: (value: V) => Promise<boolean>
}

/**
 * State of a control whose choice is saved immediately. Returns the value to show, and a function that saves a choice.
 * The control shows the choice until it is saved or rejected. Choices are saved one after another. Of the choices that
 * are made while one is being saved, only the last is saved.
 *
 * `loadedData` is the data that contains `savedValue`, if the data is reloaded only after `save` has resolved. The
 * control then shows the choice until `loadedData` changes.
 */
export function useSavedChoice<V>(
  savedValue: V,
  save: (value: V) => Promise<boolean>,
  loadedData?: object | undefined,
) {
  const [pendingChoice, setPendingChoice] = useState<PendingChoice<V> | null>(null)
  /** The saved choice, and the data that is older than this choice. */
  const [savedChoice, setSavedChoice] = useState<{ value: V; dataBeforeSave: object | undefined } | null>(
    null,
  )
  /** The newest choice, until it has been saved or rejected; null if no choice is being saved. */
  const lastChoiceRef = useRef<PendingChoice<V> | null>(null)
  const loadedDataRef = useRef(loadedData)
  loadedDataRef.current = loadedData
  const choose = async (value: V): Promise<void> => {
    const isSaving = lastChoiceRef.current !== null
    const lastChoice = { value, save }
    lastChoiceRef.current = lastChoice
    setPendingChoice(lastChoice)
    if (isSaving) return
    for (let choice: PendingChoice<V> = lastChoice; ; choice = lastChoiceRef.current) {
      const isSaved = await choice.save(choice.value).catch(() => false)
      if (choice !== lastChoiceRef.current) continue
      lastChoiceRef.current = null
      setPendingChoice(null)
      setSavedChoice(isSaved ? { value: choice.value, dataBeforeSave: loadedDataRef.current } : null)
      return
    }
  }
  const isReloadAwaited =
    savedChoice !== null && loadedData !== undefined && savedChoice.dataBeforeSave === loadedData
  const loadedValue = isReloadAwaited ? savedChoice.value : savedValue
  return [pendingChoice ? pendingChoice.value : loadedValue, choose] as const
}
