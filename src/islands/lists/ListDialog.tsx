import { type FormEvent, useId, useState } from 'react'
import { createEditKey } from '../../lib/client/edit-key.ts'
import type { ListFilter, NamedList } from '../../lib/contract/lists.ts'
import { t } from '../../lib/i18n/t.ts'
import { NAMED_LIST_LIMITS } from '../../lib/rules/tracking-limits.ts'
import { type NamedListError, saveList } from '../../lib/stores/named-lists.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Field } from '../../ui/Field.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import { observePage } from '../observe-page.ts'

interface Props {
  /** The named list to change. If it is absent, a new one is created. */
  list?: NamedList
  /** The filters of a new smart list; absent for a list of chosen titles. */
  filter?: ListFilter
  onClose: () => void
  /** Called with the saved list, unless the user has left the page while the list was being saved. */
  onSaved: (list: NamedList) => void
}

const MESSAGE_KEYS_BY_ERROR = {
  taken: 'lists:nameTaken',
  too_many: 'lists:tooMany',
  failed: 'errors:failed',
} as const satisfies Record<NamedListError, string>

/** Creates a list, or changes its name, its description, who sees it and whether it is a home row. */
export function ListDialog({ list, filter, onClose, onSaved }: Props) {
  const descriptionId = useId()
  const [error, setError] = useState<NamedListError | null>(null)
  const [isShared, setIsShared] = useState(list?.shared ?? false)
  const [isOnHome, setIsOnHome] = useState(list?.on_home ?? false)
  const [newListKey] = useState(createEditKey)
  const [isSaving, runAction] = useAction()
  const saveListForm = async (name: string, description: string) => {
    const isOnPage = observePage()
    const saveResult = await saveList(list?.list_id ?? null, {
      key: newListKey,
      name,
      description,
      shared: isShared,
      on_home: isOnHome,
      ...(filter && { filter }),
    })
    if ('error' in saveResult) setError(saveResult.error)
    else {
      onClose()
      if (isOnPage()) onSaved(saveResult.list)
    }
  }
  const submitForm = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const name = String(form.get('name')).trim()
    if (name) void runAction(() => saveListForm(name, String(form.get('description'))))
  }
  return (
    <Dialog
      title={t(list ? 'lists:change' : filter ? 'lists:saveFilters' : 'lists:create')}
      closeLabel={t('common:close')}
      onClose={onClose}
    >
      <form className="flex flex-col gap-4" onSubmit={submitForm}>
        <Field
          data-first
          required
          name="name"
          label={t('lists:name')}
          maxLength={NAMED_LIST_LIMITS.nameLength}
          defaultValue={list?.name}
          error={error && t(MESSAGE_KEYS_BY_ERROR[error])}
        />
        <div className="flex flex-col gap-1.5">
          <label htmlFor={descriptionId} className="text-sm font-medium text-muted">
            {t('lists:description')}
          </label>
          <textarea
            id={descriptionId}
            name="description"
            dir="auto"
            rows={3}
            maxLength={NAMED_LIST_LIMITS.descriptionLength}
            defaultValue={list?.description}
            className="w-full rounded-md border border-line bg-ground px-4 py-3 text-base text-ink focus:border-accent"
          />
        </div>
        <Switch label={t('lists:shareWithHousehold')} checked={isShared} onChange={setIsShared} />
        <Switch label={t('lists:showOnHome')} checked={isOnHome} onChange={setIsOnHome} />
        {filter && <p className="text-sm text-muted">{t('lists:smartHint')}</p>}
        <DialogActions>
          <Button type="submit" variant="primary" aria-disabled={isSaving}>
            {t('common:save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
