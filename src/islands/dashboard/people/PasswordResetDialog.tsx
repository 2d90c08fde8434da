import { useState } from 'react'
import type { AccountSummary } from '../../../lib/contract/admin-users.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import { t } from '../../../lib/i18n/t.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { createPasswordResetLink, type PasswordResetLink } from '../../../lib/stores/admin/users.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogActions } from '../../../ui/DialogActions.tsx'
import { useFormAction } from '../../../ui/use-form-action.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { formatTimeUntil } from '../kit/formatters.ts'
import { OneTimeLink } from './OneTimeLink.tsx'

/** Creates a password reset link after a confirmation, and shows it once. */
export function PasswordResetDialog({ account, onClose }: { account: AccountSummary; onClose: () => void }) {
  const [link, setLink] = useState<PasswordResetLink | null>(null)
  const { error, isSubmitting, submit } = useFormAction((failure) => t(getErrorMessageKey(failure)))
  const createLink = async () => setLink(await createPasswordResetLink(account))
  const title = t('dashboardpeople:resetTitle', { name: isolateBidi(account.email) })
  return (
    <Dialog title={title} closeLabel={t('common:close')} onClose={onClose}>
      {link ? (
        <OneTimeLink
          url={link.url}
          hint={t('dashboardpeople:resetHint', { when: formatTimeUntil(link.expires_at) })}
          onDone={onClose}
        />
      ) : (
        <>
          <p className="text-muted">{t('dashboardpeople:resetText')}</p>
          {error && (
            <p role="alert" className="text-sm text-danger">
              {error}
            </p>
          )}
          <DialogActions>
            <ActionButton aria-disabled={isSubmitting} onClick={onClose}>
              {t('common:cancel')}
            </ActionButton>
            <ActionButton
              data-first
              variant="primary"
              aria-disabled={isSubmitting}
              onClick={() => void submit(createLink)}
            >
              {t('dashboardpeople:resetMake')}
            </ActionButton>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
