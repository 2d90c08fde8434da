import { useStore } from '@nanostores/react'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { type HomeRow, type HomeRowWish, homeRows, moveRow } from '../../lib/rules/home-rows.ts'
import { $profile, updateProfile } from '../../lib/stores/profile.ts'
import { toast } from '../../lib/stores/toast.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Switch } from '../../ui/Switch.tsx'

const nameOf = (row: HomeRow) => t(`customise:row_${row}`)
const STEPS = [
  [-1, 'customise:up', ArrowUp],
  [1, 'customise:down', ArrowDown],
] as const

/** The rows of home: their order, and which of them are shown. Each change is kept at once. */
export default function Customise({ onClose }: { onClose: () => void }) {
  const profile = useStore($profile)
  const [rows, setRows] = useState(() => homeRows(profile?.preferences.home_rows ?? []))
  const [said, setSaid] = useState('')
  const moved = useRef<string | null>(null)
  const list = useRef<HTMLOListElement>(null)
  const last = useRef(Promise.resolve())
  /* A row that moved keeps the focus on the button that moved it. */
  useEffect(() => {
    if (moved.current) list.current?.querySelector<HTMLElement>(`[data-move="${moved.current}"]`)?.focus()
    moved.current = null
  })
  if (!profile) return null
  const keep = (next: HomeRowWish[], home_rows = next) => {
    setRows(next)
    last.current = last.current.then(async () => {
      try {
        await updateProfile(profile.profile_id, { preferences: { home_rows } })
      } catch {
        toast('errors:generic', { kind: 'bad' })
        setRows(homeRows($profile.get()?.preferences.home_rows ?? []))
      }
    })
  }
  const move = (row: HomeRow, step: 1 | -1) => {
    const next = moveRow(rows, row, step)
    const place = next.findIndex((one) => one.row === row) + 1
    moved.current = `${row}${step}`
    setSaid(t('customise:moved', { row: nameOf(row), place, count: next.length }))
    keep(next)
  }
  return (
    <Dialog title={t('customise:title')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('customise:hint')}</p>
      <ol ref={list} className="divide-y divide-line">
        {rows.map(({ row, hidden }, at) => (
          <li key={row} className="flex items-center gap-2 py-1.5">
            <div className="min-w-0 grow">
              <Switch
                label={nameOf(row)}
                checked={!hidden}
                onChange={(on) => keep(rows.map((one) => (one.row === row ? { row, hidden: !on } : one)))}
              />
            </div>
            {STEPS.map(([step, key, Icon]) => (
              <IconButton
                key={step}
                data-move={`${row}${step}`}
                label={t(key, { row: nameOf(row) })}
                aria-disabled={at + step < 0 || at + step >= rows.length}
                className="aria-disabled:opacity-40"
                onClick={() => move(row, step)}
              >
                <Icon aria-hidden size={18} />
              </IconButton>
            ))}
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {said}
      </p>
      <div className="flex flex-wrap justify-between gap-3">
        <Button look="quiet" onClick={() => keep(homeRows([]), [])}>
          {t('customise:reset')}
        </Button>
        <Button look="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      </div>
    </Dialog>
  )
}
