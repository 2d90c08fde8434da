import { type FormEvent, useState } from 'react'
import type { AccountRole } from '../../../lib/contract/auth.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import type { Locale } from '../../../lib/i18n/locales.ts'
import { t } from '../../../lib/i18n/t.ts'
import { createUser } from '../../../lib/stores/admin/users.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { NewPasswordField } from '../../auth/NewPasswordField.tsx'
import { FormActions } from '../kit/FormActions.tsx'
import { LanguageSelect, RoleSelect } from './AccountSelects.tsx'

/** Creates an account with a password, for people who do not open an invitation themselves. */
export default function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [role, setRole] = useState<AccountRole>('user')
  const [language, setLanguage] = useState<Locale | ''>('')
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const [isSubmitting, runAction] = useAction()
  const createAccount = async (email: string) => {
    const failureKey = await createUser({ email, password, role, ...(language && { language }) })
    setErrorKey(failureKey)
    if (!failureKey) onClose()
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const emailField = event.currentTarget.elements.namedItem('email') as HTMLInputElement
    const email = emailField.value.trim()
    emailField.value = email
    if (!email || !emailField.checkValidity()) return setErrorKey('auth:emailInvalid')
    if (!event.currentTarget.reportValidity()) return
    void runAction(() => createAccount(email))
  }
  const isEmailError = errorKey === 'auth:emailInvalid' || errorKey === 'dashboardpeople:emailTaken'
  return (
    <Dialog title={t('dashboardpeople:create')} closeLabel={t('common:close')} onClose={onClose}>
      <form onSubmit={submitForm} className="flex flex-col gap-5" noValidate>
        <p className="text-muted">{t('dashboardpeople:createText')}</p>
        <Field
          label={t('auth:email')}
          name="email"
          type="email"
          required
          dir="ltr"
          data-first
          autoComplete="off"
          error={isEmailError ? t(errorKey) : null}
        />
        <NewPasswordField label={t('auth:password')} value={password} onChange={setPassword} />
        <div className="grid gap-5 sm:grid-cols-2">
          <RoleSelect value={role} onChange={setRole} />
          <LanguageSelect value={language} onChange={setLanguage} />
        </div>
        <FormActions
          errorKey={isEmailError ? null : errorKey}
          isSubmitting={isSubmitting}
          submitLabel={t('dashboardpeople:create')}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
