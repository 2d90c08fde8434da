import type { ComponentProps } from 'react'
import { Select } from './Select.tsx'
import { useSavedChoice } from './use-saved-choice.ts'

type Props<V extends string> = Omit<ComponentProps<typeof Select<V>>, 'onChange'> & {
  /** Saves the choice, and reports a failure. Returns false after a failure. */
  onSave: (value: V) => Promise<boolean>
}

/** Select that saves each choice immediately, and shows the choice while it is being saved. */
export function SavedSelect<V extends string>({ value, onSave, ...props }: Props<V>) {
  const [shownValue, choose] = useSavedChoice(value, onSave)
  return <Select {...props} value={shownValue} onChange={(choice) => void choose(choice)} />
}
