import { useStore } from '@nanostores/react'
import { useId, useState } from 'react'
import { Check, Copy } from '../../icons/index.ts'
import { formatLocalDate } from '../../lib/i18n/format-instant.ts'
import { t } from '../../lib/i18n/t.ts'
import {
  $calendarAddress,
  $calendarFeed,
  createCalendarAddress,
  revokeCalendarAddress,
} from '../../lib/stores/calendar-feed.ts'
import { Button } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { useAction } from '../../ui/use-action.ts'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

/**
 * Dialog for the calendar address. The user can create the address, which is shown once, replace it and revoke it.
 */
export default function CalendarFeedDialog({ onClose }: { onClose: () => void }) {
  const { data: feed } = useStore($calendarFeed)
  const address = useStore($calendarAddress)
  const [isRunning, runAction] = useAction()
  const runAddressAction = (action: () => Promise<void>) => {
    if (feed) void runAction(action)
  }
  const hasFeed = feed?.created_at != null
  return (
    <Dialog title={t('calendar:address')} closeLabel={t('common:close')} onClose={onClose}>
      <p className="text-muted">{t('calendar:addressText')}</p>
      <SectionPlaceholder $read={$calendarFeed} />
      {address && <FeedAddressField address={address} />}
      {hasFeed && (
        <p className="numbers text-sm text-muted">
          {t('calendar:addressCreated', { date: formatLocalDate(feed.created_at ?? '') })}{' '}
          {feed.read_at
            ? t('calendar:addressRead', { date: formatLocalDate(feed.read_at) })
            : t('calendar:addressUnread')}
        </p>
      )}
      {hasFeed && <p className="text-sm text-muted">{t('calendar:replaceHint')}</p>}
      <DialogActions>
        <Button
          data-first={address ? undefined : true}
          variant={hasFeed ? 'plain' : 'primary'}
          aria-disabled={isRunning}
          onClick={() => runAddressAction(createCalendarAddress)}
        >
          {t(hasFeed ? 'calendar:replaceAddress' : 'calendar:createAddress')}
        </Button>
        {hasFeed && (
          <Button
            variant="danger"
            aria-disabled={isRunning}
            onClick={() => runAddressAction(revokeCalendarAddress)}
          >
            {t('calendar:revokeAddress')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function FeedAddressField({ address }: { address: string }) {
  const id = useId()
  const [copiedAddress, setCopiedAddress] = useState('')
  const copyFeedAddress = async () => {
    if (await copyText(document.getElementById(id) as HTMLInputElement)) setCopiedAddress(address)
  }
  const isCopied = copiedAddress === address
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium text-muted">
        {t('calendar:addressOnce')}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          dir="ltr"
          value={address}
          onFocus={(event) => event.target.select()}
          className="min-h-11 min-w-0 grow rounded-md border border-line bg-ground px-3 text-sm"
        />
        <Button
          variant="primary"
          icon={isCopied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
          onClick={() => void copyFeedAddress()}
        >
          <span aria-live="polite">{t(isCopied ? 'calendar:copied' : 'calendar:copy')}</span>
        </Button>
      </div>
    </div>
  )
}
