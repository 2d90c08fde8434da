import { SlidersHorizontal } from 'lucide-react'
import { Activity, type ReactNode, useState } from 'react'
import { formatCount, languageName } from '../../lib/i18n/format.ts'
import { currentLocale, t, tData } from '../../lib/i18n/t.ts'
import { genresOf } from '../../lib/rules/genres.ts'
import { LANGUAGES, MINIMUM_VOTES, MOVIE_RATINGS, NETWORKS, TV_RATINGS } from '../../lib/rules/limits.ts'
import { type BrowseType, type Filters, POPULAR } from '../../lib/stores/browse.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Select } from '../../ui/Select.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { networkName } from '../media/network-name.ts'

interface Props {
  type: BrowseType
  filters: Filters
  kids: boolean
  onChange: (part: Partial<Filters>) => void
}
const RATINGS = ['9', '8', '7', '6', '5']
const EXTRA_SORTS = [
  ['title.asc', 'browse:titleAsc'],
  ['title.desc', 'browse:titleDesc'],
  ['release_date.asc', 'browse:oldest'],
  ['rating_votes.desc', 'browse:mostVoted'],
] as const

export function FilterPanel(props: Props) {
  const [open, setOpen] = useState(false)
  /* Seventy controls take a slow television long: they are drawn, unseen, when somebody comes near the button. */
  const [near, setNear] = useState(false)
  const comeNear = () => setNear(true)
  return (
    <>
      <Button
        icon={<SlidersHorizontal aria-hidden size={18} />}
        onPointerEnter={comeNear}
        onFocus={comeNear}
        onClick={() => setOpen(true)}
      >
        {t('browse:filters')}
      </Button>
      {(near || open) && (
        <Activity mode={open ? 'visible' : 'hidden'}>
          <Dialog
            wide
            title={t('browse:filters')}
            closeLabel={t('common:close')}
            onClose={() => setOpen(false)}
          >
            <Fields {...props} />
            <Button look="primary" onClick={() => setOpen(false)}>
              {t('common:done')}
            </Button>
          </Dialog>
        </Activity>
      )}
    </>
  )
}

function Fields({ type, filters, kids, onChange }: Props) {
  const locale = currentLocale()
  const any = { value: '', label: t('browse:any') }
  const ratings = type === 'movie' ? MOVIE_RATINGS : TV_RATINGS
  const sorts =
    [POPULAR, 'release_date.desc', 'rating.desc'].includes(filters.sort) ||
    filters.sort === 'newest_season.desc'
      ? [{ value: filters.sort, label: t('browse:popular') }]
      : []
  return (
    <>
      <Genres type={type} filters={filters} kids={kids} onChange={onChange} />
      <Group label={t('browse:rated')}>
        {ratings.map((rated) => (
          <Choice
            key={rated}
            text={rated === 'All' ? t('common:all') : rated}
            on={filters.rated.includes(rated)}
            onClick={() => onChange({ rated: flip(filters.rated, rated) })}
          />
        ))}
      </Group>
      {type === 'tv' && (
        <Group label={t('browse:network')}>
          {NETWORKS.map((network) => (
            <Choice
              key={network}
              text={networkName(network)}
              on={filters.network.includes(network)}
              onClick={() => onChange({ network: flip(filters.network, network) })}
            />
          ))}
        </Group>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Select
          label={t('browse:language')}
          value={filters.language[0] ?? ''}
          options={[
            any,
            ...LANGUAGES.map((code) => ({ value: code as string, label: languageName(code, locale) })),
          ]}
          onChange={(code) => onChange({ language: code ? [code] : [] })}
        />
        <Select
          label={t('browse:releaseYear')}
          value={filters.releaseYear[0] ?? ''}
          options={[any, ...years().map((year) => ({ value: year, label: year }))]}
          onChange={(year) => onChange({ releaseYear: year ? [year] : [] })}
        />
        <Select
          label={t('browse:rating')}
          value={filters.rating}
          options={[any, ...RATINGS.map((value) => ({ value, label: t('browse:atLeast', { value }) }))]}
          onChange={(rating) => onChange({ rating })}
        />
        <Select
          label={t('browse:ratingVotes')}
          value={filters.ratingVotes}
          options={[
            any,
            ...MINIMUM_VOTES.map((votes) => ({ value: String(votes), label: `${formatCount(votes)}+` })),
          ]}
          onChange={(ratingVotes) => onChange({ ratingVotes })}
        />
        <Select
          label={t('browse:sort')}
          value={filters.sort}
          options={[
            ...sorts,
            ...EXTRA_SORTS.map(([value, key]) => ({ value: value as string, label: t(key) })),
          ]}
          onChange={(sort) => onChange({ sort })}
        />
      </div>
      <div>
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

/** A genre is included at the first press, excluded at the second, left alone at the third. */
function Genres({ type, filters, kids, onChange }: Props) {
  const { includeGenres: included, excludeGenres: excluded } = filters
  return (
    <Group label={t('browse:genres')}>
      {genresOf(type, kids).map((id) => {
        const state = included.includes(id) ? 'in' : excluded.includes(id) ? 'out' : 'any'
        const genre = tData(`genres:${id}`, '')
        const press = () =>
          onChange({
            includeGenres: state === 'any' ? [...included, id] : included.filter((one) => one !== id),
            excludeGenres: state === 'in' ? [...excluded, id] : excluded.filter((one) => one !== id),
          })
        return (
          <Choice
            key={id}
            text={genre}
            on={state === 'in'}
            out={state === 'out'}
            label={t(`browse:genreState_${state}`, { genre })}
            onClick={press}
          />
        )
      })}
    </Group>
  )
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-muted">{label}</legend>
      <div className="flex flex-wrap gap-2">{children}</div>
    </fieldset>
  )
}

function Choice({
  text,
  on,
  out = false,
  label,
  onClick,
}: {
  text: string
  on: boolean
  out?: boolean
  label?: string
  onClick: () => void
}) {
  const look = on
    ? 'border-accent bg-accent text-accent-ink'
    : out
      ? 'border-danger text-danger line-through'
      : 'border-line bg-overlay hover:border-faint'
  return (
    <button
      type="button"
      aria-pressed={on}
      aria-label={label}
      onClick={onClick}
      className={`min-h-11 rounded-full border px-4 text-sm ${look}`}
    >
      {text}
    </button>
  )
}

function flip(list: string[], value: string): string[] {
  return list.includes(value) ? list.filter((one) => one !== value) : [...list, value]
}

function years(): string[] {
  const now = new Date().getFullYear()
  return Array.from({ length: now - 1919 }, (_, back) => String(now - back))
}
