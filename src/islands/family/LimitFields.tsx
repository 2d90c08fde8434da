import type { ProfileLimits } from '../../lib/contract/profile-limits.ts'
import { t } from '../../lib/i18n/t.ts'
import { AGE_LIMITS, type AgeLimit } from '../../lib/rules/maturity.ts'
import { Select } from '../../ui/Select.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { GuideFilter } from '../browse/GuideFilter.tsx'

const formatAgeLimit = (ageLimit: AgeLimit): string =>
  ageLimit === 0 ? t('common:allAges') : t('family:ageUpTo', { rating: `${ageLimit}+` })

interface Props {
  limits: ProfileLimits
  onChange: (changes: Partial<ProfileLimits>) => void
  /** True if the fields of the parental guide are collapsed while no limit of the parental guide is set. */
  isGuideCollapsed?: boolean
}

/** The fields of the limits of a profile. */
export function LimitFields({ limits, onChange, isGuideCollapsed = false }: Props) {
  const guideFilter = (
    <GuideFilter
      limits={limits.guide}
      anyLabel={t('family:noLimit')}
      onChange={(guide) => onChange({ guide })}
    />
  )
  return (
    <>
      <div className="max-w-md">
        <Select
          label={t('family:ageLimit')}
          value={String(limits.max_age ?? '')}
          options={[
            ...AGE_LIMITS.map((ageLimit) => ({ value: String(ageLimit), label: formatAgeLimit(ageLimit) })),
            { value: '', label: t('family:noLimit') },
          ]}
          onChange={(value) => onChange({ max_age: value === '' ? null : (Number(value) as AgeLimit) })}
        />
      </div>
      {limits.max_age !== null && <p className="text-sm text-muted">{t('family:ageHint')}</p>}
      {isGuideCollapsed ? (
        <details open={Object.keys(limits.guide).length > 0}>
          <summary className="min-h-11 py-2 font-semibold">{t('family:setUpGuide')}</summary>
          {guideFilter}
        </details>
      ) : (
        guideFilter
      )}
      {Object.keys(limits.guide).length > 0 && (
        <Switch
          label={t('family:acceptUnknown')}
          hint={t('family:acceptUnknownHint')}
          checked={limits.accepts_unknown_guide}
          onChange={(checked) => onChange({ accepts_unknown_guide: checked })}
        />
      )}
    </>
  )
}
