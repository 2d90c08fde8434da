import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'
import { t } from '../../../lib/i18n/t.ts'
import { GUIDE_CATEGORIES, GUIDE_SEVERITIES } from '../../../lib/rules/parental-guide.ts'
import type { TitleField } from '../../../lib/rules/title-fields.ts'
import type { TitleChange } from '../../../lib/stores/admin/titles.ts'
import { Switch } from '../../../ui/Switch.tsx'
import { CompactSelect } from '../kit/FilterBar.tsx'
import { ImportedValueButton } from './ImportedValueButton.tsx'
import {
  getSeverity,
  type ParentalGuideEntries,
  type ParentalGuideSeverity,
  replaceSeverity,
} from './parental-guide.ts'

/** Unsaved values of the switches and of the parental guide. */
export interface VisibilityDraft {
  published?: boolean
  safe_for_kids?: boolean
  parental_guide?: ParentalGuideEntries
}

/** Returns the changes that a draft makes; empty if the draft equals the saved title. */
export function createVisibilityChange(title: AdminTitle, draft: VisibilityDraft): TitleChange {
  const { published, safe_for_kids, parental_guide } = { ...title, ...draft }
  const hasGuideChanged = GUIDE_CATEGORIES.some(
    (category) => getSeverity(parental_guide, category) !== getSeverity(title.parental_guide, category),
  )
  return {
    ...(published !== title.published && { published }),
    ...(safe_for_kids !== title.safe_for_kids && { safe_for_kids }),
    ...(hasGuideChanged && { parental_guide }),
  }
}

interface Props {
  title: AdminTitle
  draft: VisibilityDraft
  onChange: (draft: VisibilityDraft) => void
  /** Resets a field to the value of the import. */
  onUndo: (field: TitleField) => void
}

/** Switches that decide who sees a title, and a select for each category of its parental guide. */
export function TitleVisibility({ title, draft, onChange, onUndo }: Props) {
  const guide = draft.parental_guide ?? title.parental_guide
  return (
    <>
      <div className="divide-y divide-line border-y border-line">
        <Switch
          label={t('dashboardlibrary:published')}
          hint={t(title.blocked ? 'dashboardlibrary:blockedHint' : 'dashboardlibrary:publishedHint')}
          checked={draft.published ?? title.published}
          onChange={(published) => onChange({ ...draft, published })}
        />
        <div className="flex flex-col">
          <Switch
            label={t('dashboardlibrary:safeForKids')}
            hint={t('dashboardlibrary:safeForKidsHint')}
            checked={draft.safe_for_kids ?? title.safe_for_kids}
            onChange={(safe_for_kids) => onChange({ ...draft, safe_for_kids })}
          />
          <ImportedValueButton
            title={title}
            field="safe_for_kids"
            label={t('dashboardlibrary:safeForKids')}
            onUndo={onUndo}
          />
        </div>
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
                ...GUIDE_SEVERITIES.map((value) => ({ value, label: t(`guide:${value}`) })),
              ]}
              onChange={(value) =>
                onChange({
                  ...draft,
                  parental_guide: replaceSeverity(guide, category, value as ParentalGuideSeverity | ''),
                })
              }
            />
          </div>
        ))}
        <ImportedValueButton
          title={title}
          field="parental_guide"
          label={t('dashboardlibrary:guide')}
          onUndo={onUndo}
        />
      </fieldset>
    </>
  )
}
