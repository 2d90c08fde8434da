import { useStore } from '@nanostores/react'
import { useState } from 'react'
import type { ReplyOf } from '../../../lib/contract/endpoint.ts'
import type { getImport, ImportedRow } from '../../../lib/contract/transfer.ts'
import { t } from '../../../lib/i18n/t.ts'
import { $page, $shown, decide, show } from '../../../lib/stores/transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { PickTitle } from './PickTitle.tsx'
import { RowItem } from './RowItem.tsx'

interface Props {
  list: ReplyOf<typeof getImport>['list']
  busy: boolean
}

/** Twenty rows and the way to the others. */
export function RowList({ list, busy }: Props) {
  const page = useStore($page)
  const shown = useStore($shown)
  const [picking, setPicking] = useState<ImportedRow | null>(null)
  const pages = Math.max(1, list.total_pages ?? 1)
  return (
    <div className="flex flex-col gap-3">
      {list.results.length === 0 && <p className="text-muted">{t('transfer:nothing')}</p>}
      <ul className="divide-y divide-line">
        {list.results.map((row) => (
          <RowItem key={row.n} row={row} busy={busy} onPick={() => setPicking(row)} />
        ))}
      </ul>
      {pages > 1 && (
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={page <= 1} onClick={() => show(shown, page - 1)}>
            {t('common:previous')}
          </Button>
          <span className="text-sm text-muted">{t('transfer:page', { page, pages })}</span>
          <Button disabled={page >= pages} onClick={() => show(shown, page + 1)}>
            {t('common:next')}
          </Button>
        </div>
      )}
      {picking && (
        <PickTitle
          row={picking}
          onClose={() => setPicking(null)}
          onPick={(media) => {
            setPicking(null)
            void decide(picking.n, media)
          }}
        />
      )}
    </div>
  )
}
