import { SlidersHorizontal } from 'lucide-react'
import { Activity, useState } from 'react'
import { formatAgeRating, formatCount, getLanguageName } from '../../lib/i18n/format.ts'
import { getCurrentLocale, t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { getSelectableGenres } from '../../lib/rules/genres.ts'
import { formatGuideFilter, parseGuideFilter } from '../../lib/rules/maturity.ts'
import {
  MINIMUM_VOTES,
  MOVIE_RATINGS,
  NETWORKS,
  TITLE_LANGUAGES,
  TV_RATINGS,
} from '../../lib/rules/title-options.ts'
import {
  type BrowseFilters,
  type BrowseType,
  formatBrowseFilters,
  parseBrowseFilters,
} from '../../lib/stores/browse.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { listEndTimes } from '../media/list-end-times.ts'
import { getNetworkName } from '../media/network-name.ts'
import { FilterGroup, ToggleButton } from './FilterGroup.tsx'
import { GuideFilter } from './GuideFilter.tsx'

interface Props {
  type: BrowseType
  filters: BrowseFilters
  isKidsProfile: boolean
  /** Number of titles that match; null while it is loading. */
  total: number | null
  /** False without a media folder or resolver; the filter for available titles is then hidden. */
  isAvailabilityKnown: boolean
  onChange: (changes: Partial<BrowseFilters>) => void
}
const MINIMUM_RATINGS = ['9', '8', '7', '6', '5']

export function FilterPanel(props: Props) {
  const [isOpen, setIsOpen] = useState(false)
  /*
   * The dialog has about 70 controls, which render slowly on televisions. It is therefore rendered, hidden, as soon as its
   * button is hovered or focused.
   */
  const [isPrerendered, setIsPrerendered] = useState(false)
  const prerenderDialog = () => setIsPrerendered(true)
  return (
    <>
      <Button
        icon={<SlidersHorizontal aria-hidden size={18} />}
        onPointerEnter={prerenderDialog}
        onFocus={prerenderDialog}
        onClick={() => setIsOpen(true)}
      >
        {t('browse:filters')}
      </Button>
      {(isPrerendered || isOpen) && (
        <Activity mode={isOpen ? 'visible' : 'hidden'}>
          <Dialog
            isWide
            title={t('browse:filters')}
            closeLabel={t('common:close')}
            onClose={() => setIsOpen(false)}
          >
            <FilterFields {...props} />
            <div
              data-last-row
              className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t border-line bg-raised py-3"
            >
              <Button variant="primary" onClick={() => setIsOpen(false)}>
                {t('common:done')}
              </Button>
              <p role="status" className="numbers text-muted">
                {props.total !== null && t('common:titles', { count: props.total })}
              </p>
              <Button
                variant="quiet"
                className="ms-auto"
                disabled={!hasFilters(props.filters)}
                onClick={() => props.onChange({ ...parseBrowseFilters(''), sort: props.filters.sort })}
              >
                {t('browse:reset')}
              </Button>
            </div>
          </Dialog>
        </Activity>
      )}
    </>
  )
}

/** True if something besides the order is chosen. */
const hasFilters = (filters: BrowseFilters) =>
  formatBrowseFilters({ ...filters, sort: parseBrowseFilters('').sort }) !== ''

function FilterFields({ type, filters, isKidsProfile, isAvailabilityKnown, onChange }: Omit<Props, 'total'>) {
  const locale = getCurrentLocale()
  const anyOption = { value: '', label: t('browse:any') }
  const ageRatings = type === 'movie' ? MOVIE_RATINGS : TV_RATINGS
  return (
    <>
      <GenreFilter type={type} filters={filters} isKidsProfile={isKidsProfile} onChange={onChange} />
      <FilterGroup label={t('browse:rated')}>
        {ageRatings.map((ageRating) => (
          <ToggleButton
            key={ageRating}
            text={formatAgeRating(ageRating)}
            isActive={filters.rated.includes(ageRating)}
            onClick={() => onChange({ rated: toggleValue(filters.rated, ageRating) })}
          />
        ))}
      </FilterGroup>
      {type === 'tv' && (
        <FilterGroup label={t('browse:network')}>
          {NETWORKS.map((network) => (
            <ToggleButton
              key={network}
              text={getNetworkName(network)}
              isActive={filters.network.includes(network)}
              onClick={() => onChange({ network: toggleValue(filters.network, network) })}
            />
          ))}
        </FilterGroup>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t('browse:language')}
          value={filters.language[0] ?? ''}
          options={[
            anyOption,
            ...TITLE_LANGUAGES.map((code) => ({
              value: code as string,
              label: getLanguageName(code, locale),
            })),
          ]}
          onChange={(code) => onChange({ language: code ? [code] : [] })}
        />
        <Select
          label={t('browse:releaseYear')}
          value={filters.releaseYear[0] ?? ''}
          options={[anyOption, ...listReleaseYears().map((year) => ({ value: year, label: year }))]}
          onChange={(year) => onChange({ releaseYear: year ? [year] : [] })}
        />
        <Select
          label={t('browse:rating')}
          value={filters.rating}
          options={[
            anyOption,
            ...MINIMUM_RATINGS.map((value) => ({ value, label: t('browse:atLeast', { value }) })),
          ]}
          onChange={(rating) => onChange({ rating })}
        />
        <Select
          label={t('browse:ratingVotes')}
          value={filters.ratingVotes}
          options={[
            anyOption,
            ...MINIMUM_VOTES.map((votes) => ({ value: String(votes), label: `${formatCount(votes)}+` })),
          ]}
          onChange={(ratingVotes) => onChange({ ratingVotes })}
        />
        <Select
          label={t('browse:endBy')}
          value={filters.endBy}
          options={[anyOption, ...listEndTimes(filters.endBy)]}
          onChange={(endBy) => onChange({ endBy })}
        />
      </div>
      <GuideFilter
        limits={parseGuideFilter(filters.guide)}
        anyLabel={t('browse:any')}
        onChange={(limits) => onChange({ guide: formatGuideFilter(limits) })}
      />
      <div>
        {(isAvailabilityKnown || filters.available) && (
          <Switch
            label={t('browse:available')}
            checked={filters.available}
            onChange={(available) => onChange({ available })}
          />
        )}
        <Switch
          label={t('browse:hideSeen')}
          checked={filters.hideSeen}
          onChange={(hideSeen) => onChange({ hideSeen })}
        />
        {type === 'movie' && (
          <Switch
            label={t('browse:highQuality')}
            checked={filters.highQuality}
            onChange={(highQuality) => onChange({ highQuality })}
          />
        )}
      </div>
    </>
  )
}

/** Each press moves a genre to the next state: included, excluded, any. */
function GenreFilter({
  type,
  filters,
  isKidsProfile,
  onChange,
}: Omit<Props, 'isAvailabilityKnown' | 'total'>) {
  const { includeGenres: includedIds, excludeGenres: excludedIds } = filters
  return (
    <FilterGroup label={t('browse:genres')} hint={t('browse:genreHint')}>
      {getSelectableGenres(type, isKidsProfile).map((id, index) => {
        const state = includedIds.includes(id) ? 'in' : excludedIds.includes(id) ? 'out' : 'any'
        const genre = translateDynamicKey(`genres:${id}`, '')
        const cycleState = () =>
          onChange({
            includeGenres:
              state === 'any'
                ? [...includedIds, id]
                : includedIds.filter((selectedValue) => selectedValue !== id),
            excludeGenres:
              state === 'in'
                ? [...excludedIds, id]
                : excludedIds.filter((selectedValue) => selectedValue !== id),
          })
        return (
          <ToggleButton
            key={id}
            isFirst={index === 0}
            text={genre}
            isActive={state === 'in'}
            isExcluded={state === 'out'}
            label={t(`browse:genreState_${state}`, { genre })}
            onClick={cycleState}
          />
        )
      })}
    </FilterGroup>
  )
}

function toggleValue(values: string[], value: string): string[] {
  return values.includes(value)
    ? values.filter((selectedValue) => selectedValue !== value)
    : [...values, value]
}

function listReleaseYears(): string[] {
  const currentYear = new Date().getFullYear()
  return Array.from({ length: currentYear - 1919 }, (_, yearsBack) => String(currentYear - yearsBack))
}
