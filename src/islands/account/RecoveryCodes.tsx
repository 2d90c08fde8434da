import { useEffect, useRef, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { Button, getButtonClass } from '../../ui/Button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { DialogActions } from '../../ui/DialogActions.tsx'

const FILE_NAME = 'recovery-codes.txt'

/** Shows new recovery codes once, to copy or download them. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const codesText = codes.join('\n')
  const codesTextRef = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  const [fileUrl, setFileUrl] = useState<string>()
  useEffect(() => {
    codesTextRef.current?.focus()
    const url = URL.createObjectURL(new Blob([`${codesText}\n`], { type: 'text/plain' }))
    setFileUrl(url)
    return () => URL.revokeObjectURL(url)
  }, [codesText])
  const copyCodes = async () => {
    if (codesTextRef.current) setIsCopied(await copyText(codesTextRef.current))
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">{t('security:recoveryText')}</p>
      <textarea
        ref={codesTextRef}
        readOnly
        rows={codes.length}
        dir="ltr"
        aria-label={t('security:recoveryTitle')}
        value={codesText}
        className="numbers w-full resize-none rounded-md border border-line bg-ground p-4 text-center font-mono"
      />
      <DialogActions>
        <Button onClick={() => void copyCodes()}>
          <span aria-live="polite">{t(isCopied ? 'security:copied' : 'security:copy')}</span>
        </Button>
        <a className={getButtonClass('plain')} href={fileUrl} download={FILE_NAME}>
          {t('security:download')}
        </a>
        <Button variant="primary" onClick={onDone}>
          {t('security:recoverySaved')}
        </Button>
      </DialogActions>
    </div>
  )
}
