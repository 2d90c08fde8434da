import { useStore } from '@nanostores/react'
import { t } from '../../lib/i18n/t.ts'
import { $openId } from '../../lib/stores/transfer.ts'
import { DropZone } from './import/DropZone.tsx'
import { ExportFiles } from './import/ExportFiles.tsx'
import { PastImports } from './import/PastImports.tsx'
import { RunView } from './import/RunView.tsx'

export default function ImportExport() {
  const openImportId = useStore($openId)
  return (
    <div className="flex flex-col gap-12">
      <section aria-labelledby="import-heading" className="flex flex-col gap-5">
        <h2 id="import-heading" className="text-lg font-bold">
          {t('transfer:importHeading')}
        </h2>
        <p className="max-w-prose text-muted">{t('transfer:importText')}</p>
        <DropZone />
        {openImportId && <RunView key={openImportId} importId={openImportId} />}
        <PastImports />
      </section>
      <ExportFiles />
    </div>
  )
}
