import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'
import { t } from '../../../lib/i18n/t.ts'
import { GUIDE_CATEGORIES, SEVERITIES } from '../../../lib/rules/limits.ts'
import type { TitleChange } from '../../../lib/stores/admin/titles.ts'
import { Switch } from '../../../ui/Switch.tsx'
import { CompactSelect } from '../kit/FilterBar.tsx'
import {
  getSeverity,
  type ParentalGuideEntries,
  type ParentalGuideSeverity,
  withSeverity,
} from './parental-guide.ts'

/** Unsaved values of the switches. */
export interface VisibilityDraft {
  isPublished?: boolean
  isSafeForKids?: boolean
  guide?: ParentalGuideEntries
}

/** Returns the changes that a draft makes; empty if the draft equals the saved title. */
export function createVisibilityChange(
  title: AdminTitle,
  {
    isPublished = title.published,
    isSafeForKids = title.safe_for_kids,
    guide = title.parental_guide,
  }: VisibilityDraft,
): TitleChange {
  const hasGuideChanged = GUIDE_CATEGORIES.some(
    (category) => getSeverity(guide, category) !== getSeverity(title.parental_guide, category),
  )
  return {
    ...(isPublished !== title.published && { published: isPublished }),
    ...(isSafeForKids !== title.safe_for_kids && { safe_for_kids: isSafeForKids }),
    ...(hasGuideChanged && { parental_guide: guide }),
  }
}

interface Props {
  title: AdminTitle
  draft: VisibilityDraft
  onChange: (draft: VisibilityDraft) => void
}

/** Switches that decide who sees a title, and its parental guide. */
export function TitleVisibility({ title, draft, onChange }: Props) {
  const guide = draft.guide ?? title.parental_guide
  return (
    <>
      <div className="divide-y divide-line border-y border-line">
        <Switch
          label={t('dashboardlibrary:published')}
          hint={t(title.blocked ? 'dashboardlibrary:blockedHint' : 'dashboardlibrary:publishedHint')}
          checked={draft.isPublished ?? title.published}
          onChange={(isPublished) => onChange({ ...draft, isPublished })}
        />
        <Switch
          label={t('dashboardlibrary:safeForKids')}
          hint={t('dashboardlibrary:safeForKidsHint')}
          checked={draft.isSafeForKids ?? title.safe_for_kids}
          onChange={(isSafeForKids) => onChange({ ...draft, isSafeForKids })}
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
                onChange({
                  ...draft,
                  guide: withSeverity(guide, category, value as ParentalGuideSeverity | ''),
                })
              }
            />
          </div>
        ))}
      </fieldset>
    </>
  )
}
