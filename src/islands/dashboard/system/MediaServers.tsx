import { useState } from 'react'
import { ArrowDown, ArrowUp } from '../../../icons/index.ts'
import type { MediaServer } from '../../../lib/contract/admin-media-servers.ts'
import { isolateBidi } from '../../../lib/i18n/isolate-bidi.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import { moveListItem, removeListItem } from '../../../lib/stores/admin/list-changes.ts'
import { $mediaServers, saveMediaServers, testMediaServer } from '../../../lib/stores/admin/media-servers.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { SavedSwitch } from '../../../ui/SavedSwitch.tsx'
import { ActionButton } from '../kit/ActionButton.tsx'
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx'
import { Subsection } from '../kit/SectionHeader.tsx'
import { LoadError } from '../kit/TableStates.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'
import { AddMediaServer } from './AddMediaServer.tsx'
import { MediaServerTest } from './MediaServerTest.tsx'
import { formatLastContact } from './media-server-contact.ts'

/** Jellyfin and Plex servers, in the order in which this installation queries them. */
export function MediaServers() {
  const { data: serversReply, error, retry } = useStoreQuery($mediaServers)
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const [serverToRemove, setServerToRemove] = useState<MediaServer | null>(null)
  const { results: servers = [] } = serversReply ?? {}
  const saveChange = async (...change: Parameters<typeof saveMediaServers>) => {
    const failureKey = await saveMediaServers(...change)
    setErrorKey(failureKey)
    return failureKey === null
  }
  const changeProgressReporting = (serverId: string, report_progress: boolean) =>
    saveChange((savedServers) =>
      savedServers.map((server) => (server.id === serverId ? { ...server, report_progress } : server)),
    )
  return (
    <Subsection title={t('dashboardsystem:mediaServers')} hint={t('dashboardsystem:mediaServersHint')}>
      {error && <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />}
      {servers.length > 0 && (
        <ol className="divide-y divide-line border-y border-line">
          {servers.map((server) => (
            <MediaServerRow
              key={server.id}
              server={server}
              isFirst={server === servers[0]}
              isLast={server === servers.at(-1)}
              onMove={(step) => void saveChange(moveListItem(server.id, step))}
              onReportingChange={(shouldReportProgress) =>
                changeProgressReporting(server.id, shouldReportProgress)
              }
              onRemove={() => setServerToRemove(server)}
            />
          ))}
        </ol>
      )}
      {errorKey && (
        <p role="alert" className="text-sm text-danger">
          {t(errorKey)}
        </p>
      )}
      {serversReply && (
        <AddMediaServer onAdd={(newServer) => saveChange((savedServers) => [...savedServers], newServer)} />
      )}
      {serverToRemove && (
        <ConfirmDialog
          title={t('dashboardsystem:removeNamed', { name: isolateBidi(serverToRemove.origin) })}
          confirmLabel={t('dashboardsystem:removeSecret')}
          onConfirm={() => saveChange(removeListItem(serverToRemove.id))}
          onClose={() => setServerToRemove(null)}
        >
          <p>{t('dashboardsystem:removeMediaServerText', { count: serverToRemove.matched })}</p>
          <p>{t('dashboard:cannotUndo')}</p>
        </ConfirmDialog>
      )}
    </Subsection>
  )
}

interface MediaServerRowProps {
  server: MediaServer
  isFirst: boolean
  isLast: boolean
  onMove: (step: -1 | 1) => void
  onReportingChange: (shouldReportProgress: boolean) => Promise<boolean>
  onRemove: () => void
}

function MediaServerRow({
  server,
  isFirst,
  isLast,
  onMove,
  onReportingChange,
  onRemove,
}: MediaServerRowProps) {
  const serverName = isolateBidi(server.origin)
  const formatServerLabel = (label: string) => t('common:pair', { name: label, value: serverName })
  return (
    <li className="flex flex-col gap-3 py-4">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="min-w-0 grow basis-64">
          <p className="truncate font-medium">
            <bdi dir="ltr">{server.origin}</bdi>
          </p>
          <p className="text-sm text-muted">
            <bdi>{t(`dashboardsystem:mediaServer_${server.kind}`)}</bdi> ·{' '}
            {t('dashboardsystem:mediaServerCounts', { matched: server.matched, unmatched: server.unmatched })}
          </p>
          <p className={`text-sm ${server.problem ? 'text-danger' : 'text-muted'}`}>
            {formatLastContact(server)}
          </p>
        </div>
        <div className="flex gap-2">
          <ActionButton
            variant="quiet"
            aria-disabled={isFirst}
            aria-label={formatServerLabel(t('dashboardsystem:moveUp'))}
            icon={<ArrowUp aria-hidden size={16} />}
            onClick={() => onMove(-1)}
          />
          <ActionButton
            variant="quiet"
            aria-disabled={isLast}
            aria-label={formatServerLabel(t('dashboardsystem:moveDown'))}
            icon={<ArrowDown aria-hidden size={16} />}
            onClick={() => onMove(1)}
          />
          <ActionButton
            variant="danger"
            aria-label={formatServerLabel(t('dashboardsystem:removeSecret'))}
            onClick={onRemove}
          >
            {t('dashboardsystem:removeSecret')}
          </ActionButton>
        </div>
      </div>
      <SavedSwitch
        label={t('dashboardsystem:reportProgress')}
        hint={t('dashboardsystem:reportProgressHint')}
        checked={server.report_progress}
        onSave={onReportingChange}
      />
      <MediaServerTest accessibleName={serverName} testServer={() => testMediaServer(server.id)} />
    </li>
  )
}
