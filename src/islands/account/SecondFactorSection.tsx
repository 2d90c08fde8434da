import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { formatLocalDate } from '../../lib/i18n/format-instant.ts'
import { t } from '../../lib/i18n/t.ts'
import { $secondFactor, createRecoveryCodes, removeTotp } from '../../lib/stores/second-factor.ts'
import { showFailure, showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PasswordForm } from '../profiles/PasswordForm.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { TotpSetup } from './TotpSetup.tsx'

type SecondFactorAction = 'setUp' | 'remove' | 'newCodes'

/** Section of the account page: the authenticator app and its recovery codes. */
export function SecondFactorSection() {
  const { data: secondFactor } = useStore($secondFactor)
  const [activeDialog, setActiveDialog] = useState<SecondFactorAction | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const closeDialog = () => {
    setActiveDialog(null)
    setCodes(null)
  }
  if (!secondFactor) return <SectionPlaceholder $read={$secondFactor} />
  return (
    <section aria-label={t('secondfactor:title')} className="flex max-w-xl flex-col items-start gap-4">
      <h2 className="text-lg font-bold">{t('secondfactor:title')}</h2>
      <p className="text-muted">{t('security:totpText')}</p>
      {secondFactor.totp_since === null ? (
        <>
          <p>{t('security:totpOff')}</p>
          <Button onClick={() => setActiveDialog('setUp')}>{t('security:totpSetUp')}</Button>
        </>
      ) : (
        <>
          <p className="text-good">
            {t('security:totpOn', { date: formatLocalDate(secondFactor.totp_since) })}
          </p>
          <p className={secondFactor.recovery_codes_left < 3 ? 'text-danger' : 'text-muted'}>
            {t('security:recoveryLeft', { count: secondFactor.recovery_codes_left })}
          </p>
          <div className="flex flex-wrap gap-3">
            <Button onClick={() => setActiveDialog('newCodes')}>{t('security:recoveryNew')}</Button>
            <Button onClick={() => setActiveDialog('setUp')}>{t('security:totpReplace')}</Button>
            <Button variant="danger" onClick={() => setActiveDialog('remove')}>
              {t('security:totpRemove')}
            </Button>
          </div>
        </>
      )}
      {activeDialog === 'setUp' && (
        <Dialog
          isWide
          title={t(codes ? 'security:recoveryTitle' : 'security:totpSetUp')}
          closeLabel={t('common:close')}
          onClose={closeDialog}
        >
          {codes ? (
            <RecoveryCodes codes={codes} onDone={closeDialog} />
          ) : (
            <TotpSetup onConfirmed={setCodes} />
          )}
        </Dialog>
      )}
      {activeDialog === 'newCodes' && (
        <NewCodesDialog codes={codes} onCreated={setCodes} onClose={closeDialog} />
      )}
      {activeDialog === 'remove' && (
        <Dialog title={t('security:totpRemoveTitle')} closeLabel={t('common:close')} onClose={closeDialog}>
          <p className="text-muted">{t('security:totpRemoveText')}</p>
          <PasswordForm
            submitLabel={t('security:totpRemove')}
            submitVariant="danger"
            onSubmit={async (password) => {
              await removeTotp(password)
              showToast('security:totpRemoved')
              closeDialog()
            }}
          />
        </Dialog>
      )}
    </section>
  )
}

interface NewCodesProps {
  codes: string[] | null
  onCreated: (codes: string[]) => void
  onClose: () => void
}

function NewCodesDialog({ codes, onCreated, onClose }: NewCodesProps) {
  const [isCreating, runAction] = useAction()
  const createCodes = () => createRecoveryCodes().then(onCreated, showFailure)
  return (
    <Dialog title={t('security:recoveryTitle')} closeLabel={t('common:close')} onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <>
          <p className="text-muted">{t('security:recoveryNewText')}</p>
          <DialogActions>
            <Button variant="primary" aria-disabled={isCreating} onClick={() => void runAction(createCodes)}>
              {t('security:recoveryNew')}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
