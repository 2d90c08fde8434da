import { useStore } from '@nanostores/react'
import { lazy, Suspense, useState } from 'react'
import { Film, Heart, ListPlus, Users } from '../../icons/index.ts'
import { t } from '../../lib/i18n/t.ts'
import { WATCH_STATES } from '../../lib/rules/limits.ts'
import { $isParentOfOthers } from '../../lib/stores/parent.ts'
import { setWatchState } from '../../lib/stores/watch-state.ts'
import { $watchlistEntries, type TitleRef } from '../../lib/stores/watchlist.ts'
import { changeWatchlistEntries } from '../../lib/stores/watchlist-bulk.ts'
import { getIconButtonSizeClass, IconButton } from '../../ui/Button.tsx'
import { SavedSelect } from '../../ui/SavedSelect.tsx'
import { RatingButton } from '../ratings/RatingButton.tsx'
import { NoticeRuleButton } from './NoticeRuleButton.tsx'
import { ResetProgressButton } from './ResetProgressButton.tsx'
import { TitleSeenControls } from './TitleSeenControls.tsx'

const TitleFamilyDialog = lazy(() => import('../family/TitleFamilyDialog.tsx'))
const AddToListDialog = lazy(() => import('../lists/AddToListDialog.tsx'))

interface Props {
  title: TitleRef
  name: string
}

/**
 * Controls of a title: mark as seen, the bell for notices, the lists, the rating, the family button (only for a
 * parent) and the trailer. A title on the watchlist also has the favourite button and the watch state, and a title
 * with progress has the button that resets the progress. These three controls come last, because they appear after
 * loading and must not move the other controls. For the same reason, the bell is rendered before its state is known.
 */
export default function TrackingControls({ title, name, trailerUrl }: Props & { trailerUrl: string | null }) {
  return (
    <>
      <TitleSeenControls title={title} name={name} />
      <NoticeRuleButton title={title} name={name} />
      <AddToListButton title={title} name={name} />
      <RatingButton title={title} name={name} />
      <TitleRulesButton title={title} />
      {trailerUrl && <TrailerLink url={trailerUrl} />}
      <WatchlistEntryControls title={title} name={name} />
      <ResetProgressButton title={title} />
    </>
  )
}

function AddToListButton({ title, name }: Props) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  return (
    <>
      <IconButton
        label={t('common:pair', { name: t('header:lists'), value: t('lists:addTitle', { title: name }) })}
        visibleText={t('header:lists')}
        onClick={() => setIsDialogOpen(true)}
      >
        <ListPlus aria-hidden size={20} />
      </IconButton>
      {isDialogOpen && (
        <Suspense>
          <AddToListDialog
            titles={[title]}
            heading={t('lists:addTitle', { title: name })}
            onClose={() => setIsDialogOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Opens the dialog in which a parent shows the title to other profiles or hides it from them. */
function TitleRulesButton({ title }: Pick<Props, 'title'>) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  if (!useStore($isParentOfOthers)) return null
  return (
    <>
      <IconButton
        label={t('titlerules:forTitle')}
        visibleText={t('titlerules:forTitle')}
        onClick={() => setIsDialogOpen(true)}
      >
        <Users aria-hidden size={20} />
      </IconButton>
      {isDialogOpen && (
        <Suspense>
          <TitleFamilyDialog title={title} onClose={() => setIsDialogOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function TrailerLink({ url }: { url: string }) {
  return (
    <a
      className={`${getIconButtonSizeClass(true)} rounded-full border border-line bg-overlay/80 text-ink hover:border-ink`}
      href={url}
      rel="noreferrer"
      target="_blank"
    >
      <span className="grid place-items-center">
        <Film aria-hidden size={20} />
      </span>
      <span>{t('detail:trailer')}</span>
    </a>
  )
}

function WatchlistEntryControls({ title, name }: Props) {
  const watchlistEntry = useStore($watchlistEntries)[`${title.type}/${title.id}`]
  if (!watchlistEntry?.in_watchlist) return null
  const { favorite, state } = watchlistEntry
  return (
    <>
      <IconButton
        label={t('mylist:favorite')}
        visibleText={t('mylist:favorite')}
        aria-pressed={favorite === true}
        onClick={() =>
          void changeWatchlistEntries([{ type: title.type, media_id: title.id }], { favorite: !favorite })
        }
      >
        <Heart aria-hidden size={20} fill={favorite ? 'currentColor' : 'none'} />
      </IconButton>
      <SavedSelect
        isLabelHidden
        label={t('mylist:changeState', { title: name })}
        value={state ?? 'planned'}
        loadedData={watchlistEntry}
        options={WATCH_STATES.map((watchState) => ({ value: watchState, label: t(`mylist:${watchState}`) }))}
        onSave={(nextState) => setWatchState(title, nextState)}
      />
    </>
  )
}
