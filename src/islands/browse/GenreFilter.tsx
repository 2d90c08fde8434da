import { t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { listSelectableGenreIds } from '../../lib/rules/genres.ts'
import type { BrowseFilters, BrowseType, ChangeBrowseFilters } from '../../lib/stores/browse.ts'
import { FilterGroup } from './FilterGroup.tsx'
import { FilterToggle } from './FilterToggle.tsx'
import { setMembership } from './set-membership.ts'

interface Props {
  type: BrowseType
  filters: BrowseFilters
  isKidsProfile: boolean
  onChange: ChangeBrowseFilters
}
const GENRE_STATES = ['any', 'in', 'out'] as const

/** Filter by genre. Each press changes a genre to its next state: included, excluded, any. */
export function GenreFilter({ type, filters, isKidsProfile, onChange }: Props) {
  return (
    <FilterGroup label={t('browse:genres')} hint={t('browse:genreHint')}>
      {listSelectableGenreIds(type, isKidsProfile).map((id, index) => {
        const genreName = translateDynamicKey(`genres:${id}`, '')
        return (
          <FilterToggle
            key={id}
            hasInitialFocus={index === 0}
            labelText={genreName}
            state={
              filters.includeGenres.includes(id) ? 'in' : filters.excludeGenres.includes(id) ? 'out' : 'any'
            }
            states={GENRE_STATES}
            getAccessibleName={(state) => t(`browse:genreState_${state}`, { genre: genreName })}
            onChange={(state) =>
              onChange(({ includeGenres, excludeGenres }) => ({
                includeGenres: setMembership(includeGenres, id, state === 'in'),
                excludeGenres: setMembership(excludeGenres, id, state === 'out'),
              }))
            }
          />
        )
      })}
    </FilterGroup>
  )
}
