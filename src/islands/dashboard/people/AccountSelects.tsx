/** Select fields for the options of a new account, in the dialogs that create accounts and invitations. */

import type { AccountRole } from '../../../lib/contract/auth.ts'
import { LOCALE_NAMES, LOCALES, type Locale } from '../../../lib/i18n/locales.ts'
import { t } from '../../../lib/i18n/t.ts'
import { ACCOUNT_ROLES } from '../../../lib/stores/admin/users.ts'
import { Select } from '../../../ui/Select.tsx'

export const RoleSelect = ({
  value,
  onChange,
}: {
  value: AccountRole
  onChange: (value: AccountRole) => void
}) => (
  <Select
    label={t('dashboardpeople:role')}
    value={value}
    options={[...ACCOUNT_ROLES]
      .reverse()
      .map((role) => ({ value: role, label: t(`dashboardpeople:role_${role}`) }))}
    onChange={onChange}
  />
)

interface LanguageSelectProps {
  /** Empty if the owner of the account chooses the language. */
  value: Locale | ''
  onChange: (value: Locale | '') => void
}

export const LanguageSelect = ({ value, onChange }: LanguageSelectProps) => (
  <Select
    label={t('dashboardpeople:language')}
    value={value}
    options={[
      { value: '', label: t('dashboardpeople:theirChoice') },
      ...LOCALES.map((locale) => ({ value: locale, label: LOCALE_NAMES[locale], lang: locale })),
    ]}
    onChange={(choice) => onChange(choice as Locale | '')}
  />
)
