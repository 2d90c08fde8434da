import { lazy, Suspense, useId, useState } from 'react'
import { Check, Copy } from '../../../icons/index.ts'
import type { Locale } from '../../../lib/i18n/locales.ts'
import { t } from '../../../lib/i18n/t.ts'
import { localisePath } from '../../../lib/routes.ts'
import { copyText } from '../../../ui/copy-text.ts'
import { DialogActions } from '../../../ui/DialogActions.tsx'
import { ActionButton } from '../kit/ActionButton.tsx'

const QrCode = lazy(() => import('../../../ui/QrCode.tsx'))

interface Props {
  url: string
  /** Text that says how long the link is valid. */
  hint: string
  /** Result of sending the link by email; `off` when there is no email address or the server cannot send email. */
  mailStatus?: 'off' | 'sent' | 'failed'
  /** Language in which the linked page opens, if one was selected. */
  language?: Locale | null
  onDone: () => void
}

/** The link of an invitation or a password reset, as text and QR code. The link cannot be shown again. */
export function OneTimeLink({ url, hint, mailStatus = 'off', language = null, onDone }: Props) {
  const id = useId()
  const [isCopied, setIsCopied] = useState(false)
  const localisedUrl = localiseLink(url, language)
  const copyLink = async () => {
    setIsCopied(await copyText(document.getElementById(id) as HTMLInputElement))
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-muted">{hint}</p>
      {mailStatus !== 'off' && (
        <p role="status" className={mailStatus === 'sent' ? 'text-good' : 'text-danger'}>
          {t(mailStatus === 'sent' ? 'dashboardpeople:mailSent' : 'dashboardpeople:mailFailed')}
        </p>
      )}
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="text-sm font-medium text-muted">
          {t('dashboardpeople:link')}
        </label>
        <div className="flex gap-2">
          <input
            id={id}
            readOnly
            dir="ltr"
            value={localisedUrl}
            onFocus={(event) => event.target.select()}
            className="min-h-11 min-w-0 grow rounded-md border border-line bg-ground px-3 text-sm"
          />
          <ActionButton
            data-first
            variant="primary"
            className="min-h-11"
            icon={isCopied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
            onClick={() => void copyLink()}
          >
            <span aria-live="polite">
              {t(isCopied ? 'dashboardpeople:copied' : 'dashboardpeople:copyLink')}
            </span>
          </ActionButton>
        </div>
      </div>
      <Suspense fallback={<div className="skeleton mx-auto size-56" />}>
        <QrCode text={localisedUrl} label={t('dashboardpeople:qr')} />
      </Suspense>
      <DialogActions>
        <ActionButton onClick={onDone}>{t('common:done')}</ActionButton>
      </DialogActions>
    </div>
  )
}

/** Returns the link to the same page in `language`; without a language, returns the link unchanged. */
function localiseLink(url: string, language: Locale | null): string {
  if (!language) return url
  const { origin, pathname, search } = new URL(url)
  return origin + localisePath(pathname + search, language)
}
