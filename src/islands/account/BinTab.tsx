import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { FileClock, History, ListVideo, UserRound } from '../../icons/index.ts'
import { ApiError } from '../../lib/client/errors.ts'
import type { BinItem } from '../../lib/contract/bin.ts'
import { formatLocalDate, formatRelativeTime } from '../../lib/i18n/format-instant.ts'
import { t } from '../../lib/i18n/t.ts'
import { $bin, eraseBinItem, restoreBinItem } from '../../lib/stores/bin.ts'
import { showToast } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { StepFocus } from '../../ui/StepFocus.tsx'
import { ConfirmActions } from '../ConfirmActions.tsx'
import { ErrorView } from '../ErrorView.tsx'
import { Name } from '../media/Name.tsx'
import { PasswordForm } from '../profiles/PasswordForm.tsx'

const ICONS_BY_KIND = { profile: UserRound, list: ListVideo, history: History, import: FileClock }

/** Deleted profiles, lists, viewings and imports, with buttons to restore them. */
export default function BinTab() {
  const { data: binReply, error } = useStore($bin)
  const [itemToErase, setItemToErase] = useState<BinItem | null>(null)
  return (
    <section aria-labelledby="bin-title" className="flex max-w-3xl flex-col gap-3">
      <h2 id="bin-title" className="text-lg font-bold">
        {t('bin:title')}
      </h2>
      <p className="text-muted">{t('bin:hint')}</p>
      {error && !binReply && <ErrorView isInSection error={error} />}
      {!binReply && !error && (
        <div role="status" aria-label={t('common:loading')} className="skeleton h-18" />
      )}
      {binReply?.results.length === 0 && <p className="text-muted">{t('bin:empty')}</p>}
      <ul className="divide-y divide-line">
        {binReply?.results.map((item) => (
          <BinRow key={`${item.kind}${item.item_id}`} item={item} onErase={setItemToErase} />
        ))}
      </ul>
      {itemToErase && <EraseBinItemDialog item={itemToErase} onClose={() => setItemToErase(null)} />}
    </section>
  )
}

const getBinItemName = (item: BinItem) => item.name ?? t('bin:hiddenTitle')

function BinRow({ item, onErase }: { item: BinItem; onErase: (item: BinItem) => void }) {
  const Icon = ICONS_BY_KIND[item.kind]
  const name = getBinItemName(item)
  return (
    <li className="flex flex-wrap items-center gap-4 py-4">
      <Icon aria-hidden className="text-muted" />
      <div className="min-w-0 grow basis-64">
        <p className="font-semibold wrap-anywhere">
          <Name text={name} />
        </p>
        <p className="text-sm text-muted">
          {t(`bin:kind_${item.kind}`)}
          {item.count !== null && (
            <>
              {' · '}
              {t(item.kind === 'list' ? 'bin:titles' : 'bin:viewings', { count: item.count })}
            </>
          )}
        </p>
        <p className="text-sm text-muted">
          {t('common:pair', { name: t('bin:deleted'), value: formatRelativeTime(item.deleted_at) })}
          {' · '}
          {t('bin:until', { date: formatLocalDate(item.restorable_until) })}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button aria-label={t('bin:restoreNamed', { name })} onClick={() => void restoreBinItem(item)}>
          {t('bin:restore')}
        </Button>
        <Button
          variant="quiet"
          aria-label={t('common:pair', { name: t('bin:erase'), value: name })}
          onClick={() => onErase(item)}
        >
          {t('common:delete')}
        </Button>
      </div>
    </li>
  )
}

/**
 * Asks for confirmation before an item is deleted permanently. For a profile with a PIN, the dialog also asks for the
 * account password.
 */
function EraseBinItemDialog({ item, onClose }: { item: BinItem; onClose: () => void }) {
  const [isPasswordNeeded, setIsPasswordNeeded] = useState(false)
  const name = getBinItemName(item)
  const eraseItem = async (password?: string) => {
    await eraseBinItem(item, password)
    showToast('bin:erased')
    onClose()
  }
  const eraseOrAskPassword = () =>
    eraseItem().catch((error: unknown) => {
      if (error instanceof ApiError && error.errors['password']) setIsPasswordNeeded(true)
      else {
        showToast('errors:generic', { kind: 'bad' })
        onClose()
      }
    })
  return (
    <Dialog title={t('bin:eraseNamed', { name })} closeLabel={t('common:close')} onClose={onClose}>
      <StepFocus step={isPasswordNeeded ? 'password' : 'confirm'} />
      <p className="text-muted">{t('bin:eraseText')}</p>
      {isPasswordNeeded ? (
        <PasswordForm submitLabel={t('common:delete')} submitVariant="danger" onSubmit={eraseItem} />
      ) : (
        <ConfirmActions label={t('common:delete')} onConfirm={eraseOrAskPassword} onCancel={onClose} />
      )}
    </Dialog>
  )
}
