import { X } from '../../icons/index.ts'
import { formatAgeRating, getLanguageName } from '../../lib/i18n/format.ts'
import { formatClockTime } from '../../lib/i18n/format-clock-time.ts'
import { formatVotes } from '../../lib/i18n/format-votes.ts'
import { getCurrentLocale, t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { parseClockTime } from '../../lib/rules/end-by.ts'
import { formatGuideFilter, GUIDE_KEYS, parseGuideFilter } from '../../lib/rules/maturity.ts'
import {
  type BrowseFilters,
  type BrowseType,
  type ChangeBrowseFilters,
  clearBrowseFilters,
} from '../../lib/stores/browse.ts'
import { useOptimisticChange } from '../../ui/use-optimistic-change.ts'
import { getNetworkName } from '../media/network-name.ts'
import { formatGuideLimit, setGuideLimit } from './GuideFilter.tsx'
import { setMembership } from './set-membership.ts'

interface Props {
  type: BrowseType
  filters: BrowseFilters
  onChange: ChangeBrowseFilters
}
interface FilterChip {
  id: string
  text: string
  /** Returns the filters that change when the chip is removed. */
  clear: (filters: BrowseFilters) => Partial<BrowseFilters>
}

/** One removable chip per active filter, and a reset button. */
export function FilterChips({ filters, onChange }: Props) {
  const [areChipsShown, setAreChipsShown] = useOptimisticChange(true, () => onChange(clearBrowseFilters))
  const chips = listFilterChips(filters)
  if (chips.length === 0) return null
  return (
    <ul className={`flex flex-wrap items-center gap-2 ${areChipsShown ? '' : 'opacity-0'}`}>
      {chips.map((chip) => (
        <FilterChipItem key={chip.id} text={chip.text} onRemove={() => onChange(chip.clear)} />
      ))}
      <li>
        <button
          type="button"
          className="min-h-11 px-3 text-sm text-accent hover:underline"
          onClick={() => setAreChipsShown(false)}
        >
          {t('browse:reset')}
        </button>
      </li>
    </ul>
  )
}

/** A chip becomes transparent before it is removed, so that the list below the chips moves only once. */
function FilterChipItem({ text, onRemove }: { text: string; onRemove: () => void }) {
  const [isShown, setIsShown] = useOptimisticChange(true, onRemove)
  return (
    <li className={isShown ? '' : 'opacity-0'}>
      <button
        type="button"
        aria-label={t('browse:removeFilter', { name: text })}
        onClick={() => setIsShown(false)}
        className="inline-flex min-h-11 items-center gap-2 rounded-full border border-line bg-overlay px-4 text-sm hover:border-accent"
      >
        <bdi>{text}</bdi>
        <X aria-hidden size={14} />
      </button>
    </li>
  )
}

function listGuideChips({ guide }: BrowseFilters): FilterChip[] {
  const guideLimits = parseGuideFilter(guide)
  return GUIDE_KEYS.flatMap((guideKey) => {
    const guideLevel = guideLimits[guideKey]
    if (!guideLevel) return []
    const clear = (filters: BrowseFilters) => ({
      guide: formatGuideFilter(setGuideLimit(parseGuideFilter(filters.guide), guideKey, '')),
    })
    return [{ id: `guide${guideKey}`, text: formatGuideLimit(guideKey, guideLevel), clear }]
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
      clear: (current) => ({ [name]: setMembership(current[name], filterValue, false) }),
    }))
  return [
    ...filters.includeGenres.map((id) => ({
      id: `in${id}`,
      text: getGenreName(id),
      clear: ({ includeGenres }: BrowseFilters) => ({
        includeGenres: setMembership(includeGenres, id, false),
      }),
    })),
    ...filters.excludeGenres.map((id) => ({
      id: `out${id}`,
      text: t('browse:without', { genre: getGenreName(id) }),
      clear: ({ excludeGenres }: BrowseFilters) => ({
        excludeGenres: setMembership(excludeGenres, id, false),
      }),
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
            clear: () => ({ endBy: '' }),
          },
        ]
      : []),
    ...(filters.rating
      ? [
          {
            id: 'rating',
            text: `★ ${t('browse:atLeast', { value: filters.rating })}`,
            clear: () => ({ rating: '' }),
          },
        ]
      : []),
    ...(filters.ratingVotes
      ? [
          {
            id: 'votes',
            text: formatVotes(Number(filters.ratingVotes), '+'),
            clear: () => ({ ratingVotes: '' }),
          },
        ]
      : []),
    ...(filters.available
      ? [{ id: 'available', text: t('browse:available'), clear: () => ({ available: false }) }]
      : []),
    ...(filters.hideSeen
      ? [{ id: 'seen', text: t('browse:hideSeen'), clear: () => ({ hideSeen: false }) }]
      : []),
    ...(filters.highQuality
      ? [{ id: 'uhd', text: t('browse:highQuality'), clear: () => ({ highQuality: false }) }]
      : []),
  ]
}
