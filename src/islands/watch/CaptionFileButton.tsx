import { useRef, useState } from 'react'
import { FolderOpen } from '../../icons/index.ts'
import { isolateBidi } from '../../lib/i18n/isolate-bidi.ts'
import { t } from '../../lib/i18n/t.ts'
import { type CaptionFileProblem, openCaptionFile } from './caption-file.ts'

/** Opens a subtitle file of this device for the current movie or episode. */
export function CaptionFileButton({ playerKey }: { playerKey: string }) {
  const fileInputRef = useRef<HTMLInputElement>(null)
  const [failure, setFailure] = useState<{ problem: CaptionFileProblem; name: string } | null>(null)
  const openFile = async (file: File) => {
    setFailure(null)
    const problem = await openCaptionFile(file, playerKey)
    if (problem) setFailure({ problem, name: file.name })
  }
  return (
    <>
      <button
        type="button"
        onClick={() => fileInputRef.current?.click()}
        className="flex min-h-11 w-full items-center gap-2 rounded-md px-3 text-start hover:bg-white/10"
      >
        <FolderOpen aria-hidden size={18} className="text-muted" />
        {t('watch:captionFile')}
      </button>
      <input
        ref={fileInputRef}
        type="file"
        hidden
        accept=".srt,.vtt,.ass,.ssa,text/vtt,application/x-subrip"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          // The value is cleared, because choosing the same file again would otherwise cause no event.
          event.currentTarget.value = ''
          if (file) void openFile(file)
        }}
      />
      {failure && (
        <p role="alert" className="px-3 py-1 text-sm text-danger">
          {t(`watch:captionFile_${failure.problem}`, { name: isolateBidi(failure.name) })}
        </p>
      )}
    </>
  )
}
