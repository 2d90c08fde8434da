import { useOptimisticChange } from '../../ui/use-optimistic-change.ts'
import { ToggleButton } from './FilterGroup.tsx'

/** `in`: only titles with the value; `out`: only titles without it. */
export type FilterState = 'any' | 'in' | 'out'

/**
 * A toggle button for one value of a filter. Each press selects the next of `states`. `getAccessibleName` returns the
 * name of the button in a state; by default, the name is `labelText`.
 */
export function FilterToggle({
  labelText,
  hasInitialFocus = false,
  state,
  states = ['any', 'in'],
  getAccessibleName,
  onChange,
}: {
  labelText: string
  /** True for the button that receives the focus when the dialog opens. */
  hasInitialFocus?: boolean
  state: FilterState
  states?: readonly FilterState[]
  getAccessibleName?: (state: FilterState) => string
  onChange: (state: FilterState) => void
}) {
  const [shownState, changeState] = useOptimisticChange(state, onChange)
  const nextState = states[(states.indexOf(shownState) + 1) % states.length] as FilterState
  return (
    <ToggleButton
      hasInitialFocus={hasInitialFocus}
      labelText={labelText}
      isActive={shownState === 'in'}
      isExcluded={shownState === 'out'}
      accessibleName={getAccessibleName?.(shownState)}
      onClick={() => changeState(nextState)}
    />
  )
}
