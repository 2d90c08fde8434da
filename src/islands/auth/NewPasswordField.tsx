import { useEffect, useRef } from 'react'
import { Check, Circle } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { ratePasswordStrength, validatePassword } from '../../lib/rules/password.ts'
import { PasswordField } from '../../ui/Field.tsx'

const PASSWORD_RULES = ['too_short', 'no_number', 'no_lowercase', 'no_uppercase'] as const
const STRENGTH_STEPS = { empty: 0, weak: 1, medium: 2, strong: 3 } as const
const STRENGTH_STEP_CLASSES = ['bg-line', 'bg-danger', 'bg-accent', 'bg-good'] as const

/**
 * Field for a new password; shows the four password rules and the strength while the user types. While a rule is not
 * met, the browser does not submit the form, but focuses the field and shows what is missing.
 */
export function NewPasswordField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) {
  const unmetRules = validatePassword(value)
  const strength = ratePasswordStrength(value)
  const containerRef = useRef<HTMLDivElement>(null)
  const firstUnmetRule = PASSWORD_RULES.find((rule) => unmetRules.includes(rule))
  const problemText = firstUnmetRule ? t(`auth:rule_${firstUnmetRule}`) : ''
  useEffect(() => containerRef.current?.querySelector('input')?.setCustomValidity(problemText), [problemText])
  const strengthMeter = (
    <div className="flex flex-col gap-3 pt-1">
      <div className="flex min-h-5 items-center gap-3">
        <div aria-hidden className="grid grow grid-cols-3 gap-1">
          {[1, 2, 3].map((strengthStep) => (
            <span
              key={strengthStep}
              className={`h-1.5 rounded-full ${STRENGTH_STEPS[strength] >= strengthStep ? STRENGTH_STEP_CLASSES[STRENGTH_STEPS[strength]] : 'bg-line'}`}
            />
          ))}
        </div>
        <p aria-live="polite" className="text-sm text-muted">
          {strength !== 'empty' && t('auth:strength', { strength: t(`auth:strength_${strength}`) })}
        </p>
      </div>
      <ul className="grid gap-1 text-sm">
        {PASSWORD_RULES.map((rule) => {
          const isRuleMet = value !== '' && !unmetRules.includes(rule)
          const Icon = isRuleMet ? Check : Circle
          return (
            <li key={rule} className={`flex items-center gap-2 ${isRuleMet ? 'text-good' : 'text-muted'}`}>
              <Icon aria-hidden size={14} />
              {t(`auth:rule_${rule}`)}
              <span className="sr-only">{t(isRuleMet ? 'auth:ruleMet' : 'auth:ruleUnmet')}</span>
            </li>
          )
        })}
      </ul>
    </div>
  )
  return (
    <div ref={containerRef}>
      <PasswordField
        label={label}
        name="new-password"
        autoComplete="new-password"
        required
        dir="ltr"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        showPasswordLabel={t('auth:showPassword')}
        hidePasswordLabel={t('auth:hidePassword')}
        hint={strengthMeter}
      />
    </div>
  )
}
