import { useStore } from '@nanostores/react'
import { t } from '../../lib/i18n/t.ts'
import { WATCH_STATES } from '../../lib/rules/limits.ts'
import { $listed, setWatchState, type Title } from '../../lib/stores/watchlist.ts'
import { Select } from '../../ui/Select.tsx'

/** Planned, watching or completed, once a title is in My List. */
export function StateSelect({ title, name }: { title: Title; name: string }) {
  const entry = useStore($listed)[`${title.type}/${title.id}`]
  if (!entry?.in_watchlist) return null
  return (
    <Select
      bare
      label={t('mylist:changeState', { title: name })}
      value={entry.state ?? 'planned'}
      options={WATCH_STATES.map((state) => ({ value: state, label: t(`mylist:${state}`) }))}
      onChange={(state) => void setWatchState(title, state)}
    />
  )
}
