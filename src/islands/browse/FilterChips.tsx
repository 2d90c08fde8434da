import { X } from '../../icons/index.ts'
import { formatAgeRating, getLanguageName } from '../../lib/i18n/format.ts'
import { formatClockTime } from '../../lib/i18n/format-clock-time.ts'
import { formatVotes } from '../../lib/i18n/format-votes.ts'
import { getCurrentLocale, t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { parseClockTime } from '../../lib/rules/end-by.ts'
import { formatGuideFilter, GUIDE_KEYS, parseGuideFilter } from '../../lib/rules/maturity.ts'
import { type BrowseFilters, type BrowseType, parseBrowseFilters } from '../../lib/stores/browse.ts'
import { getNetworkName } from '../media/network-name.ts'
import { formatGuideLimit } from './GuideFilter.tsx'

interface Props {
  type: BrowseType
  filters: BrowseFilters
  onChange: (changes: Partial<BrowseFilters>) => void
}
interface FilterChip {
  id: string
  text: string
  clearedFilters: Partial<BrowseFilters>
}

/** One removable chip per active filter, and a reset button. */
export function FilterChips({ filters, onChange }: Props) {
  const chips = listFilterChips(filters)
  if (chips.length === 0) return null
  return (
    <ul className="flex flex-wrap items-center gap-2">
      {chips.map((chip) => (
        <li key={chip.id}>
          <button
            type="button"
            aria-label={t('browse:removeFilter', { name: chip.text })}
            onClick={() => onChange(chip.clearedFilters)}
            className="inline-flex min-h-11 items-center gap-2 rounded-full border border-line bg-overlay px-4 text-sm hover:border-accent"
          >
            <bdi>{chip.text}</bdi>
            <X aria-hidden size={14} />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="min-h-11 px-3 text-sm text-accent hover:underline"
          onClick={() => onChange({ ...parseBrowseFilters(''), sort: filters.sort })}
        >
          {t('browse:reset')}
        </button>
      </li>
    </ul>
  )
}

function listGuideChips({ guide }: BrowseFilters): FilterChip[] {
  const guideLimits = parseGuideFilter(guide)
  return GUIDE_KEYS.flatMap((guideKey) => {
    const { [guideKey]: guideLevel, ...otherLimits } = guideLimits
    return guideLevel
      ? [
          {
            id: `guide${guideKey}`,
            text: formatGuideLimit(guideKey, guideLevel),
            clearedFilters: { guide: formatGuideFilter(otherLimits) },
          },
        ]
      : []
  })
}

function listFilterChips(filters: BrowseFilters): FilterChip[] {
  const getGenreName = (id: number) => translateDynamicKey(`genres:${id}`, String(id))
  const createChips = <FilterName extends 'releaseYear' | 'language' | 'rated' | 'network'>(
    name: FilterName,
    formatValue: (value: string) => string,
  ): FilterChip[] =>
    filters[name].map((filterValue) => ({
      id: `${name}${filterValue}`,
      text: formatValue(filterValue),
      clearedFilters: { [name]: filters[name].filter((selectedValue) => selectedValue !== filterValue) },
    }))
  return [
    ...filters.includeGenres.map((id) => ({
      id: `in${id}`,
      text: getGenreName(id),
      clearedFilters: {
        includeGenres: filters.includeGenres.filter((selectedValue) => selectedValue !== id),
      },
    })),
    ...filters.excludeGenres.map((id) => ({
      id: `out${id}`,
      text: t('browse:without', { genre: getGenreName(id) }),
      clearedFilters: {
        excludeGenres: filters.excludeGenres.filter((selectedValue) => selectedValue !== id),
      },
    })),
    ...createChips('releaseYear', (year) => year),
    ...createChips('language', (languageCode) => getLanguageName(languageCode, getCurrentLocale())),
    ...createChips('rated', formatAgeRating),
    ...createChips('network', getNetworkName),
    ...listGuideChips(filters),
    ...(filters.endBy
      ? [
          {
            id: 'endBy',
            text: t('browse:endsBy', { time: formatClockTime(parseClockTime(filters.endBy) ?? 0) }),
            clearedFilters: { endBy: '' },
          },
        ]
      : []),
    ...(filters.rating
      ? [
          {
            id: 'rating',
            text: `★ ${t('browse:atLeast', { value: filters.rating })}`,
            clearedFilters: { rating: '' },
          },
        ]
      : []),
    ...(filters.ratingVotes
      ? [
          {
            id: 'votes',
            text: formatVotes(Number(filters.ratingVotes), '+'),
            clearedFilters: { ratingVotes: '' },
          },
        ]
      : []),
    ...(filters.available
      ? [{ id: 'available', text: t('browse:available'), clearedFilters: { available: false } }]
      : []),
    ...(filters.hideSeen
      ? [{ id: 'seen', text: t('browse:hideSeen'), clearedFilters: { hideSeen: false } }]
      : []),
    ...(filters.highQuality
      ? [{ id: 'uhd', text: t('browse:highQuality'), clearedFilters: { highQuality: false } }]
      : []),
  ]
}
