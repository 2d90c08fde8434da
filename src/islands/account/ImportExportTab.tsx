import { useStore } from '@nanostores/react'
import { History } from '../../icons/index.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { $openedImportId } from '../../lib/stores/history-transfer.ts'
import { getButtonClass } from '../../ui/Button.tsx'
import { DropZone } from './import/DropZone.tsx'
import { ExportSection } from './import/ExportSection.tsx'
import { ImportPanel } from './import/ImportPanel.tsx'
import { PastImports } from './import/PastImports.tsx'

export default function ImportExportTab() {
  const openedImportId = useStore($openedImportId)
  return (
    <div className="flex flex-col gap-12">
      <section aria-labelledby="import-heading" className="flex flex-col gap-5">
        <h2 id="import-heading" className="text-lg font-bold">
          {t('transfer:importHeading')}
        </h2>
        <p className="max-w-prose text-muted">{t('transfer:importText')}</p>
        <DropZone />
        {openedImportId && <ImportPanel key={openedImportId} importId={openedImportId} />}
        <PastImports />
      </section>
      <a className={`${getButtonClass('plain')} self-start`} href={href('history', getCurrentLocale())}>
        <History aria-hidden size={20} />
        {t('header:history')}
      </a>
      <ExportSection />
    </div>
  )
}
