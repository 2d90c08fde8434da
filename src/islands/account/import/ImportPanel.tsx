import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { formatNames } from '../../../lib/i18n/format-names.ts'
import { t, translateDynamicKey } from '../../../lib/i18n/t.ts'
import { MAX_PEOPLE_PER_IMPORT } from '../../../lib/rules/tracking-limits.ts'
import {
  $importRowFilter,
  $openedImport,
  applyImport,
  getUploadedFile,
  type HistoryImport,
  type HistoryImportDetails,
  isImportRunning,
  pollOpenedImport,
  showImportRows,
  undoImport,
  uploadFiles,
} from '../../../lib/stores/history-transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { ImportFileList } from './ImportFileList.tsx'
import { ImportRowList } from './ImportRowList.tsx'

const SOURCE_NAMES = {
  netflix: 'Netflix',
  trakt: 'Trakt',
  letterboxd: 'Letterboxd',
  imdb: 'IMDb',
  tmdb: 'TMDB',
  tvtime: 'TV Time',
  myanimelist: 'MyAnimeList',
  kodi: 'Kodi',
  marquee: 'Marquee',
} as const

/**
 * One import: its progress, its files, the owners of its rows (the profiles in the files), and rows by outcome. Buttons
 * apply or undo the import.
 */
export function ImportPanel({ importId }: { importId: string }) {
  const currentImport = useStore($openedImport)
  const rowFilter = useStore($importRowFilter)
  const [excludedOwners, setExcludedOwners] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => void pollOpenedImport(importId), [importId])
  if (!currentImport || currentImport.import_id !== importId) return null
  const { rows, owners } = currentImport
  const selectedOwnerNames = owners.map((owner) => owner.name).filter((name) => !excludedOwners.has(name))
  const isBusy = isImportRunning(currentImport)
  const interruptedFile = currentImport.status === 'failed' ? getUploadedFile(importId) : undefined
  const tabs = [
    { value: 'matched' as const, label: t('transfer:found'), count: rows.matched },
    { value: 'ambiguous' as const, label: t('transfer:ambiguous'), count: rows.ambiguous },
    { value: 'unmatched' as const, label: t('transfer:unmatched'), count: rows.unmatched },
    { value: 'ignored' as const, label: t('transfer:ignored'), count: rows.ignored },
    { value: 'skipped' as const, label: t('transfer:skipped'), count: rows.skipped },
  ]
  return (
    <section
      aria-label={currentImport.file_name}
      className="flex flex-col gap-5 rounded-lg border border-line bg-raised p-5"
    >
      <ImportProgress historyImport={currentImport} sourcesText={formatSources(currentImport)} />
      {currentImport.message === 'interrupted' && interruptedFile && (
        <Button className="self-start" onClick={() => void uploadFiles([interruptedFile])}>
          {t('common:tryAgain')}
        </Button>
      )}
      <ImportFileList files={currentImport.files} />
      {owners.length > 1 && (
        <fieldset className="max-w-md">
          <legend className="font-semibold">{t('transfer:whose')}</legend>
          {owners.map(({ name, count }) => (
            <Switch
              key={name}
              label={name}
              hint={t('transfer:rows', { count })}
              checked={!excludedOwners.has(name)}
              onChange={(isIncluded) => {
                const nextExcludedOwners = new Set(excludedOwners)
                if (isIncluded) nextExcludedOwners.delete(name)
                else nextExcludedOwners.add(name)
                setExcludedOwners(nextExcludedOwners)
              }}
            />
          ))}
          {owners.length === MAX_PEOPLE_PER_IMPORT && (
            <p className="text-sm text-muted">{t('transfer:ownersLimit', { limit: owners.length })}</p>
          )}
        </fieldset>
      )}
      {currentImport.status !== 'failed' && (
        <>
          <Tabs
            label={currentImport.file_name}
            value={rowFilter}
            tabs={tabs}
            onChange={(outcome) => showImportRows(outcome)}
          />
          <ImportRowList rowPage={currentImport.list} isBusy={isBusy} />
          <div className="flex flex-wrap gap-3">
            <Button
              variant="primary"
              aria-disabled={
                isBusy || rows.matched === 0 || (owners.length > 1 && selectedOwnerNames.length === 0)
              }
              // If no owner is excluded, no names are sent. The server then applies the rows of all owners, including
              // the owners beyond MAX_PEOPLE_PER_IMPORT, whose names the page has not received.
              onClick={() =>
                void applyImport(
                  importId,
                  selectedOwnerNames.length < owners.length ? selectedOwnerNames : undefined,
                )
              }
            >
              {t('transfer:apply')}
            </Button>
            {currentImport.status === 'applied' && (
              <Button onClick={() => void undoImport(importId)}>{t('transfer:undo')}</Button>
            )}
          </div>
        </>
      )}
    </section>
  )
}

/**
 * Returns the names of the services that the files come from. An archive may contain files of several
 * services.
 */
function formatSources({ source, files }: HistoryImportDetails): string {
  const fileSources = source ? [source] : files.flatMap((file) => (file.why === null && file.source) || [])
  return formatNames(
    [...new Set(fileSources)].map((fileSource) =>
      fileSource === 'other' ? t('transfer:otherSource') : SOURCE_NAMES[fileSource],
    ),
  )
}

function ImportProgress({
  historyImport,
  sourcesText,
}: {
  historyImport: HistoryImport
  sourcesText: string
}) {
  const isBusy = isImportRunning(historyImport)
  const percentage =
    historyImport.total > 0 ? Math.min(100, Math.round((historyImport.done / historyImport.total) * 100)) : 0
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-bold">
        <bdi className="break-all">{historyImport.file_name}</bdi>
      </h3>
      <p role="status" className="text-sm text-muted">
        {sourcesText && `${sourcesText} · `}
        {t(`transfer:status_${historyImport.status}`)} ·{' '}
        {t('transfer:rows', { count: historyImport.rows.total })}
        {historyImport.status === 'applied' &&
          ` · ${t('transfer:changed', { count: historyImport.changed })}`}
        {historyImport.status === 'applied' &&
          historyImport.rows.left_out > 0 &&
          ` · ${t('transfer:leftOut', { count: historyImport.rows.left_out })}`}
        {historyImport.status === 'undone' &&
          historyImport.changed > 0 &&
          ` · ${t('transfer:stayed', { count: historyImport.changed })}`}
      </p>
      {historyImport.message && (
        <p role="alert" className="text-sm text-danger">
          {translateDynamicKey(`transfer:error_${historyImport.message}`, t('transfer:error_failed'))}
        </p>
      )}
      {isBusy && (
        <div
          role="progressbar"
          aria-label={t(`transfer:status_${historyImport.status}`)}
          aria-valuenow={percentage}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-2 overflow-hidden rounded-full bg-overlay"
        >
          <div className="h-full rounded-full bg-accent" style={{ inlineSize: `${percentage}%` }} />
        </div>
      )}
    </div>
  )
}
