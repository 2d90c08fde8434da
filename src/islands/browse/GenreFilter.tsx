import { t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { listSelectableGenreIds } from '../../lib/rules/genres.ts'
import type { BrowseFilters, BrowseType } from '../../lib/stores/browse.ts'
import { FilterGroup, ToggleButton } from './FilterGroup.tsx'

interface Props {
  type: BrowseType
  filters: BrowseFilters
  isKidsProfile: boolean
  onChange: (changes: Partial<BrowseFilters>) => void
}

/** Filter by genre. Each press changes a genre to its next state: included, excluded, any. */
export function GenreFilter({ type, filters, isKidsProfile, onChange }: Props) {
  const { includeGenres: includedIds, excludeGenres: excludedIds } = filters
  return (
    <FilterGroup label={t('browse:genres')} hint={t('browse:genreHint')}>
      {listSelectableGenreIds(type, isKidsProfile).map((id, index) => {
        const genreState = includedIds.includes(id) ? 'in' : excludedIds.includes(id) ? 'out' : 'any'
        const genreName = translateDynamicKey(`genres:${id}`, '')
        const cycleGenreState = () =>
          onChange({
            includeGenres:
              genreState === 'any'
                ? [...includedIds, id]
                : includedIds.filter((selectedId) => selectedId !== id),
            excludeGenres:
              genreState === 'in'
                ? [...excludedIds, id]
                : excludedIds.filter((selectedId) => selectedId !== id),
          })
        return (
          <ToggleButton
            key={id}
            hasInitialFocus={index === 0}
            labelText={genreName}
            isActive={genreState === 'in'}
            isExcluded={genreState === 'out'}
            accessibleName={t(`browse:genreState_${genreState}`, { genre: genreName })}
            onClick={cycleGenreState}
          />
        )
      })}
    </FilterGroup>
  )
}
