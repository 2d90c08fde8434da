import { useStore } from '@nanostores/react'
import { Upload } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { t, tData } from '../../../lib/i18n/t.ts'
import { $upload, bringFiles } from '../../../lib/stores/transfer.ts'
import { Button } from '../../../ui/Button.tsx'

/** Files by a button, for everybody; or dropped. */
export function DropZone() {
  const { name, busy, errors } = useStore($upload)
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (files: FileList | null) => {
    if (files && files.length > 0) void bringFiles([...files])
  }
  const drag = (event: DragEvent, inside: boolean) => {
    event.preventDefault()
    setOver(inside)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's way to what the button does
    <div
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false)
        take(event.dataTransfer.files)
      }}
      className={`flex flex-wrap items-center gap-x-5 gap-y-2 rounded-lg border-2 border-dashed p-6 ${over ? 'border-accent bg-overlay' : 'border-line bg-raised'}`}
    >
      <input
        ref={input}
        type="file"
        multiple
        accept=".zip,.csv,.json,.gz,.txt,application/zip,text/csv,application/json"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('transfer:choose')}
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
      <Button
        look="primary"
        disabled={busy}
        icon={<Upload aria-hidden size={18} />}
        onClick={() => input.current?.click()}
      >
        {t('transfer:choose')}
      </Button>
      <span className="text-muted">{t('transfer:drop')}</span>
      <p role="status" className="basis-full text-sm empty:hidden">
        {name !== null && <bdi>{t('transfer:uploading', { name })}</bdi>}
      </p>
      {errors.length > 0 && (
        <div role="alert" className="basis-full text-sm text-danger">
          {errors.map((error) => (
            <p key={error.name}>
              <bdi className="break-all">{error.name}</bdi>
              {' · '}
              {tData(`transfer:error_${error.code}`, t('transfer:error_failed'))}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}
