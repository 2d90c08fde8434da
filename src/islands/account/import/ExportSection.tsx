import { useStore } from '@nanostores/react'
import { Download } from '../../../icons/index.ts'
import { t } from '../../../lib/i18n/t.ts'
import { downloadExport } from '../../../lib/stores/history-transfer.ts'
import { $profile } from '../../../lib/stores/profile.ts'
import { Button } from '../../../ui/Button.tsx'

export function ExportSection() {
  const profile = useStore($profile)
  if (!profile) return null
  return (
    <section aria-labelledby="export-heading" className="flex flex-col gap-5">
      <h2 id="export-heading" className="text-lg font-bold">
        {t('transfer:exportHeading')}
      </h2>
      <p className="max-w-prose text-muted">{t('transfer:exportText', { name: profile.name })}</p>
      <ExportButtons scope="profile" name={profile.name} />
      {!profile.kids && (
        <>
          <h3 className="font-bold">{t('transfer:exportAccount')}</h3>
          <p className="max-w-prose text-muted">{t('transfer:exportAccountText')}</p>
          <ExportButtons scope="account" name={t('transfer:exportAccount')} />
        </>
      )}
    </section>
  )
}

function ExportButtons({ scope, name }: { scope: 'profile' | 'account'; name: string }) {
  return (
    <div className="flex flex-wrap gap-3">
      {(['json', 'csv'] as const).map((format) => (
        <Button
          key={format}
          icon={<Download aria-hidden size={18} />}
          aria-label={t('common:pair', { name: t(`transfer:${format}`), value: name })}
          onClick={() => void downloadExport(scope, format)}
        >
          {t(`transfer:${format}`)}
        </Button>
      ))}
    </div>
  )
}
