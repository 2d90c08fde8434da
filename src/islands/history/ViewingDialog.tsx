import { type FormEvent, useId } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { MAX_NOTE_LENGTH, toPlainNote } from '../../lib/rules/viewing-note.ts'
import type { ViewingChanges } from '../../lib/stores/history-edits.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { useAction } from '../../ui/use-action.ts'
import { DayField } from '../seen/DayField.tsx'

interface Props {
  title: string
  /** The day of the viewing. Empty if it is not known; null if it cannot be changed. */
  day: string | null
  /** Text of the note; empty without a note. */
  note: string
  onClose: () => void
  /** Saves the changed values. Returns false when they could not be saved. */
  onChange: (changes: ViewingChanges) => Promise<boolean>
}

/** Changes the day of a viewing and the profile's note about it. */
export function ViewingDialog({ title, day, note, onClose, onChange }: Props) {
  const noteId = useId()
  const [isSaving, runAction] = useAction()
  const saveChanges = (changes: ViewingChanges) =>
    runAction(async () => {
      // After a failure, the dialog stays open with the written text, which can be saved again.
      if (await onChange(changes)) onClose()
    })
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const newDay = String(form.get('day') ?? '')
    const newNote = toPlainNote(String(form.get('note')))
    void saveChanges({
      ...(newDay && newDay !== day && { day: newDay }),
      ...(newNote !== note && { note: newNote }),
    })
  }
  return (
    <Dialog title={title} closeLabel={t('common:close')} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={submitForm}>
        {day !== null && <DayField isRequired={day !== ''} day={day} />}
        <div className="flex flex-col gap-2">
          <label htmlFor={noteId} className="text-sm text-muted">
            {t('history:note')}
          </label>
          <textarea
            id={noteId}
            name="note"
            data-first={day === null || undefined}
            dir="auto"
            rows={5}
            maxLength={MAX_NOTE_LENGTH}
            defaultValue={note}
            aria-describedby={`${noteId}-hint`}
            className="w-full rounded-md border border-line bg-ground px-4 py-3 text-base text-ink focus:border-accent"
          />
          <p id={`${noteId}-hint`} className="text-sm text-muted">
            {t('history:noteHint')}
          </p>
        </div>
        <DialogActions>
          {note && (
            <Button variant="quiet" aria-disabled={isSaving} onClick={() => void saveChanges({ note: '' })}>
              {t('history:removeNote')}
            </Button>
          )}
          <Button type="submit" variant="primary" aria-disabled={isSaving}>
            {t('common:save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
