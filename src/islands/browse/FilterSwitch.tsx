import { Switch } from '../../ui/Switch.tsx'
import { useOptimisticChange } from '../../ui/use-optimistic-change.ts'

/** A switch for a filter that is either set or not. */
export function FilterSwitch({
  label,
  checked,
  onChange,
}: {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
}) {
  const [isShownChecked, changeChecked] = useOptimisticChange(checked, onChange)
  return <Switch label={label} checked={isShownChecked} onChange={changeChecked} />
}
