import { lazy, Suspense } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { confirmWithCode } from '../../lib/stores/second-factor-request.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { canUsePasskeys } from '../auth/can-use-passkeys.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'

const PasskeyConfirmation = lazy(() => import('./PasskeyConfirmation.tsx'))

/** Dialog for the second factor that a call needs. After the confirmation, the call is repeated. */
export default function SecondFactorDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('secondfactor:confirmTitle')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('secondfactor:confirmHint')}</p>
      <SecondFactorForm onSubmit={confirmWithCode} isAtDialogEnd>
        {canUsePasskeys() && (
          <Suspense>
            <PasskeyConfirmation />
          </Suspense>
        )}
      </SecondFactorForm>
    </Dialog>
  )
}
