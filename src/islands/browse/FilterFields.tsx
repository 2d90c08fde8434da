import { memo } from 'react'
import { formatAgeRating, formatCount, getLanguageName } from '../../lib/i18n/format.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { formatGuideFilter, parseGuideFilter } from '../../lib/rules/maturity.ts'
import {
  MINIMUM_VOTE_CHOICES,
  MOVIE_AGE_RATINGS,
  NETWORKS,
  TITLE_LANGUAGES,
  TV_AGE_RATINGS,
} from '../../lib/rules/title-options.ts'
import type { BrowseFilters, BrowseType, ChangeBrowseFilters } from '../../lib/stores/browse.ts'
import { Select } from '../../ui/Select.tsx'
import { listEndTimes } from '../media/list-end-times.ts'
import { getNetworkName } from '../media/network-name.ts'
import { AfterFirstFrame } from './AfterFirstFrame.tsx'
import { FilterGroup } from './FilterGroup.tsx'
import { FilterSwitch } from './FilterSwitch.tsx'
import { FilterToggle } from './FilterToggle.tsx'
import { GenreFilter } from './GenreFilter.tsx'
import { GuideFilter } from './GuideFilter.tsx'
import { setMembership } from './set-membership.ts'

export interface FilterFieldsProps {
  type: BrowseType
  filters: BrowseFilters
  isKidsProfile: boolean
  /** False hides the filter for available titles, except while the filter is set. */
  isAvailabilityKnown: boolean
  onChange: ChangeBrowseFilters
}
const MINIMUM_RATING_CHOICES = ['9', '8', '7', '6', '5']

/**
 * The controls of the filter dialog, without its buttons. The controls are rendered before the dialog opens, and are
 * not rendered again when the dialog opens.
 */
export const FilterFields = memo(function FilterFields({
  type,
  filters,
  isKidsProfile,
  isAvailabilityKnown,
  onChange,
}: FilterFieldsProps) {
  const locale = getCurrentLocale()
  const anyOption = { value: '', label: t('browse:any') }
  const ageRatings = type === 'movie' ? MOVIE_AGE_RATINGS : TV_AGE_RATINGS
  return (
    <>
      <GenreFilter type={type} filters={filters} isKidsProfile={isKidsProfile} onChange={onChange} />
      <FilterGroup label={t('browse:rated')}>
        {ageRatings.map((ageRating) => (
          <FilterToggle
            key={ageRating}
            labelText={formatAgeRating(ageRating)}
            state={filters.rated.includes(ageRating) ? 'in' : 'any'}
            onChange={(state) =>
              onChange((current) => ({ rated: setMembership(current.rated, ageRating, state === 'in') }))
            }
          />
        ))}
      </FilterGroup>
      {type === 'tv' && (
        <FilterGroup label={t('browse:network')}>
          {NETWORKS.map((network) => (
            <FilterToggle
              key={network}
              labelText={getNetworkName(network)}
              state={filters.network.includes(network) ? 'in' : 'any'}
              onChange={(state) =>
                onChange((current) => ({ network: setMembership(current.network, network, state === 'in') }))
              }
            />
          ))}
        </FilterGroup>
      )}
      <AfterFirstFrame initialBlockSize="40rem" className="flex flex-col gap-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Select
            areOptionsDeferred
            label={t('browse:language')}
            value={filters.language[0] ?? ''}
            options={[
              anyOption,
              ...TITLE_LANGUAGES.map((languageCode) => ({
                value: languageCode as string,
                label: getLanguageName(languageCode, locale),
              })),
            ]}
            onChange={(languageCode) => onChange({ language: languageCode ? [languageCode] : [] })}
          />
          <Select
            areOptionsDeferred
            label={t('browse:releaseYear')}
            value={filters.releaseYear[0] ?? ''}
            options={[anyOption, ...listReleaseYears().map((year) => ({ value: year, label: year }))]}
            onChange={(year) => onChange({ releaseYear: year ? [year] : [] })}
          />
          <Select
            areOptionsDeferred
            label={t('browse:rating')}
            value={filters.rating}
            options={[
              anyOption,
              ...MINIMUM_RATING_CHOICES.map((value) => ({ value, label: t('browse:atLeast', { value }) })),
            ]}
            onChange={(rating) => onChange({ rating })}
          />
          <Select
            areOptionsDeferred
            label={t('browse:ratingVotes')}
            value={filters.ratingVotes}
            options={[
              anyOption,
              ...MINIMUM_VOTE_CHOICES.map((minimumVotes) => ({
                value: String(minimumVotes),
                label: `${formatCount(minimumVotes)}+`,
              })),
            ]}
            onChange={(ratingVotes) => onChange({ ratingVotes })}
          />
          <Select
            areOptionsDeferred
            label={t('browse:endBy')}
            value={filters.endBy}
            options={[anyOption, ...listEndTimes(filters.endBy)]}
            onChange={(endBy) => onChange({ endBy })}
          />
        </div>
        {!isKidsProfile && (
          <GuideFilter
            limits={parseGuideFilter(filters.guide)}
            anyLabel={t('browse:any')}
            onChange={(limits) => onChange({ guide: formatGuideFilter(limits) })}
          />
        )}
        <div>
          {(isAvailabilityKnown || filters.available) && (
            <FilterSwitch
              label={t('browse:available')}
              checked={filters.available}
              onChange={(available) => onChange({ available })}
            />
          )}
          <FilterSwitch
            label={t('browse:hideSeen')}
            checked={filters.hideSeen}
            onChange={(hideSeen) => onChange({ hideSeen })}
          />
          {type === 'movie' && (
            <FilterSwitch
              label={t('browse:highQuality')}
              checked={filters.highQuality}
              onChange={(highQuality) => onChange({ highQuality })}
            />
          )}
        </div>
      </AfterFirstFrame>
    </>
  )
})

function listReleaseYears(): string[] {
  const currentYear = new Date().getFullYear()
  return Array.from({ length: currentYear - 1919 }, (_, yearsBack) => String(currentYear - yearsBack))
}
