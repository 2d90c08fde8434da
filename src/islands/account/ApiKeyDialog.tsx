import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/client/errors.ts'
import { API_KEY_SCOPES, type ApiKeyScope } from '../../lib/contract/endpoint.ts'
import { t } from '../../lib/i18n/t.ts'
import { createApiKey } from '../../lib/stores/api-keys.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import { $user } from '../../lib/stores/session.ts'
import { getFailureKey } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Field } from '../../ui/Field.tsx'
import { Select } from '../../ui/Select.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { PasswordForm } from '../profiles/PasswordForm.tsx'
import { formatScope } from './format-scope.ts'

const EXPIRY_CHOICES_DAYS = [30, 90, 365] as const
const DEFAULT_EXPIRY_DAYS = 365
const DEFAULT_SCOPES: readonly ApiKeyScope[] = ['catalogue:read', 'tracking:read']

/** Creates an API key and shows it once. */
export function ApiKeyDialog({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState<string | null>(null)
  return (
    <Dialog
      title={t(token ? 'security:apiKeyReady' : 'security:apiKeyCreate')}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      {token ? <NewApiKey token={token} onDone={onClose} /> : <ApiKeyForm onCreated={setToken} />}
    </Dialog>
  )
}

function ApiKeyForm({ onCreated }: { onCreated: (token: string) => void }) {
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>(DEFAULT_SCOPES)
  const [profileId, setProfileId] = useState('')
  const [expiryDays, setExpiryDays] = useState(String(DEFAULT_EXPIRY_DAYS))
  const [errorText, setErrorText] = useState<string | null>(null)
  const [attemptCount, setAttemptCount] = useState(0)
  const isAdmin = useStore($user)?.role === 'admin'
  const isAdminKey = scopes.includes('admin')
  const createKey = async (password: string) => {
    setErrorText(null)
    if (name.trim() === '' || scopes.length === 0) {
      setErrorText(t('security:apiKeyIncomplete'))
      setAttemptCount(attemptCount + 1)
      return
    }
    try {
      const requestBody = {
        name: name.trim(),
        scopes: [...scopes],
        profile_id: isAdminKey || profileId === '' ? null : profileId,
        expires_in_days: expiryDays === '' ? null : Number(expiryDays),
        password,
      }
      onCreated(await createApiKey(requestBody))
    } catch (error) {
      if (error instanceof ApiError && error.errors['password']) throw error
      setErrorText(
        t(
          error instanceof ApiError && error.status === 409 ? 'security:apiKeyTooMany' : getFailureKey(error),
        ),
      )
      setAttemptCount(attemptCount + 1)
    }
  }
  return (
    <>
      <Field
        label={t('security:apiKeyName')}
        value={name}
        maxLength={60}
        data-first
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset>
        <legend className="text-sm font-medium text-muted">{t('security:apiKeyScopes')}</legend>
        {API_KEY_SCOPES.filter((scope) => scope !== 'admin' || isAdmin).map((scope) => (
          <Switch
            key={scope}
            label={formatScope(scope)}
            checked={scopes.includes(scope)}
            onChange={(isOn) =>
              setScopes(isOn ? [...scopes, scope] : scopes.filter((otherScope) => otherScope !== scope))
            }
          />
        ))}
      </fieldset>
      {!isAdminKey && <ProfileSelect value={profileId} onChange={setProfileId} />}
      <Select
        label={t('security:apiKeyExpires')}
        value={expiryDays}
        options={[
          ...EXPIRY_CHOICES_DAYS.map((dayCount) => ({
            value: String(dayCount),
            label: t('security:apiKeyDays', { count: dayCount }),
          })),
          { value: '', label: t('security:apiKeyNever') },
        ]}
        onChange={setExpiryDays}
      />
      {errorText && (
        <p role="alert" className="text-sm text-danger">
          {errorText}
        </p>
      )}
      <PasswordForm key={attemptCount} submitLabel={t('security:apiKeyCreate')} onSubmit={createKey} />
    </>
  )
}

/** Offers only profiles without a PIN, because an API key never opens a locked profile. */
function ProfileSelect({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const profiles = useStore($profiles)?.filter((profile) => !profile.locked) ?? []
  return (
    <Select
      label={t('security:apiKeyProfile')}
      value={value}
      options={[
        { value: '', label: t('security:apiKeyAllProfiles') },
        ...profiles.map((profile) => ({ value: profile.profile_id, label: profile.name })),
      ]}
      onChange={onChange}
    />
  )
}

function NewApiKey({ token, onDone }: { token: string; onDone: () => void }) {
  const apiKeyTextRef = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => apiKeyTextRef.current?.focus(), [])
  const copyApiKey = async () => {
    if (apiKeyTextRef.current) setIsCopied(await copyText(apiKeyTextRef.current))
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">{t('security:apiKeyReadyText')}</p>
      <textarea
        ref={apiKeyTextRef}
        readOnly
        rows={2}
        dir="ltr"
        aria-label={t('security:apiKeyReady')}
        value={token}
        className="numbers w-full resize-none rounded-md border border-line bg-ground p-4 text-center font-mono"
      />
      <DialogActions>
        <Button onClick={() => void copyApiKey()}>
          <span aria-live="polite">{t(isCopied ? 'security:copied' : 'security:copy')}</span>
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t('common:done')}
        </Button>
      </DialogActions>
    </div>
  )
}
