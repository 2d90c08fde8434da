import { useEffect, useState } from 'react'
import type { ImportedRow } from '../../../lib/contract/history-transfer.ts'
import type { MediaCard } from '../../../lib/contract/media.ts'
import { t } from '../../../lib/i18n/t.ts'
import { searchTitlesByName } from '../../../lib/stores/history-transfer.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { TitleSummary } from './ImportRowItem.tsx'

const DEBOUNCE_MS = 220

interface Props {
  row: ImportedRow
  onClose: () => void
  onPick: (title: MediaCard) => void
}

/**
 * Searches the catalogue for the title of an import row. The initial query is the title text of the row, at most 200
 * characters.
 */
export function PickTitleDialog({ row, onClose, onPick }: Props) {
  const [query, setQuery] = useState(row.title.slice(0, 200))
  const [titles, setTitles] = useState<MediaCard[] | null>(null)
  useEffect(() => {
    let isCancelled = false
    const searchText = query.trim()
    const timer = setTimeout(
      () => {
        const titlesPromise = searchText ? searchTitlesByName(searchText) : Promise.resolve([])
        titlesPromise.catch(() => []).then((foundTitles) => isCancelled || setTitles(foundTitles))
      },
      searchText ? DEBOUNCE_MS : 0,
    )
    return () => {
      isCancelled = true
      clearTimeout(timer)
    }
  }, [query])
  return (
    <Dialog
      title={t('transfer:pickTitle', { title: row.title })}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <Field
        label={t('transfer:search')}
        inputMode="search"
        data-first
        value={query}
        maxLength={200}
        onChange={(event) => setQuery(event.target.value)}
      />
      <ul aria-live="polite" className="flex max-h-80 flex-col overflow-y-auto">
        {titles?.map((title) => (
          <li key={title.id}>
            <button
              type="button"
              onClick={() => onPick(title)}
              className="flex min-h-11 w-full items-center rounded-md p-2 text-start hover:bg-overlay"
            >
              <TitleSummary media={title} />
            </button>
          </li>
        ))}
        {titles?.length === 0 && <li className="text-muted">{t('transfer:nothing')}</li>}
      </ul>
    </Dialog>
  )
}
