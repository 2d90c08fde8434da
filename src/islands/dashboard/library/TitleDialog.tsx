import { useState } from 'react'
import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import { GUIDE_CATEGORIES, SEVERITIES } from '../../../lib/rules/limits.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { $editedTitle, saveTitle } from '../../../lib/stores/admin/titles.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { ActionButton } from '../kit/ActionButton.tsx'
import { LoadError } from '../kit/DataTable.tsx'
import { CompactSelect } from '../kit/FilterBar.tsx'
import { formatLocalDateTime } from '../kit/formatters.ts'
import { useStoreQuery } from '../kit/use-store-query.ts'
import {
  getSeverity,
  type ParentalGuideEntries,
  type ParentalGuideSeverity,
  withSeverity,
} from './parental-guide.ts'

/** Edits the visibility of a title (published, safe for kids) and its parental guide. */
export function TitleDialog({ onClose }: { onClose: () => void }) {
  const { data, error, retry, isStale } = useStoreQuery($editedTitle)
  return (
    <Dialog title={data?.title ?? t('common:edit')} closeLabel={t('common:close')} onClose={onClose} isWide>
      {error ? (
        <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />
      ) : data && !isStale ? (
        <TitleForm key={data.id} title={data} onClose={onClose} />
      ) : (
        <div role="status" aria-label={t('common:loading')} className="skeleton h-96" />
      )}
    </Dialog>
  )
}

function TitleForm({ title, onClose }: { title: AdminTitle; onClose: () => void }) {
  const [isPublished, setIsPublished] = useState(title.published)
  const [isSafeForKids, setIsSafeForKids] = useState(title.safe_for_kids)
  const [guide, setGuide] = useState<ParentalGuideEntries>(title.parental_guide)
  const [isSubmitting, setIsSubmitting] = useState(false)
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const hasGuideChanged = GUIDE_CATEGORIES.some(
    (category) => getSeverity(guide, category) !== getSeverity(title.parental_guide, category),
  )
  const change = {
    ...(isPublished !== title.published && { published: isPublished }),
    ...(isSafeForKids !== title.safe_for_kids && { safe_for_kids: isSafeForKids }),
    ...(hasGuideChanged && { parental_guide: guide }),
  }
  const save = async () => {
    setIsSubmitting(true)
    const failureKey = await saveTitle(title, change)
    setIsSubmitting(false)
    if (failureKey) setErrorKey(failureKey)
    else onClose()
  }
  return (
    <div className="flex flex-col gap-6">
      <p className="-mt-3 text-sm text-muted">
        <bdi>{title.original_title}</bdi>
        {title.year !== null && <span className="numbers"> · {title.year}</span>}
        {title.imdb_id && (
          <>
            {' · '}
            <bdi>{title.imdb_id}</bdi>
          </>
        )}
      </p>
      <div className="divide-y divide-line border-y border-line">
        <Switch
          label={t('dashboardlibrary:published')}
          hint={t(title.blocked ? 'dashboardlibrary:blockedHint' : 'dashboardlibrary:publishedHint')}
          checked={isPublished}
          onChange={setIsPublished}
        />
        <Switch
          label={t('dashboardlibrary:safeForKids')}
          hint={t('dashboardlibrary:safeForKidsHint')}
          checked={isSafeForKids}
          onChange={setIsSafeForKids}
        />
      </div>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-2 font-semibold">{t('dashboardlibrary:guide')}</legend>
        {GUIDE_CATEGORIES.map((category) => (
          <div key={category} className="flex items-center justify-between gap-4 py-1 text-sm">
            <span className="min-w-0">{t(`guide:${category}`)}</span>
            <CompactSelect
              label={t(`guide:${category}`)}
              value={getSeverity(guide, category)}
              options={[
                { value: '', label: t('dashboardlibrary:unknown') },
                ...SEVERITIES.map((value) => ({ value, label: t(`guide:${value}`) })),
              ]}
              onChange={(value) =>
                setGuide(withSeverity(guide, category, value as ParentalGuideSeverity | ''))
              }
            />
          </div>
        ))}
      </fieldset>
      <p className="text-xs text-faint">
        {t('dashboardlibrary:origin', { source: getSourceName(title.source) })} ·{' '}
        <bdi>{formatLocalDateTime(title.updated_at)}</bdi>
        {title.edited.length > 0 && ` · ${t('dashboardlibrary:editedHint')}`}
      </p>
      {errorKey && (
        <p role="alert" className="text-sm text-danger">
          {t(errorKey)}
        </p>
      )}
      <div className="flex justify-end gap-3">
        <ActionButton onClick={onClose}>{t('common:cancel')}</ActionButton>
        <ActionButton
          variant="primary"
          disabled={isSubmitting || Object.keys(change).length === 0}
          onClick={() => void save()}
        >
          {t('common:save')}
        </ActionButton>
      </div>
    </div>
  )
}

/** Display names of importers. They are proper nouns, so they are not translated. */
const SOURCE_NAMES: Record<string, string> = { demo: 'Demo', imdb: 'IMDb', tmdb: 'TMDB' }
const getSourceName = (source: string) => SOURCE_NAMES[source] ?? source
