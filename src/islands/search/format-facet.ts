/** Formats facets and reasons of search results in the language of the page. */
import type { QueryFacet, SearchReason } from '../../lib/contract/search.ts'
import { getLanguageName } from '../../lib/i18n/format.ts'
import { getCurrentLocale, t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { getCrewJobGroup } from '../../lib/rules/job-groups.ts'
import { getNetworkName } from '../media/network-name.ts'

const LABEL_KEYS_BY_KIND = {
  genre: 'searchpage:genre',
  network: 'searchpage:network',
  language: 'searchpage:language',
  country: 'searchpage:country',
  year: 'searchpage:year',
  decade: 'searchpage:years',
  type: 'searchpage:type',
  person: 'searchpage:person',
  character: 'searchpage:character',
  keyword: 'searchpage:keyword',
  plot: 'searchpage:plot',
} as const

function formatValue({ kind, value }: Pick<SearchReason, 'kind' | 'value'>): string {
  switch (kind) {
    case 'genre':
      return translateDynamicKey(`genres:${value}`, value)
    case 'network':
      return getNetworkName(value)
    case 'language':
      return getLanguageName(value, getCurrentLocale())
    case 'country':
      return new Intl.DisplayNames([getCurrentLocale()], { type: 'region' }).of(value) ?? value
    case 'decade':
      return `${value}–${Number(value) + 9}`
    case 'type':
      return t(value === 'movie' ? 'common:movies' : 'common:tvShows')
    default:
      return value
  }
}

/** Returns the text of a facet chip, such as "Genre: Horror". */
export const formatFacet = ({ kind, value }: Pick<QueryFacet, 'kind' | 'value'>): string =>
  t('searchpage:labelled', { label: t(LABEL_KEYS_BY_KIND[kind]), value: formatValue({ kind, value }) })

/** Returns the reason why a title was found, such as "Network: HBO" or "Director: Christopher Nolan". */
export function formatReason(reason: SearchReason): string {
  const { kind, value, job } = reason
  if (kind === 'episode') {
    const [season = '', episode] = value.split('x')
    return episode
      ? t('common:episodeCode', { season, episode })
      : t('common:season_number', { number: season })
  }
  const jobGroup = job ? getCrewJobGroup(job) : undefined
  const label = jobGroup ? t(`jobs:${jobGroup}`) : t(LABEL_KEYS_BY_KIND[kind])
  return t('searchpage:labelled', { label, value: formatValue({ kind, value }) })
}
