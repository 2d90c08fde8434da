import { type FormEvent, useState } from 'react'
import { ApiError } from '../../../lib/client/errors.ts'
import type { AccountRole } from '../../../lib/contract/auth.ts'
import type { Locale } from '../../../lib/i18n/locales.ts'
import { t } from '../../../lib/i18n/t.ts'
import { type CreatedInvitation, createInvitation } from '../../../lib/stores/admin/invitations.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { useFormAction } from '../../../ui/use-form-action.ts'
import { FormActions } from '../kit/FormActions.tsx'
import { formatTimeUntil } from '../kit/formatters.ts'
import { LanguageSelect, RoleSelect } from './AccountSelects.tsx'
import { OneTimeLink } from './OneTimeLink.tsx'

const EXPIRY_CHOICES_DAYS = [1, 3, 7, 14, 30] as const

/** Creates an invitation, then shows its link. The server returns the link only once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [createdLink, setCreatedLink] = useState<{
    invitation: CreatedInvitation
    language: Locale | null
  } | null>(null)
  return (
    <Dialog
      title={t(createdLink ? 'dashboardpeople:linkTitle' : 'dashboardpeople:invite')}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      {createdLink ? (
        <OneTimeLink
          url={createdLink.invitation.url}
          hint={t('dashboardpeople:linkHint', { when: formatTimeUntil(createdLink.invitation.expires_at) })}
          mailStatus={createdLink.invitation.mail}
          language={createdLink.language}
          onDone={onClose}
        />
      ) : (
        <InviteForm
          onSent={(invitation, language) => setCreatedLink({ invitation, language })}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}

/** Returns the error message, either for the email field or for the whole form. */
function describeInviteError(failure: unknown): { email?: string; form?: string } {
  const isEmailInvalid =
    failure instanceof ApiError && Object.keys(failure.errors).some((field) => field.endsWith('email'))
  return isEmailInvalid ? { email: t('auth:emailInvalid') } : { form: t(getErrorMessageKey(failure)) }
}

function InviteForm({
  onSent,
  onCancel,
}: {
  onSent: (invitation: CreatedInvitation, language: Locale | null) => void
  onCancel: () => void
}) {
  const [role, setRole] = useState<AccountRole>('user')
  const [language, setLanguage] = useState<Locale | ''>('')
  /** The selected number of days until the invitation expires. Empty means the number of days in the settings. */
  const [expiryDays, setExpiryDays] = useState('')
  const { error: errorTexts, isSubmitting, submit } = useFormAction(describeInviteError)
  const submitInvitation = async (email: string) => {
    const invitation = await createInvitation({
      role,
      ...(expiryDays && { expires_in_days: Number(expiryDays) }),
      ...(email && { email }),
      ...(language && { language }),
    })
    onSent(invitation, language || null)
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    void submit(() => submitInvitation(email))
  }
  return (
    <form onSubmit={submitForm} className="flex flex-col gap-5" noValidate>
      <Field
        label={t('dashboardpeople:emailOptional')}
        name="email"
        type="email"
        dir="ltr"
        data-first
        autoComplete="off"
        error={errorTexts?.email}
        hint={<p className="text-sm text-muted">{t('dashboardpeople:emailHint')}</p>}
      />
      <RoleSelect value={role} onChange={setRole} />
      <div className="grid gap-5 sm:grid-cols-2">
        <LanguageSelect value={language} onChange={setLanguage} />
        <Select
          label={t('dashboardpeople:expires')}
          value={expiryDays}
          options={[
            { value: '', label: t('dashboardpeople:expiryOfSettings') },
            ...EXPIRY_CHOICES_DAYS.map((value) => ({
              value: String(value),
              label: t('dashboardpeople:days', { count: value }),
            })),
          ]}
          onChange={setExpiryDays}
        />
      </div>
      {errorTexts?.form && (
        <p role="alert" className="text-sm text-danger">
          {errorTexts.form}
        </p>
      )}
      <FormActions
        isSubmitting={isSubmitting}
        submitLabel={t('dashboardpeople:makeLink')}
        onCancel={onCancel}
      />
    </form>
  )
}
