import type { ComponentProps } from 'react'
import { Switch } from './Switch.tsx'
import { useSavedChoice } from './use-saved-choice.ts'

type Props = Omit<ComponentProps<typeof Switch>, 'onChange'> & {
  /** Saves the state, and reports a failure. Returns false after a failure. */
  onSave: (checked: boolean) => Promise<boolean>
}

/** Switch that saves each change immediately, and shows the new state while it is being saved. */
export function SavedSwitch({ checked, onSave, ...props }: Props) {
  const [isShownChecked, choose] = useSavedChoice(checked, onSave)
  return <Switch {...props} checked={isShownChecked} onChange={(isChecked) => void choose(isChecked)} />
}
