import { useStore } from '@nanostores/react'
import { t } from '../../../lib/i18n/t.ts'
import { NOTICE_RULES, type NoticeRule } from '../../../lib/rules/notice-rules.ts'
import { $noticeRules, changeNoticeRule } from '../../../lib/stores/notice-rules.ts'
import { SavedSelect } from '../../../ui/SavedSelect.tsx'
import { ErrorView } from '../../ErrorView.tsx'
import { TitleName } from '../../media/Name.tsx'
import { SmallPoster } from '../../media/SmallPoster.tsx'
import { getTitleHref } from '../../media/title-urls.ts'

type NoticeRuleOptions = { value: NoticeRule; label: string }[]
const getSeriesOptions = (): NoticeRuleOptions =>
  NOTICE_RULES.map((value) => ({ value, label: t(`header:rule_${value}`) }))
const getMovieOptions = (): NoticeRuleOptions =>
  (['all', 'none'] as const).map((value) => ({
    value,
    label: t(value === 'all' ? 'notices:notify' : 'header:rule_none'),
  }))

/** List of the titles for which the profile has reduced or turned off notices. */
export function NoticeRules() {
  const { data: noticeRulesReply, error } = useStore($noticeRules)
  return (
    <section aria-labelledby="notices-titles" className="flex flex-col gap-3">
      <h2 id="notices-titles" className="text-lg font-bold">
        {t('notices:titles')}
      </h2>
      <p className="text-muted">{t('notices:titlesHint')}</p>
      {error && !noticeRulesReply && <ErrorView isInSection error={error} />}
      {noticeRulesReply?.results.length === 0 && <p className="text-muted">{t('notices:titlesEmpty')}</p>}
      <ul className="divide-y divide-line">
        {noticeRulesReply?.results.map(({ media, rule }) => (
          <li key={`${media.type}${media.id}`} className="flex flex-wrap items-center gap-4 py-3">
            <SmallPoster posterPath={media.poster_path} />
            <a href={getTitleHref(media)} className="min-w-0 grow hover:text-accent">
              <TitleName title={media} className="block truncate font-medium" />
              <span className="numbers block text-sm text-muted">{media.year}</span>
            </a>
            <SavedSelect
              isLabelHidden
              label={t('header:notify', { title: media.title })}
              value={rule}
              loadedData={noticeRulesReply}
              options={media.type === 'tv' ? getSeriesOptions() : getMovieOptions()}
              onSave={(nextRule) => changeNoticeRule(media, nextRule, rule)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
