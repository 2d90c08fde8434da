import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { ArrowDown, ArrowUp } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { type HomeRow, type HomeRowPreference, orderHomeRows } from '../../lib/rules/home-rows.ts'
import { moveHomeRow } from '../../lib/rules/move-home-row.ts'
import { $profile } from '../../lib/stores/profile.ts'
import { updateProfile } from '../../lib/stores/profile-changes.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Switch } from '../../ui/Switch.tsx'

const getRowName = (row: HomeRow) => t(`customise:row_${row}`)
const MOVE_BUTTONS = [
  [-1, 'customise:up', ArrowUp],
  [1, 'customise:down', ArrowDown],
] as const

/** Changes the order and visibility of the home rows. Each change is saved immediately. */
export default function CustomiseHomeDialog({ onClose }: { onClose: () => void }) {
  const profile = useStore($profile)
  const [rows, setRows] = useState(() => orderHomeRows(profile?.preferences.home_rows ?? []))
  const [announcement, setAnnouncement] = useState('')
  const pressedButtonKeyRef = useRef<string | null>(null)
  const listRef = useRef<HTMLOListElement>(null)
  const lastSavePromiseRef = useRef(Promise.resolve())
  /* Focuses the pressed button again. The button loses the focus when React moves its row in the DOM. */
  useEffect(() => {
    if (pressedButtonKeyRef.current)
      listRef.current?.querySelector<HTMLElement>(`[data-move="${pressedButtonKeyRef.current}"]`)?.focus()
    pressedButtonKeyRef.current = null
  })
  if (!profile) return null
  const saveRows = (newRows: HomeRowPreference[], home_rows = newRows) => {
    setRows(newRows)
    lastSavePromiseRef.current = lastSavePromiseRef.current.then(async () => {
      try {
        await updateProfile(profile.profile_id, { preferences: { home_rows } })
      } catch {
        showToast('errors:generic', { kind: 'bad' })
        setRows(orderHomeRows($profile.get()?.preferences.home_rows ?? []))
      }
    })
  }
  const moveRow = (row: HomeRow, step: 1 | -1) => {
    const newRows = moveHomeRow(rows, row, step)
    const newPosition = newRows.findIndex((homeRow) => homeRow.row === row) + 1
    pressedButtonKeyRef.current = `${row}${step}`
    setAnnouncement(t('customise:moved', { row: getRowName(row), place: newPosition, count: newRows.length }))
    saveRows(newRows)
  }
  return (
    <Dialog title={t('customise:title')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('customise:hint')}</p>
      <ol ref={listRef} className="divide-y divide-line">
        {rows.map(({ row, hidden }, index) => (
          <li key={row} className="flex items-center gap-2 py-1.5">
            <div className="min-w-0 grow">
              <Switch
                label={getRowName(row)}
                hasInitialFocus={index === 0}
                checked={!hidden}
                onChange={(isVisible) =>
                  saveRows(
                    rows.map((homeRow) => (homeRow.row === row ? { row, hidden: !isVisible } : homeRow)),
                  )
                }
              />
            </div>
            {MOVE_BUTTONS.map(([step, labelKey, Icon]) => (
              <IconButton
                key={step}
                data-move={`${row}${step}`}
                label={t(labelKey, { row: getRowName(row) })}
                aria-disabled={index + step < 0 || index + step >= rows.length}
                onClick={() => moveRow(row, step)}
              >
                <Icon aria-hidden size={18} />
              </IconButton>
            ))}
          </li>
        ))}
      </ol>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <DialogActions>
        <Button variant="quiet" className="me-auto" onClick={() => saveRows(orderHomeRows([]), [])}>
          {t('customise:reset')}
        </Button>
        <Button variant="primary" onClick={onClose}>
          {t('common:done')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
