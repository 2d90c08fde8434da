import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { KeySquare } from '../../icons/index.ts'
import type { ApiKey } from '../../lib/contract/api-keys.ts'
import { formatLocalDate, formatRelativeTime } from '../../lib/i18n/format-instant.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { $apiKeys, revokeApiKey } from '../../lib/stores/api-keys.ts'
import { $profiles } from '../../lib/stores/profile.ts'
import { showFailure } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ConfirmActions } from '../ConfirmActions.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'
import { ApiKeyDialog } from './ApiKeyDialog.tsx'
import { formatScope } from './format-scope.ts'

/** Section of the account page: keys with which programs call the API. */
export function ApiKeySection() {
  const { data: apiKeysReply } = useStore($apiKeys)
  const [isCreating, setIsCreating] = useState(false)
  const [keyToRevoke, setKeyToRevoke] = useState<ApiKey | null>(null)
  if (!apiKeysReply) return <SectionPlaceholder $read={$apiKeys} />
  return (
    <section aria-label={t('security:apiKeys')} className="flex max-w-xl flex-col items-start gap-4">
      <h2 className="text-lg font-bold">{t('security:apiKeys')}</h2>
      <p className="text-muted">
        {t('security:apiKeysText')}{' '}
        <a className="text-ink underline underline-offset-4" href="/api/docs" data-astro-reload>
          {t('security:apiReference')}
        </a>
      </p>
      {apiKeysReply.results.length > 0 && (
        <ul className="w-full divide-y divide-line">
          {apiKeysReply.results.map((apiKey) => (
            <ApiKeyRow key={apiKey.key_id} apiKey={apiKey} onRevoke={() => setKeyToRevoke(apiKey)} />
          ))}
        </ul>
      )}
      <Button onClick={() => setIsCreating(true)}>{t('security:apiKeyCreate')}</Button>
      {isCreating && <ApiKeyDialog onClose={() => setIsCreating(false)} />}
      {keyToRevoke && <RevokeApiKeyDialog apiKey={keyToRevoke} onClose={() => setKeyToRevoke(null)} />}
    </section>
  )
}

function ApiKeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const profile = useStore($profiles)?.find(({ profile_id }) => profile_id === apiKey.profile_id)
  const isExpired = apiKey.expires_at !== null && Date.parse(apiKey.expires_at) <= Date.now()
  const facts = [
    apiKey.last_used
      ? t('common:pair', {
          name: t('security:passkeyLastUsed'),
          value: formatRelativeTime(apiKey.last_used),
        })
      : t('security:apiKeyUnused'),
    apiKey.expires_at &&
      t(isExpired ? 'security:apiKeyExpired' : 'security:apiKeyUntil', {
        date: formatLocalDate(apiKey.expires_at),
      }),
    profile && isolateBidi(profile.name),
  ].filter(Boolean)
  return (
    <li className="flex flex-wrap items-center gap-4 py-4">
      <KeySquare aria-hidden className="text-muted" />
      <div className="min-w-0 grow basis-64">
        <p className="font-semibold wrap-anywhere">
          <bdi>{apiKey.name}</bdi>
        </p>
        <p className="text-sm text-muted">{apiKey.scopes.map(formatScope).join(' · ')}</p>
        <p className={`text-sm ${isExpired ? 'text-danger' : 'text-muted'}`}>{facts.join(' · ')}</p>
      </div>
      <Button
        aria-label={t('security:apiKeyRevokeNamed', { name: isolateBidi(apiKey.name) })}
        onClick={onRevoke}
      >
        {t('security:apiKeyRevoke')}
      </Button>
    </li>
  )
}

function RevokeApiKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revokeKey = () => revokeApiKey(apiKey.key_id).then(onClose, showFailure)
  return (
    <Dialog
      title={t('security:apiKeyRevokeNamed', { name: isolateBidi(apiKey.name) })}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <p className="text-muted">{t('security:apiKeyRevokeText')}</p>
      <ConfirmActions label={t('security:apiKeyRevoke')} onConfirm={revokeKey} onCancel={onClose} />
    </Dialog>
  )
}
