import { useId, useState } from 'react'
import { X } from '../../../icons/index.ts'
import { t } from '../../../lib/i18n/t.ts'
import {
  type BlockCandidate,
  type BlockType,
  searchBlockCandidates,
} from '../../../lib/stores/admin/blocklist.ts'
import { Field } from '../../../ui/Field.tsx'
import { Name } from '../../media/Name.tsx'
import { useDebouncedSearch } from './use-debounced-search.ts'

interface Props {
  type: Exclude<BlockType, 'keyword'>
  selectedMatch: BlockCandidate | null
  onSelect: (match: BlockCandidate | null) => void
}
const SEARCH_DEBOUNCE_MS = 250

/**
 * Search field for a title or a person. The user selects one of the results below the field. The caller must also
 * pass `type` as the React key, so that another type starts a new search.
 */
export function TitleOrPersonSearch({ type, selectedMatch, onSelect }: Props) {
  const [searchText, setSearchText] = useState('')
  const id = useId()
  const { results: matches, errorKey } = useDebouncedSearch(
    searchText,
    (query) => searchBlockCandidates(type, query),
    SEARCH_DEBOUNCE_MS,
  )
  if (selectedMatch) {
    return (
      <div className="flex items-center justify-between gap-3 rounded-md border border-accent px-4 py-2">
        <MatchLabel match={selectedMatch} />
        <button
          type="button"
          aria-label={t('dashboardlibrary:pickAnother')}
          title={t('dashboardlibrary:pickAnother')}
          onClick={() => onSelect(null)}
          className="grid size-9 place-items-center rounded-md text-muted hover:text-ink"
        >
          <X aria-hidden size={18} />
        </button>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={t(type === 'actor' ? 'dashboardlibrary:findActor' : 'dashboardlibrary:findTitle')}
        value={searchText}
        maxLength={200}
        autoComplete="off"
        aria-controls={id}
        onChange={(event) => setSearchText(event.target.value)}
      />
      <div id={id} aria-live="polite">
        {errorKey && (
          <p role="alert" className="text-sm text-danger">
            {t(errorKey)}
          </p>
        )}
        {matches?.length === 0 && <p className="text-sm text-muted">{t('dashboardlibrary:noneFound')}</p>}
        {matches && matches.length > 0 && (
          <ul className="max-h-56 overflow-y-auto rounded-md border border-line p-1">
            {matches.map((match) => (
              <li key={match.id}>
                <button
                  type="button"
                  onClick={() => onSelect(match)}
                  className="flex min-h-10 w-full items-center rounded-md px-3 text-start text-sm hover:bg-overlay"
                >
                  <MatchLabel match={match} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}

function MatchLabel({ match }: { match: BlockCandidate }) {
  return (
    <span className="min-w-0 truncate">
      <Name text={match.name} className="font-medium" />
      {match.year !== null && <span className="numbers text-muted"> ({match.year})</span>}
    </span>
  )
}
