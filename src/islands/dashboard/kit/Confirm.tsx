import { type ReactNode, useState } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Action } from './Action.tsx'

interface Props {
  title: string
  /** What will happen, and to how many. */
  children: ReactNode
  /** The button that does it. */
  does: string
  /** Does it; the dialog closes when it is done. */
  onConfirm: () => Promise<unknown>
  onClose: () => void
}

/** Asks before something is lost. */
export function Confirm({ title, children, does, onConfirm, onClose }: Props) {
  const [busy, setBusy] = useState(false)
  return (
    <Dialog title={title} closeLabel={t('common:close')} onClose={onClose}>
      <div className="flex flex-col gap-2 text-muted">{children}</div>
      <div className="flex flex-wrap justify-end gap-3">
        <Action data-first onClick={onClose}>
          {t('common:cancel')}
        </Action>
        <Action
          look="alarm"
          disabled={busy}
          onClick={() => {
            setBusy(true)
            void onConfirm().finally(onClose)
          }}
        >
          {does}
        </Action>
      </div>
    </Dialog>
  )
}
