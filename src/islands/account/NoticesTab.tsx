import { useStore } from '@nanostores/react'
import { t } from '../../lib/i18n/t.ts'
import { $noticeSettings } from '../../lib/stores/notice-settings.ts'
import { ErrorView } from '../ErrorView.tsx'
import { DeliveryTimes } from './notices/DeliveryTimes.tsx'
import { NoticeRules } from './notices/NoticeRules.tsx'
import { PushSection } from './notices/PushSection.tsx'

/** Settings of notices: devices, quiet hours, weekly email and notice rules. */
export default function NoticesTab() {
  const { data: settings, error } = useStore($noticeSettings)
  if (error && !settings) return <ErrorView isInSection error={error} />
  if (!settings) return <div role="status" aria-label={t('common:loading')} className="skeleton h-18" />
  return (
    <div className="flex max-w-xl flex-col gap-12">
      <PushSection settings={settings} />
      <DeliveryTimes settings={settings} />
      <NoticeRules />
    </div>
  )
}
