import { useRef, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'

/** A note that exceeds one of these two limits is cut off until the viewer expands it. */
const MAX_SHOWN_CHARACTER_COUNT = 200
const MAX_SHOWN_LINE_COUNT = 3

/** The note of the profile about a viewing. */
export function ViewingNote({ note }: { note: string }) {
  const isNoteLong = note.length > MAX_SHOWN_CHARACTER_COUNT || note.split('\n').length > MAX_SHOWN_LINE_COUNT
  const [isOpen, setIsOpen] = useState(false)
  const noteRef = useRef<HTMLParagraphElement>(null)
  const expandNote = () => {
    setIsOpen(true)
    // The focus moves to the note, because the pressed button disappears.
    noteRef.current?.focus()
  }
  return (
    <div className="pb-3">
      <p
        ref={noteRef}
        tabIndex={-1}
        dir="auto"
        className={`max-w-prose text-sm whitespace-pre-line wrap-anywhere ${isNoteLong && !isOpen ? 'clamp-3' : ''}`}
      >
        {note}
      </p>
      {isNoteLong && !isOpen && (
        <button type="button" className="min-h-11 text-sm text-muted hover:text-ink" onClick={expandNote}>
          {t('common:showMore')}
        </button>
      )}
    </div>
  )
}
