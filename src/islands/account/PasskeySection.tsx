import { useStore } from '@nanostores/react'
import { type FormEvent, useState } from 'react'
import { KeyRound } from '../../icons/index.ts'
import { ApiError } from '../../lib/client/errors.ts'
import type { Passkey } from '../../lib/contract/passkeys.ts'
import { formatLocalDate, formatRelativeTime } from '../../lib/i18n/format-instant.ts'
import { t } from '../../lib/i18n/t.ts'
import { $passkeys, addPasskey, removePasskey, renamePasskey } from '../../lib/stores/passkeys.ts'
import { showFailure, showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Field } from '../../ui/Field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { canUsePasskeys } from '../auth/can-use-passkeys.ts'
import { ConfirmActions } from '../ConfirmActions.tsx'
import { formatDeviceName } from '../format-device-name.ts'
import { PasswordForm } from '../profiles/PasswordForm.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'
import { formatPasskeyError } from '../second-factor/format-passkey-error.ts'

type PasskeyDialog = { kind: 'add' } | { kind: 'rename' | 'remove'; passkey: Passkey }

/** Section of the account page: the passkeys of the account. */
export function PasskeySection() {
  const { data: passkeysReply } = useStore($passkeys)
  const [activeDialog, setActiveDialog] = useState<PasskeyDialog | null>(null)
  if (!passkeysReply) return <SectionPlaceholder $read={$passkeys} />
  const closeDialog = () => setActiveDialog(null)
  const canAddPasskey = passkeysReply.available && canUsePasskeys()
  return (
    <section aria-label={t('security:passkeys')} className="flex max-w-xl flex-col items-start gap-4">
      <h2 className="text-lg font-bold">{t('security:passkeys')}</h2>
      <p className="text-muted">
        {t(canAddPasskey ? 'security:passkeysText' : 'secondfactor:passkeyUnavailable')}
      </p>
      {passkeysReply.results.length > 0 && (
        <ul className="w-full divide-y divide-line">
          {passkeysReply.results.map((passkey) => (
            <PasskeyRow key={passkey.passkey_id} passkey={passkey} onAction={setActiveDialog} />
          ))}
        </ul>
      )}
      {canAddPasskey && (
        <Button onClick={() => setActiveDialog({ kind: 'add' })}>{t('security:passkeyAdd')}</Button>
      )}
      {activeDialog?.kind === 'add' && <AddPasskeyDialog onClose={closeDialog} />}
      {activeDialog?.kind === 'rename' && (
        <RenamePasskeyDialog passkey={activeDialog.passkey} onClose={closeDialog} />
      )}
      {activeDialog?.kind === 'remove' && (
        <RemovePasskeyDialog passkey={activeDialog.passkey} onClose={closeDialog} />
      )}
    </section>
  )
}

interface PasskeyRowProps {
  passkey: Passkey
  onAction: (dialog: PasskeyDialog) => void
}

function PasskeyRow({ passkey, onAction }: PasskeyRowProps) {
  const name = formatDeviceName(passkey.name)
  return (
    <li className="flex flex-wrap items-center gap-4 py-4">
      <KeyRound aria-hidden className="text-muted" />
      <div className="min-w-0 grow">
        <p className="font-semibold">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm text-muted">
          {passkey.last_used
            ? t('common:pair', {
                name: t('security:passkeyLastUsed'),
                value: formatRelativeTime(passkey.last_used),
              })
            : t('security:passkeyCreated', { date: formatLocalDate(passkey.created_at) })}
        </p>
      </div>
      <Button
        aria-label={t('security:passkeyRenameNamed', { name })}
        onClick={() => onAction({ kind: 'rename', passkey })}
      >
        {t('security:passkeyRename')}
      </Button>
      <Button
        aria-label={t('security:passkeyRemoveNamed', { name })}
        onClick={() => onAction({ kind: 'remove', passkey })}
      >
        {t('common:delete')}
      </Button>
    </li>
  )
}

function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('')
  const [errorText, setErrorText] = useState<string | null>(null)
  const [attemptCount, setAttemptCount] = useState(0)
  const createPasskey = async (password: string) => {
    setErrorText(null)
    try {
      await addPasskey({ password, name: name.trim() })
      showToast('security:passkeyAdded')
      onClose()
    } catch (error) {
      if (error instanceof ApiError && error.errors['password']) throw error
      setErrorText(formatPasskeyError(error) ?? t('security:passkeyNotCreated'))
      setAttemptCount(attemptCount + 1)
    }
  }
  return (
    <Dialog title={t('security:passkeyAdd')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('security:passkeyAddText')}</p>
      <Field
        label={t('security:passkeyName')}
        value={name}
        maxLength={60}
        data-first
        onChange={(event) => setName(event.target.value)}
      />
      {errorText && (
        <p role="alert" className="text-sm text-danger">
          {errorText}
        </p>
      )}
      <PasswordForm key={attemptCount} submitLabel={t('security:passkeyAdd')} onSubmit={createPasskey} />
    </Dialog>
  )
}

function RenamePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [isRenaming, runAction] = useAction()
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('name')).trim()
    void runAction(() => renamePasskey(passkey.passkey_id, name).then(onClose, showFailure))
  }
  return (
    <Dialog title={t('security:passkeyRename')} closeLabel={t('common:close')} onClose={onClose}>
      <form onSubmit={submitForm} className="flex flex-col gap-5">
        <Field
          label={t('security:passkeyName')}
          name="name"
          defaultValue={passkey.name}
          maxLength={60}
          required
          data-first
        />
        <DialogActions>
          <Button variant="primary" type="submit" aria-disabled={isRenaming}>
            {t('common:save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function RemovePasskeyDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const deletePasskey = () => removePasskey(passkey.passkey_id).then(onClose, showFailure)
  return (
    <Dialog
      title={t('security:passkeyRemoveNamed', { name: formatDeviceName(passkey.name) })}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <p className="text-muted">{t('security:passkeyRemoveText')}</p>
      <ConfirmActions label={t('common:delete')} onConfirm={deletePasskey} onCancel={onClose} />
    </Dialog>
  )
}
