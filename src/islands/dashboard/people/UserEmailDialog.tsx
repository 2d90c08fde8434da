import { type FormEvent, useState } from 'react'
import type { AccountSummary } from '../../../lib/contract/admin-users.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import { changeUserEmail } from '../../../lib/stores/admin/users.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { FormActions } from '../kit/FormActions.tsx'

/** Changes the email address of an account. The new address does not have to be confirmed. */
export function UserEmailDialog({ account, onClose }: { account: AccountSummary; onClose: () => void }) {
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const [isSubmitting, runAction] = useAction()
  const saveEmail = async (email: string) => {
    const failureKey = await changeUserEmail(account, email)
    setErrorKey(failureKey)
    if (!failureKey) onClose()
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    void runAction(() => saveEmail(email))
  }
  return (
    <Dialog
      title={t('dashboardpeople:emailTitle', { name: isolateBidi(account.email) })}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <form onSubmit={submitForm} className="flex flex-col gap-5">
        <p className="text-muted">{t('dashboardpeople:emailText')}</p>
        <Field
          label={t('dashboardpeople:emailNew')}
          name="email"
          type="email"
          required
          dir="ltr"
          data-first
          autoComplete="off"
          error={errorKey && t(errorKey)}
        />
        <FormActions isSubmitting={isSubmitting} submitLabel={t('common:save')} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
