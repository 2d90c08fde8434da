import { useRef, useState } from 'react'
import type { AdminTitle } from '../../../lib/contract/admin-titles.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import type { TitleField } from '../../../lib/rules/title-fields.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { $editedTitle, refreshTitle, saveTitle, undoTitleEdit } from '../../../lib/stores/admin/titles.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { DialogActions } from '../../../ui/DialogActions.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { Name } from '../../media/Name.tsx'
import { ActionButton } from '../kit/ActionButton.tsx'
import { SegmentedControl } from '../kit/FilterBar.tsx'
import { formatLocalDateTime } from '../kit/formatters.ts'
import { LoadError } from '../kit/TableStates.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'
import { PosterChoice } from './PosterChoice.tsx'
import { TitleFields } from './TitleFields.tsx'
import { createVisibilityChange, TitleVisibility, type VisibilityDraft } from './TitleVisibility.tsx'
import { createTitleChange, hasInvalidTmdbId, type TitleDraft } from './title-draft.ts'

/** Edits the visibility, the fields and the poster of a title. */
export function TitleDialog({ onClose }: { onClose: () => void }) {
  const { data: editedTitle, error, retry, isLoading } = useStoreQuery($editedTitle)
  // The form stays mounted while a change reloads the title, so that unsaved values of other fields are kept.
  const shownTitleIdRef = useRef<string | null>(null)
  const isShown = editedTitle !== undefined && (!isLoading || shownTitleIdRef.current === editedTitle.id)
  if (isShown) shownTitleIdRef.current = editedTitle.id
  return (
    <Dialog
      title={editedTitle?.title ?? t('common:edit')}
      closeLabel={t('common:close')}
      onClose={onClose}
      isWide
    >
      {error ? (
        <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />
      ) : isShown ? (
        <TitleForm key={editedTitle.id} title={editedTitle} onClose={onClose} />
      ) : (
        <div role="status" aria-label={t('common:loading')} className="skeleton h-96" />
      )}
    </Dialog>
  )
}

const EDIT_VIEWS = ['visibility', 'details', 'poster'] as const

function TitleForm({ title, onClose }: { title: AdminTitle; onClose: () => void }) {
  const [view, setView] = useState<(typeof EDIT_VIEWS)[number]>('visibility')
  const [visibilityDraft, setVisibilityDraft] = useState<VisibilityDraft>({})
  const [titleDraft, setTitleDraft] = useState<TitleDraft>({})
  const [isSubmitting, runAction] = useAction()
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const titleChange = {
    ...createVisibilityChange(title, visibilityDraft),
    ...createTitleChange(title, titleDraft),
  }
  const hasInvalidField = hasInvalidTmdbId(titleDraft)
  const changeTitle = (change: () => Promise<TranslationKey | null>, onChanged = () => {}) =>
    void runAction(async () => {
      const failureKey = await change()
      setErrorKey(failureKey)
      if (!failureKey) onChanged()
    })
  const saveChanges = () => {
    // The error is displayed at the invalid field, so the view that contains this field must be open.
    if (hasInvalidField) setView('details')
    else changeTitle(() => saveTitle(title, titleChange), onClose)
  }
  const onUndo = (field: TitleField) =>
    changeTitle(
      () => undoTitleEdit(title.id, field),
      () => {
        setTitleDraft((draft) => omitField(draft, field))
        setVisibilityDraft((draft) => omitField(draft, field))
      },
    )
  return (
    <div className="flex flex-col gap-6">
      <TitleFacts title={title} />
      <div className="flex">
        <SegmentedControl
          label={t('dashboardlibrary:editView')}
          value={view}
          options={EDIT_VIEWS.map((value) => ({ value, label: t(`dashboardlibrary:view_${value}`) }))}
          onChange={setView}
        />
      </div>
      {view === 'visibility' && (
        <TitleVisibility
          title={title}
          draft={visibilityDraft}
          onChange={setVisibilityDraft}
          onUndo={onUndo}
        />
      )}
      {view === 'details' && (
        <TitleFields title={title} draft={titleDraft} onChange={setTitleDraft} onUndo={onUndo} />
      )}
      {view === 'poster' && (
        <PosterChoice
          title={title}
          onChoose={(path) => changeTitle(() => saveTitle(title, { poster: path }))}
          onUndo={onUndo}
        />
      )}
      <p className="text-xs text-faint">
        {t('dashboardlibrary:origin', { source: getSourceName(title.source) })} ·{' '}
        <bdi>{formatLocalDateTime(title.updated_at)}</bdi>
        {title.edited.length > 0 && ` · ${t('dashboardlibrary:editedHint')}`}
      </p>
      {errorKey && (
        <p role="alert" className="text-sm text-danger">
          {t(errorKey)}
        </p>
      )}
      <DialogActions>
        {title.can_refresh && (
          <ActionButton
            className="me-auto"
            aria-disabled={isSubmitting}
            onClick={() => changeTitle(() => refreshTitle(title.id))}
          >
            {t('dashboardlibrary:refreshTitle')}
          </ActionButton>
        )}
        <ActionButton aria-disabled={isSubmitting} onClick={onClose}>
          {t('common:cancel')}
        </ActionButton>
        <ActionButton
          variant="primary"
          disabled={Object.keys(titleChange).length === 0 && !hasInvalidField}
          aria-disabled={isSubmitting}
          onClick={saveChanges}
        >
          {t('common:save')}
        </ActionButton>
      </DialogActions>
    </div>
  )
}

/** Returns a copy of the draft without the value of `field`. */
function omitField<Draft extends object>(draft: Draft, field: TitleField): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([draftField]) => draftField !== field)) as Draft
}

function TitleFacts({ title }: { title: AdminTitle }) {
  return (
    <p className="-mt-3 text-sm text-muted">
      <Name text={title.original_title} />
      {title.year !== null && <span className="numbers"> · {title.year}</span>}
      {title.imdb_id && (
        <>
          {' · '}
          <bdi>{title.imdb_id}</bdi>
        </>
      )}
    </p>
  )
}

/** Display names of importers. They are proper nouns, so they are not translated. */
const SOURCE_NAMES: Record<string, string> = { demo: 'Demo', imdb: 'IMDb', tmdb: 'TMDB' }
const getSourceName = (source: string) =>
  source === 'file' ? t('dashboardlibrary:sourceFile') : (SOURCE_NAMES[source] ?? source)
