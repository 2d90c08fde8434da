import type { TranslationKey } from '../../lib/i18n/keys.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  GUIDE_KEYS,
  GUIDE_LEVELS,
  type GuideKey,
  type GuideLevel,
  type GuideLimits,
} from '../../lib/rules/maturity.ts'
import { GUIDE_CATEGORIES } from '../../lib/rules/parental-guide.ts'
import { Select } from '../../ui/Select.tsx'

const LEVEL_LABEL_KEYS: Record<GuideLevel, TranslationKey> = {
  none: 'guide:levelNone',
  mild: 'guide:levelMild',
  moderate: 'guide:levelModerate',
}

const formatGuideCategory = (key: GuideKey): string =>
  t(`guide:${GUIDE_CATEGORIES[GUIDE_KEYS.indexOf(key)] as (typeof GUIDE_CATEGORIES)[number]}`)

/** Returns the text of one limit, such as `Profanity: Up to mild`. */
export const formatGuideLimit = (key: GuideKey, level: GuideLevel): string =>
  t('common:pair', { name: formatGuideCategory(key), value: t(LEVEL_LABEL_KEYS[level]) })

interface Props {
  limits: GuideLimits
  /** Label of the choice that accepts every severity. */
  anyLabel: string
  onChange: (limits: GuideLimits) => void
}

/** Lets the user choose the highest accepted severity for each category of the parental guide. */
export function GuideFilter({ limits, anyLabel, onChange }: Props) {
  const options = [
    { value: '' as const, label: anyLabel },
    ...GUIDE_LEVELS.map((level) => ({ value: level, label: t(LEVEL_LABEL_KEYS[level]) })),
  ]
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-muted">{t('guide:heading')}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        {GUIDE_KEYS.map((key) => (
          <Select<GuideLevel | ''>
            key={key}
            label={formatGuideCategory(key)}
            value={limits[key] ?? ''}
            options={options}
            areOptionsDeferred
            onChange={(level) => onChange(setGuideLimit(limits, key, level))}
          />
        ))}
      </div>
    </fieldset>
  )
}

/** Returns the limits with another level for a category; without the category if `level` is empty. */
export function setGuideLimit(limits: GuideLimits, key: GuideKey, level: GuideLevel | ''): GuideLimits {
  const { [key]: _previousLevel, ...otherLimits } = limits
  return level === '' ? otherLimits : { ...otherLimits, [key]: level }
}
