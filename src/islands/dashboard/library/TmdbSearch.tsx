import { useId, useState } from 'react'
import type { TmdbTitle } from '../../../lib/contract/admin-library.ts'
import { t } from '../../../lib/i18n/t.ts'
import { searchTmdbTitles } from '../../../lib/stores/admin/library.ts'
import { Field } from '../../../ui/Field.tsx'
import { Name } from '../../media/Name.tsx'
import { useDebouncedSearch } from './use-debounced-search.ts'

interface Props {
  type: 'movie' | 'tv'
  initialText: string
  selectedId: number | null
  /** Called with null when the search text changes, because the selected title may no longer be listed. */
  onSelect: (tmdbId: number | null) => void
}
/** A search waits until the administrator stops typing, because TMDB limits the request rate. */
const SEARCH_DEBOUNCE_MS = 400

/** Search field for a title at TMDB. The administrator selects one of the results. */
export function TmdbSearch({ type, initialText, selectedId, onSelect }: Props) {
  const [searchText, setSearchText] = useState(initialText)
  const id = useId()
  const { results, errorKey } = useDebouncedSearch(
    searchText,
    (search) => searchTmdbTitles({ type, search }),
    SEARCH_DEBOUNCE_MS,
  )
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t('dashboardlibrary:searchTmdb')}
        value={searchText}
        maxLength={200}
        autoComplete="off"
        aria-controls={id}
        onChange={(event) => {
          setSearchText(event.target.value)
          onSelect(null)
        }}
      />
      <div id={id} aria-live="polite">
        {errorKey && (
          <p role="alert" className="text-sm text-danger">
            {t(errorKey)}
          </p>
        )}
        {results?.length === 0 && <p className="text-sm text-muted">{t('dashboardlibrary:noneFound')}</p>}
        {results && results.length > 0 && (
          <ul className="max-h-56 overflow-y-auto rounded-md border border-line p-1">
            {results.map((tmdbTitle) => (
              <li key={tmdbTitle.tmdb_id}>
                <SearchResultButton
                  result={tmdbTitle}
                  isSelected={tmdbTitle.tmdb_id === selectedId}
                  onSelect={() => onSelect(tmdbTitle.tmdb_id)}
                />
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function SearchResultButton({
  result,
  isSelected,
  onSelect,
}: {
  result: TmdbTitle
  isSelected: boolean
  onSelect: () => void
}) {
  const { title, original_title, year, overview, title_id } = result
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onSelect}
      className="flex min-h-10 w-full flex-col rounded-md px-3 py-2 text-start text-sm hover:bg-overlay aria-pressed:bg-ink/10"
    >
      <span className="w-full truncate">
        <Name text={title} className="font-medium" />
        {year !== null && <span className="numbers text-muted"> ({year})</span>}
        {original_title !== title && (
          <>
            {' · '}
            <Name text={original_title} className="text-muted" />
          </>
        )}
        {title_id !== null && <span className="text-muted"> · {t('dashboardlibrary:inCatalogue')}</span>}
      </span>
      {overview && <Name text={overview} className="clamp-2 text-xs text-muted" />}
    </button>
  )
}
