import { type FormEvent, useState } from 'react'
import { t } from '../../../lib/i18n/t.ts'
import { MEDIA_SERVER_KINDS, type MediaServerKind } from '../../../lib/rules/media-server-problems.ts'
import type { MediaServerFields } from '../../../lib/stores/admin/media-servers.ts'
import { Field, PasswordField } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { ActionButton } from '../kit/ActionButton.tsx'

interface Props {
  /** Resolves with true if the media server was saved. */
  onAdd: (newServer: MediaServerFields) => Promise<boolean>
}

/** Form that adds a Jellyfin or Plex server. */
export function AddMediaServer({ onAdd }: Props) {
  const [kind, setKind] = useState<MediaServerKind>('jellyfin')
  const [address, setAddress] = useState('')
  const [token, setToken] = useState('')
  const [isAdding, runAction] = useAction()
  const isComplete = address.trim() !== '' && token.trim() !== ''
  const submitForm = async (event: FormEvent) => {
    event.preventDefault()
    const newServer = { kind, address: address.trim(), token: token.trim(), report_progress: false }
    if (!isComplete) return
    await runAction(async () => {
      if (!(await onAdd(newServer))) return
      setAddress('')
      setToken('')
    })
  }
  return (
    <form onSubmit={(event) => void submitForm(event)} className="flex max-w-xl flex-col gap-3">
      <Select
        label={t('dashboardsystem:mediaServerKind')}
        value={kind}
        options={MEDIA_SERVER_KINDS.map((value) => ({
          value,
          label: t(`dashboardsystem:mediaServer_${value}`),
        }))}
        onChange={setKind}
      />
      <Field
        label={t('dashboardsystem:mediaServerAddress')}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        maxLength={2_000}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        hint={<p className="text-sm text-muted">{t(`dashboardsystem:mediaServerAddressHint_${kind}`)}</p>}
      />
      <PasswordField
        label={t(`dashboardsystem:mediaServerToken_${kind}`)}
        dir="ltr"
        autoComplete="off"
        maxLength={500}
        value={token}
        showPasswordLabel={t('auth:showPassword')}
        hidePasswordLabel={t('auth:hidePassword')}
        onChange={(event) => setToken(event.target.value)}
        hint={<p className="text-sm text-muted">{t(`dashboardsystem:mediaServerTokenHint_${kind}`)}</p>}
      />
      <ActionButton
        variant="primary"
        type="submit"
        className="self-start"
        aria-disabled={isAdding || !isComplete}
      >
        {t('dashboardsystem:addMediaServer')}
      </ActionButton>
    </form>
  )
}
