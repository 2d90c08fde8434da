import { X } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import type { SearchReply } from '../../lib/stores/offline-search.ts'
import { setSearchQuery } from '../../lib/stores/search.ts'
import { formatFacet } from './format-facet.ts'

interface Props {
  /** Facets that the server recognised in the query. */
  facets: SearchReply['facets']
  /** Called after a facet was removed. Its chip, which had the focus, disappears, so the caller must move the focus. */
  onRemoved: () => void
}

/** One chip per facet. Removing a chip removes its words from the query. */
export function FacetChips({ facets, onRemoved }: Props) {
  if (!facets?.length) return null
  const removeFacet = (queryWithoutFacet: string) => {
    setSearchQuery(queryWithoutFacet, 0)
    onRemoved()
  }
  return (
    <ul aria-label={t('searchpage:recognised')} className="flex flex-wrap gap-2">
      {facets.map((facet) => (
        <li key={`${facet.kind} ${facet.value}`}>
          <button
            type="button"
            aria-label={t('searchpage:removeFacet', { facet: formatFacet(facet) })}
            onClick={() => removeFacet(facet.query_without)}
            onKeyDown={(event) => {
              if (event.key !== 'Delete' && event.key !== 'Backspace') return
              event.preventDefault()
              removeFacet(facet.query_without)
            }}
            className="flex min-h-11 items-center gap-2 rounded-full border border-line bg-overlay px-4 text-sm hover:border-accent"
          >
            <bdi>{formatFacet(facet)}</bdi>
            <X aria-hidden size={16} />
          </button>
        </li>
      ))}
    </ul>
  )
}
