import type { ComponentProps } from 'react'
import { Select } from './Select.tsx'
import { useSavedChoice } from './use-saved-choice.ts'

type Props<V extends string> = Omit<ComponentProps<typeof Select<V>>, 'onChange'> & {
  /** Saves the choice, and reports a failure. Returns false after a failure. */
  onSave: (value: V) => Promise<boolean>
  /**
   * The data that contains the value, if this data is reloaded only after `onSave` has resolved (see `useSavedChoice`).
   */
  loadedData?: object | undefined
}

/** Select that saves each choice immediately, and shows the choice while it is being saved. */
export function SavedSelect<V extends string>({ value, onSave, loadedData, ...props }: Props<V>) {
  const [shownValue, choose] = useSavedChoice(value, onSave, loadedData)
  return <Select {...props} value={shownValue} onChange={(choice) => void choose(choice)} />
}
