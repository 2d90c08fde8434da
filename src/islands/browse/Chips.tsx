import { X } from 'lucide-react'
import { formatCount, languageName } from '../../lib/i18n/format.ts'
import { currentLocale, t, tData } from '../../lib/i18n/t.ts'
import { type BrowseType, type Filters, readFilters } from '../../lib/stores/browse.ts'
import { networkName } from '../media/network-name.ts'

interface Props {
  type: BrowseType
  filters: Filters
  onChange: (part: Partial<Filters>) => void
}
interface Chip {
  id: string
  text: string
  without: Partial<Filters>
}

/** One chip for each active filter, and Reset. */
export function Chips({ filters, onChange }: Props) {
  const chips = chipsOf(filters)
  if (chips.length === 0) return null
  return (
    <ul className="flex flex-wrap items-center gap-2">
      {chips.map((chip) => (
        <li key={chip.id}>
          <button
            type="button"
            aria-label={t('browse:removeFilter', { name: chip.text })}
            onClick={() => onChange(chip.without)}
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
          onClick={() => onChange({ ...readFilters(''), sort: filters.sort })}
        >
          {t('browse:reset')}
        </button>
      </li>
    </ul>
  )
}

function chipsOf(filters: Filters): Chip[] {
  const genre = (id: number) => tData(`genres:${id}`, String(id))
  const each = <K extends 'releaseYear' | 'language' | 'rated' | 'network'>(
    name: K,
    text: (value: string) => string,
  ): Chip[] =>
    filters[name].map((value) => ({
      id: `${name}${value}`,
      text: text(value),
      without: { [name]: filters[name].filter((one) => one !== value) },
    }))
  return [
    ...filters.includeGenres.map((id) => ({
      id: `in${id}`,
      text: genre(id),
      without: { includeGenres: filters.includeGenres.filter((one) => one !== id) },
    })),
    ...filters.excludeGenres.map((id) => ({
      id: `out${id}`,
      text: t('browse:without', { genre: genre(id) }),
      without: { excludeGenres: filters.excludeGenres.filter((one) => one !== id) },
    })),
    ...each('releaseYear', (year) => year),
    ...each('language', (code) => languageName(code, currentLocale())),
    ...each('rated', (rated) =>
      rated === 'All' ? t('common:pair', { name: t('browse:rated'), value: t('common:all') }) : rated,
    ),
    ...each('network', networkName),
    ...(filters.rating
      ? [
          {
            id: 'rating',
            text: `★ ${t('browse:atLeast', { value: filters.rating })}`,
            without: { rating: '' },
          },
        ]
      : []),
    ...(filters.ratingVotes
      ? [
          {
            id: 'votes',
            text: t('detail:votes', { votes: `${formatCount(Number(filters.ratingVotes))}+` }),
            without: { ratingVotes: '' },
          },
        ]
      : []),
    ...(filters.hideSeen ? [{ id: 'seen', text: t('browse:hideSeen'), without: { hideSeen: false } }] : []),
    ...(filters.highQuality
      ? [{ id: 'uhd', text: t('browse:highQuality'), without: { highQuality: false } }]
      : []),
  ]
}
