import { lazy, Suspense, useState } from 'react'
import type { getLibraryFile, LibraryFileEntry } from '../../../lib/contract/admin-library.ts'
import type { ReplyOf } from '../../../lib/contract/endpoint.ts'
import type { TranslationKey } from '../../../lib/i18n/keys.ts'
import { t } from '../../../lib/i18n/t.ts'
import { parseWholeNumber } from '../../../lib/rules/number-input.ts'
import type { BlockCandidate } from '../../../lib/stores/admin/blocklist.ts'
import { $openFile, chooseFileTitle, clearChosenFileTitle } from '../../../lib/stores/admin/library.ts'
import { getErrorMessageKey } from '../../../lib/stores/admin/run-action.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { Name } from '../../media/Name.tsx'
import { ActionButton } from '../kit/ActionButton.tsx'
import { SegmentedControl } from '../kit/FilterBar.tsx'
import { FormActions } from '../kit/FormActions.tsx'
import { LoadError } from '../kit/TableStates.tsx'
import { useStoreQuery } from '../kit/use-store-query.ts'
import { EpisodeFields } from './EpisodeFields.tsx'
import { FileFacts } from './FileFacts.tsx'
import { formatFileTitle, getFileName } from './file-columns.tsx'
import { TitleOrPersonSearch } from './TitleOrPersonSearch.tsx'

type FileDetails = ReplyOf<typeof getLibraryFile>
type TitleType = LibraryFileEntry['type']

/** Shows a file with its media information. The administrator chooses the title of the file here. */
export function FileDialog({ onClose }: { onClose: () => void }) {
  const { data: openFile, error, retry } = useStoreQuery($openFile)
  return (
    <Dialog
      title={openFile ? getFileName(openFile.file) : t('dashboardlibrary:file')}
      closeLabel={t('common:close')}
      onClose={onClose}
      isWide
    >
      {error ? (
        <LoadError reason={t(getErrorMessageKey(error))} onRetry={retry} />
      ) : openFile ? (
        <div key={openFile.file.id} className="contents">
          <FileFacts details={openFile} />
          <CurrentMatch file={openFile.file} onClose={onClose} />
          {openFile.file.reason !== 'disc' && <TitleOfFile details={openFile} onClose={onClose} />}
        </div>
      ) : (
        <div role="status" aria-label={t('common:loading')} className="skeleton h-96" />
      )}
    </Dialog>
  )
}

/**
 * The title of the file or the reason why it has none. One button undoes the choice of an administrator. Another button
 * records that the file does not belong to its title.
 */
function CurrentMatch({ file, onClose }: { file: LibraryFileEntry; onClose: () => void }) {
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const [isSubmitting, runAction] = useAction()
  const isChosen = file.matched_by === 'choice' || file.reason === 'dismissed'
  const changeMatch = (action: () => Promise<TranslationKey | null>) =>
    runAction(async () => {
      const failureKey = await action()
      if (failureKey) setErrorKey(failureKey)
      else onClose()
    })
  return (
    <section
      className={`flex flex-col gap-3 border-line ${file.reason === 'disc' ? 'border-t pt-4' : 'border-y py-4'}`}
    >
      <p className="font-medium">{formatFileTitle(file)}</p>
      <p className="text-sm text-muted">
        {file.matched_by
          ? t(`dashboardlibrary:matchedBy_${file.matched_by}`)
          : file.reason && t(`dashboardlibrary:fileReasonHint_${file.reason}`)}
      </p>
      <div className="flex flex-wrap gap-3">
        {isChosen && (
          <ActionButton
            aria-disabled={isSubmitting}
            onClick={() => void changeMatch(() => clearChosenFileTitle(file))}
          >
            {t('dashboardlibrary:forgetChoice')}
          </ActionButton>
        )}
        {file.title && (
          <ActionButton
            variant="danger"
            aria-disabled={isSubmitting}
            onClick={() => void changeMatch(() => chooseFileTitle(file, { title_id: null, scope: 'file' }))}
          >
            {t('dashboardlibrary:wrongMatch')}
          </ActionButton>
        )}
      </div>
      {errorKey && (
        <p role="alert" className="text-sm text-danger">
          {t(errorKey)}
        </p>
      )}
    </section>
  )
}

const AddTitle = lazy(() => import('./AddTitle.tsx'))

/**
 * Chooses a title of the catalogue, or adds a new one. If the file already has a title, only titles of the
 * catalogue can be chosen.
 */
function TitleOfFile({ details, onClose }: { details: FileDetails; onClose: () => void }) {
  const [view, setView] = useState<'choose' | 'add'>('choose')
  if (details.file.state === 'matched') return <TitleChoice details={details} onClose={onClose} />
  return (
    <>
      <div className="flex">
        <SegmentedControl
          label={t('dashboardlibrary:titleOfFile')}
          value={view}
          options={(['choose', 'add'] as const).map((value) => ({
            value,
            label: t(value === 'choose' ? 'dashboardlibrary:chooseTitle' : 'dashboardlibrary:newTitle'),
          }))}
          onChange={setView}
        />
      </div>
      {view === 'choose' ? (
        <TitleChoice details={details} onClose={onClose} />
      ) : (
        <Suspense fallback={<div role="status" aria-label={t('common:loading')} className="skeleton h-80" />}>
          <AddTitle details={details} onClose={onClose} />
        </Suspense>
      )}
    </>
  )
}

interface TitleChoiceState {
  type: TitleType
  selectedMatch: BlockCandidate | null
  isForFolder: boolean
  season: string
  episode: string
}

/**
 * Form that chooses a title among the candidates or search results. The choice applies to this file, or to all files
 * of its folder whose names contain the same title.
 */
function TitleChoice({ details, onClose }: { details: FileDetails; onClose: () => void }) {
  const { file, folder_files: folderFileCount } = details
  const [choice, setChoice] = useState<TitleChoiceState>({
    type: file.type,
    selectedMatch: null,
    isForFolder: folderFileCount > 1,
    season: '1',
    episode: '',
  })
  const [isSubmitting, runAction] = useAction()
  const [errorKey, setErrorKey] = useState<TranslationKey | null>(null)
  const changeChoice = (changes: Partial<TitleChoiceState>) => setChoice({ ...choice, ...changes })
  const isEpisodeNeeded = details.needs_episode && choice.type === 'tv'
  const isForFolder = folderFileCount > 1 && choice.isForFolder && !isEpisodeNeeded
  const seasonNumber = parseWholeNumber(choice.season)
  const episodeNumber = parseWholeNumber(choice.episode)
  const isComplete =
    choice.selectedMatch !== null && (!isEpisodeNeeded || (seasonNumber !== null && episodeNumber !== null))
  const submitChoice = async () => {
    if (!choice.selectedMatch) return
    const failureKey = await chooseFileTitle(file, {
      title_id: choice.selectedMatch.id,
      scope: isForFolder ? 'folder' : 'file',
      ...(isEpisodeNeeded &&
        seasonNumber !== null &&
        episodeNumber !== null && { season: seasonNumber, episode: episodeNumber }),
    })
    if (failureKey) setErrorKey(failureKey)
    else onClose()
  }
  return (
    <form
      className="contents"
      onSubmit={(event) => {
        event.preventDefault()
        void runAction(submitChoice)
      }}
    >
      {details.file.state === 'matched' && (
        <h3 className="font-semibold">{t('dashboardlibrary:chooseTitle')}</h3>
      )}
      <CandidateButtons
        file={file}
        onSelect={(type, selection) => changeChoice({ type, selectedMatch: selection })}
      />
      <Select
        label={t('dashboardlibrary:type')}
        value={choice.type}
        options={(['movie', 'tv'] as const).map((value) => ({
          value,
          label: t(`dashboardlibrary:block_${value}`),
        }))}
        onChange={(type) => changeChoice({ type, selectedMatch: null })}
      />
      <TitleOrPersonSearch
        key={choice.type}
        type={choice.type}
        selectedMatch={choice.selectedMatch}
        onSelect={(selection) => changeChoice({ selectedMatch: selection })}
      />
      {isEpisodeNeeded && (
        <EpisodeFields
          episodeNumbers={{ season: choice.season, episode: choice.episode }}
          onChange={(episodeNumbers) => changeChoice(episodeNumbers)}
        />
      )}
      {folderFileCount > 1 && !isEpisodeNeeded && (
        <Switch
          label={t('dashboardlibrary:forFolder', { count: folderFileCount })}
          hint={t('dashboardlibrary:forFolderHint')}
          checked={choice.isForFolder}
          onChange={(value) => changeChoice({ isForFolder: value })}
        />
      )}
      <FormActions
        errorKey={errorKey}
        isSubmitting={isSubmitting}
        isFormIncomplete={!isComplete}
        submitLabel={t('dashboardlibrary:remember')}
        onCancel={onClose}
      />
    </form>
  )
}

/** The titles that the file may belong to, as buttons. */
function CandidateButtons({
  file,
  onSelect,
}: {
  file: LibraryFileEntry
  onSelect: (type: TitleType, candidate: BlockCandidate) => void
}) {
  if (file.candidates.length === 0) return null
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-sm text-muted">{t('dashboardlibrary:candidates')}</legend>
      {file.candidates.map(({ id, type, title, year }) => (
        <ActionButton
          key={id}
          className="justify-start"
          onClick={() => onSelect(type, { id, name: title, year })}
        >
          <span className="min-w-0 truncate">
            <Name text={title} />
            {year !== null && <span className="numbers text-muted"> ({year})</span>}
            <span className="text-faint"> · {t(`dashboardlibrary:block_${type}`)}</span>
          </span>
        </ActionButton>
      ))}
    </fieldset>
  )
}
