/** The slides of the review of a year: one fact per slide. */
import { formatDate, getLanguageName } from '../../lib/i18n/format.ts'
import { formatNumber, getCurrentLocale, t } from '../../lib/i18n/t.ts'
import type { Statistics } from '../../lib/stores/statistics.ts'
import { formatHours, formatWatchedTime, listGenreRows } from './plot-rows.ts'

export interface ReviewSlide {
  /** Label of the value, in the language of the page. */
  name: string
  value: string
  details: string[]
}

const MAX_DETAIL_COUNT = 4

/** Returns the slides. A slide without data is left out. */
export function listReviewSlides(statistics: Statistics): ReviewSlide[] {
  const { totals, titles, actors, languages, longest_streak: streak } = statistics
  const genreRows = listGenreRows(statistics)
  const [busiestDay] = statistics.days.toSorted((a, b) => b.minutes - a.minutes)
  const slides: (ReviewSlide | undefined | false)[] = [
    {
      name: t('statistics:hours'),
      value: formatHours(totals.minutes),
      details: [
        t('common:pair', { name: t('common:movies'), value: formatNumber(totals.movies) }),
        t('common:pair', { name: t('statistics:episodes'), value: formatNumber(totals.episodes) }),
        ...(totals.rewatches > 0
          ? [t('common:pair', { name: t('statistics:rewatches'), value: formatNumber(totals.rewatches) })]
          : []),
      ],
    },
    titles[0] && {
      name: t('statistics:topTitle'),
      value: titles[0].media.title,
      details: titles.slice(1, 1 + MAX_DETAIL_COUNT).map(({ media }) => media.title),
    },
    genreRows[0] && {
      name: t('statistics:topGenre'),
      value: genreRows[0].label,
      details: genreRows.slice(1, 1 + MAX_DETAIL_COUNT).map(({ label }) => label),
    },
    streak !== null &&
      streak.days > 1 && {
        name: t('statistics:longestStreak'),
        value: formatNumber(streak.days),
        details: [`${formatDate(streak.from)} – ${formatDate(streak.until)}`],
      },
    busiestDay !== undefined &&
      busiestDay.minutes > 0 && {
        name: t('statistics:busiestDay'),
        value: formatDate(busiestDay.date),
        details: [formatWatchedTime(busiestDay.minutes)],
      },
    actors[0] && {
      name: t('statistics:topActor'),
      value: actors[0].name,
      details: actors.slice(1, 1 + MAX_DETAIL_COUNT).map(({ name }) => name),
    },
    languages.length > 1 && {
      name: t('statistics:languages'),
      value: formatNumber(languages.length),
      details: languages
        .slice(0, MAX_DETAIL_COUNT)
        .map(({ code }) => getLanguageName(code, getCurrentLocale())),
    },
  ]
  return slides.filter((slide): slide is ReviewSlide => Boolean(slide))
}
