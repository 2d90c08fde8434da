import { useRef, useState } from 'react'
import { ChevronDown } from '../../../icons/index.ts'
import type { ImportArchiveFile } from '../../../lib/contract/history-transfer.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Button } from '../../../ui/Button.tsx'

/** Number of files that are shown before the list is expanded. An archive can contain a hundred files. */
const INITIAL_FILE_COUNT = 8

/** Files of an uploaded archive: imported files with their row counts, skipped files with the reason. */
export function ImportFileList({ files }: { files: readonly ImportArchiveFile[] }) {
  const listRef = useRef<HTMLUListElement>(null)
  const importedFiles = files.filter((file) => file.why === null)
  const skippedFiles = files.filter((file) => file.why !== null)
  const [shownCount, setShownCount] = useState(INITIAL_FILE_COUNT)
  if (files.length === 0) return null
  return (
    <section aria-label={t('transfer:files')} className="flex flex-col gap-2">
      <h4 className="font-semibold">{t('transfer:files')}</h4>
      <ul ref={listRef} tabIndex={-1} className="divide-y divide-line">
        {importedFiles.slice(0, shownCount).map(({ name, rows: rowCount }) => (
          <ImportFileItem key={name} name={name} detail={t('transfer:rows', { count: rowCount })} />
        ))}
      </ul>
      {importedFiles.length > shownCount && (
        <Button
          variant="quiet"
          className="self-start"
          onClick={() => {
            setShownCount(importedFiles.length)
            listRef.current?.focus()
          }}
        >
          {t('common:showMore')}
        </Button>
      )}
      {skippedFiles.length > 0 && (
        <details className="group">
          <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-md text-muted">
            <ChevronDown aria-hidden size={18} className="group-open:rotate-180" />
            {t('transfer:passedOver', { count: skippedFiles.length })}
          </summary>
          <ul className="divide-y divide-line">
            {skippedFiles.map(({ name, why: reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat, and the order does not change
              <ImportFileItem key={index} name={name} detail={reason && t(`transfer:why_${reason}`)} />
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

function ImportFileItem({ name, detail }: { name: string; detail: string | null }) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 py-2 text-sm">
      <bdi className="min-w-0 break-all">{name}</bdi>
      <span className="text-muted">{detail}</span>
    </li>
  )
}
