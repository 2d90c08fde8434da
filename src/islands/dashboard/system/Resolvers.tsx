import { type FormEvent, useState } from 'react'
import { ArrowDown, ArrowUp } from '../../../icons/index.ts'
import type { StreamResolver } from '../../../lib/contract/admin-resolvers.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import { moveListItem, removeListItem } from '../../../lib/stores/admin/list-changes.ts'
import { $resolvers, saveResolvers, testResolver } from '../../../lib/stores/admin/resolvers.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { Field } from '../../../ui/Field.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx'
import { Subsection } from '../kit/SectionHeader.tsx'
import { LoadError } from '../kit/TableStates.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'
import { ConnectionTest } from './ConnectionTest.tsx'

/** Stream resolvers, in the order in which the server queries them. */
export function Resolvers() {
  const { data: resolversReply, error, retry } = useStoreQuery($resolvers)
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const [resolverToRemove, setResolverToRemove] = useState<StreamResolver | null>(null)
  const { results: resolvers = [] } = resolversReply ?? {}
  const editableResolvers = resolvers.filter(({ variable }) => variable === null)
  const saveChange = async (...change: Parameters<typeof saveResolvers>) => {
    const failureKey = await saveResolvers(...change)
    setErrorKey(failureKey)
    return failureKey === null
  }
  return (
    <Subsection title={t('dashboardsystem:resolvers')} hint={t('dashboardsystem:resolversHint')}>
      {error && <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />}
      {resolvers.length > 0 && (
        <ol className="divide-y divide-line border-y border-line">
          {resolvers.map((resolver) => (
            <ResolverRow
              key={resolver.id}
              resolver={resolver}
              isFirst={resolver === editableResolvers[0]}
              isLast={resolver === editableResolvers.at(-1)}
              onMove={(step) => void saveChange(moveListItem(resolver.id, step))}
              onRemove={() => setResolverToRemove(resolver)}
            />
          ))}
        </ol>
      )}
      {errorKey && (
        <p role="alert" className="text-sm text-danger">
          {t(errorKey)}
        </p>
      )}
      {resolversReply && (
        <AddResolver
          onAdd={(newResolver) =>
            saveChange((savedResolvers) => [...savedResolvers], { ...newResolver, media_origins: [] })
          }
        />
      )}
      {resolverToRemove && (
        <ConfirmDialog
          title={t('dashboardsystem:removeNamed', { name: isolateBidi(resolverToRemove.origin) })}
          confirmLabel={t('dashboardsystem:removeSecret')}
          onConfirm={() => saveChange(removeListItem(resolverToRemove.id))}
          onClose={() => setResolverToRemove(null)}
        >
          <p>{t('dashboardsystem:removeResolverText')}</p>
          <p>{t('dashboard:cannotUndo')}</p>
        </ConfirmDialog>
      )}
    </Subsection>
  )
}

interface ResolverRowProps {
  resolver: StreamResolver
  isFirst: boolean
  isLast: boolean
  onMove: (step: -1 | 1) => void
  onRemove: () => void
}

function ResolverRow({ resolver, isFirst, isLast, onMove, onRemove }: ResolverRowProps) {
  const resolverName = isolateBidi(resolver.origin)
  const formatResolverLabel = (label: string) => t('common:pair', { name: label, value: resolverName })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-4">
      <div className="min-w-0 grow basis-64">
        <p className="font-medium">
          <bdi>{resolver.origin}</bdi>
        </p>
        <p className="text-sm text-muted">
          {t(`dashboardsystem:protocol_${resolver.protocol}`)}
          {resolver.public_hosts && ` · ${t('dashboardsystem:publicHosts')}`}
          {resolver.variable &&
            ` · ${t('dashboardsystem:setByVariable', { variable: isolateBidi(resolver.variable) })}`}
        </p>
        <ConnectionTest
          label={t('dashboardsystem:testResolver')}
          accessibleLabel={formatResolverLabel(t('dashboardsystem:testResolver'))}
          testService={() => testResolver(resolver.id)}
        />
      </div>
      {resolver.variable === null && (
        <div className="flex gap-2">
          <ActionButton
            variant="quiet"
            aria-disabled={isFirst}
            aria-label={formatResolverLabel(t('dashboardsystem:moveUp'))}
            icon={<ArrowUp aria-hidden size={16} />}
            onClick={() => onMove(-1)}
          />
          <ActionButton
            variant="quiet"
            aria-disabled={isLast}
            aria-label={formatResolverLabel(t('dashboardsystem:moveDown'))}
            icon={<ArrowDown aria-hidden size={16} />}
            onClick={() => onMove(1)}
          />
          <ActionButton
            variant="danger"
            aria-label={formatResolverLabel(t('dashboardsystem:removeSecret'))}
            onClick={onRemove}
          >
            {t('dashboardsystem:removeSecret')}
          </ActionButton>
        </div>
      )}
    </li>
  )
}

function AddResolver({
  onAdd,
}: {
  onAdd: (newResolver: { address: string; public_hosts: boolean }) => Promise<boolean>
}) {
  const [address, setAddress] = useState('')
  const [arePublicHostsAllowed, setArePublicHostsAllowed] = useState(false)
  const [isAdding, runAction] = useAction()
  const isComplete = address.trim() !== ''
  const submitForm = async (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete) return
    await runAction(async () => {
      if (!(await onAdd({ address: address.trim(), public_hosts: arePublicHostsAllowed }))) return
      setAddress('')
      setArePublicHostsAllowed(false)
    })
  }
  return (
    <form onSubmit={(event) => void submitForm(event)} className="flex max-w-xl flex-col gap-3">
      <Field
        label={t('dashboardsystem:resolverAddress')}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        maxLength={2_000}
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        hint={<p className="text-sm text-muted">{t('dashboardsystem:resolverAddressHint')}</p>}
      />
      <Switch
        label={t('dashboardsystem:publicHosts')}
        hint={t('dashboardsystem:publicHostsHint')}
        checked={arePublicHostsAllowed}
        onChange={setArePublicHostsAllowed}
      />
      <ActionButton
        variant="primary"
        type="submit"
        className="self-start"
        aria-disabled={isAdding || !isComplete}
      >
        {t('dashboardsystem:addResolver')}
      </ActionButton>
    </form>
  )
}
