import { useStore } from '@nanostores/react'
import { formatRelativeTime } from '../../../lib/i18n/format-instant.ts'
import { t } from '../../../lib/i18n/t.ts'
import {
  $historyImports,
  $openedImportId,
  openImport,
  undoImport,
} from '../../../lib/stores/history-transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { SectionPlaceholder } from '../../SectionPlaceholder.tsx'

export function PastImports() {
  const { data: importsReply } = useStore($historyImports)
  const openedImportId = useStore($openedImportId)
  if (!importsReply) return <SectionPlaceholder $read={$historyImports} />
  const pastImports = importsReply.results.filter(
    (historyImport) => historyImport.import_id !== openedImportId,
  )
  if (pastImports.length === 0) return null
  return (
    <section aria-labelledby="past-imports" className="flex flex-col gap-2">
      <h3 id="past-imports" className="font-bold">
        {t('transfer:pastImports')}
      </h3>
      <ul className="divide-y divide-line">
        {pastImports.map((historyImport) => (
          <li key={historyImport.import_id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-0 grow">
              <bdi className="block break-all font-medium">{historyImport.file_name}</bdi>
              <p className="text-sm text-muted">
                {t(`transfer:status_${historyImport.status}`)} ·{' '}
                {formatRelativeTime(historyImport.created_at)}
                {historyImport.status === 'applied' &&
                  ` · ${t('transfer:changed', { count: historyImport.changed })}`}
              </p>
            </div>
            <Button
              aria-label={t('transfer:openImport', { name: historyImport.file_name })}
              onClick={() => openImport(historyImport.import_id)}
            >
              {t('transfer:open')}
            </Button>
            {historyImport.status === 'applied' && (
              <Button
                variant="quiet"
                aria-label={t('transfer:undoImport', { name: historyImport.file_name })}
                onClick={() => void undoImport(historyImport.import_id)}
              >
                {t('common:undo')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
