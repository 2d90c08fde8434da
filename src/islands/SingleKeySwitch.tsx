import { useState } from 'react'
import { areSingleKeyShortcutsOn, storeSingleKeyShortcuts } from '../lib/single-key-shortcuts.ts'
import { Switch } from '../ui/Switch.tsx'

interface Props {
  label: string
  hint?: string
  onChange?: (areOn: boolean) => void
}

/** Turns the shortcuts that are a single character on or off on this device. */
export function SingleKeySwitch({ label, hint, onChange }: Props) {
  const [areOn, setAreOn] = useState(areSingleKeyShortcutsOn)
  return (
    <Switch
      label={label}
      hint={hint}
      checked={areOn}
      onChange={(isChecked) => {
        storeSingleKeyShortcuts(isChecked)
        setAreOn(isChecked)
        onChange?.(isChecked)
      }}
    />
  )
}
