import { useStore } from '@nanostores/react'
import { type DragEvent, useRef, useState } from 'react'
import { Upload } from '../../../icons/index.ts'
import { t, translateDynamicKey } from '../../../lib/i18n/t.ts'
import { $importUpload, retryUploads, uploadFiles } from '../../../lib/stores/history-transfer.ts'
import { Button } from '../../../ui/Button.tsx'
import { isTelevision } from '../../../ui/is-television.ts'

/** Uploads history files, chosen with a button or dropped. */
export function DropZone() {
  const { name: uploadingName, busy: isUploading, errors } = useStore($importUpload)
  const inputRef = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const uploadFileList = (files: FileList | null) => {
    if (files && files.length > 0) void uploadFiles([...files])
  }
  const updateDragState = (event: DragEvent, isDraggedInside: boolean) => {
    event.preventDefault()
    setIsDraggedOver(isDraggedInside)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same for keyboards and screen readers
    <div
      onDragOver={(event) => updateDragState(event, true)}
      onDragLeave={(event) => updateDragState(event, false)}
      onDrop={(event) => {
        updateDragState(event, false)
        uploadFileList(event.dataTransfer.files)
      }}
      className={`flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg border-2 border-dashed p-6 ${isDraggedOver ? 'border-accent bg-overlay' : 'border-line bg-raised'}`}
    >
      <input
        ref={inputRef}
        type="file"
        multiple
        accept=".zip,.csv,.tsv,.json,.xml,.nfo,.gz,.txt,.xls,.html,.htm,application/zip,text/csv,application/json"
        className="sr-only"
        tabIndex={-1}
        aria-label={t('transfer:choose')}
        onChange={(event) => {
          uploadFileList(event.target.files)
          event.target.value = ''
        }}
      />
      <Button
        variant="primary"
        aria-disabled={isUploading}
        icon={<Upload aria-hidden size={18} />}
        onClick={() => inputRef.current?.click()}
      >
        {t('transfer:choose')}
      </Button>
      {!isTelevision() && <span className="text-muted pointer-coarse:hidden">{t('transfer:drop')}</span>}
      <p role="status" className="basis-full text-sm empty:hidden">
        {uploadingName !== null && <bdi>{t('transfer:uploading', { name: uploadingName })}</bdi>}
      </p>
      {errors.length > 0 && (
        <div role="alert" className="basis-full text-sm text-danger">
          {errors.map((error) => (
            <p key={error.name}>
              <bdi className="break-all">{error.name}</bdi>
              {' · '}
              {translateDynamicKey(`transfer:error_${error.code}`, t('transfer:error_failed'))}
            </p>
          ))}
          {errors.some(({ file }) => file) && (
            <Button className="mt-3" aria-disabled={isUploading} onClick={() => void retryUploads()}>
              {t('common:tryAgain')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
