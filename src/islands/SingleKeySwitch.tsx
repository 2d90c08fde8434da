import { useState } from 'react'
import { areSingleKeyShortcutsOn, storeSingleKeyShortcuts } from '../lib/single-key-shortcuts.ts'
import { Switch } from '../ui/Switch.tsx'

interface Props {
  label: string
  hint?: string
  onChange?: (areShortcutsOn: boolean) => void
}

/**
 * Switch that turns single-key shortcuts on or off on this device. The key of such a shortcut is a single character.
 */
export function SingleKeySwitch({ label, hint, onChange }: Props) {
  const [areShortcutsOn, setAreShortcutsOn] = useState(areSingleKeyShortcutsOn)
  return (
    <Switch
      label={label}
      hint={hint}
      checked={areShortcutsOn}
      onChange={(isChecked) => {
        storeSingleKeyShortcuts(isChecked)
        setAreShortcutsOn(isChecked)
        onChange?.(isChecked)
      }}
    />
  )
}
