import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { Check, Plus } from '../../icons/index.ts'
import type { NamedList } from '../../lib/contract/lists.ts'
import { t } from '../../lib/i18n/t.ts'
import { $listedTitle, $namedLists, setTitlesInList } from '../../lib/stores/named-lists.ts'
import type { TitleRef } from '../../lib/stores/watchlist.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { menuItemClass } from '../../ui/Menu.tsx'
import { useSavedChoice } from '../../ui/use-saved-choice.ts'
import { Name } from '../media/Name.tsx'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'
import { ListDialog } from './ListDialog.tsx'

interface Props {
  /** The titles to add. If there is only one, it can also be removed from lists. */
  titles: readonly TitleRef[]
  heading: string
  onClose: () => void
}

/** Sets which named lists contain a single title, or adds several titles to a named list. */
export default function AddToListDialog({ titles, heading, onClose }: Props) {
  const [firstTitle, ...otherTitles] = titles
  const title = otherTitles.length === 0 ? firstTitle : undefined
  useState(() => $listedTitle.set(title ?? null))
  useEffect(() => () => $listedTitle.set(null), [])
  const { data: namedListsReply } = useStore($namedLists)
  const [isCreating, setIsCreating] = useState(false)
  const lists = namedListsReply?.results.filter((list) => list.own && !list.filter)
  if (isCreating)
    return (
      <ListDialog
        onClose={onClose}
        onSaved={(list) => {
          void setTitlesInList(list, titles, true)
        }}
      />
    )
  return (
    <Dialog title={heading} closeLabel={t('common:close')} onClose={onClose}>
      {lists?.length === 0 && <p className="text-muted">{t('lists:emptyHint')}</p>}
      <SectionPlaceholder $read={$namedLists}>
        <div className="skeleton h-24" />
      </SectionPlaceholder>
      {lists && (
        <ul>
          {lists.map((list) => (
            <li key={list.list_id}>
              {title ? (
                <ListToggle list={list} title={title} />
              ) : (
                <button
                  type="button"
                  className={menuItemClass}
                  onClick={() => {
                    onClose()
                    void setTitlesInList(list, titles, true)
                  }}
                >
                  <ListLabel list={list} isChecked={false} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      <DialogActions>
        <Button icon={<Plus aria-hidden size={18} />} onClick={() => setIsCreating(true)}>
          {t('lists:create')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Button that adds a title to a list, or removes it. */
function ListToggle({ list, title }: { list: NamedList; title: TitleRef }) {
  const [isIncluded, chooseIncluded] = useSavedChoice(
    list.contains === true,
    (isChosen) => setTitlesInList(list, [title], isChosen),
    list,
  )
  return (
    <button
      type="button"
      aria-pressed={isIncluded}
      className={menuItemClass}
      onClick={() => void chooseIncluded(!isIncluded)}
    >
      <ListLabel list={list} isChecked={isIncluded} />
    </button>
  )
}

function ListLabel({ list, isChecked }: { list: NamedList; isChecked: boolean }) {
  return (
    <>
      <span className="size-5 shrink-0">
        {isChecked && <Check aria-hidden size={20} className="text-good" />}
      </span>
      <Name text={list.name} className="min-w-0 grow wrap-anywhere" />
      <span className="numbers shrink-0 text-sm text-muted">{list.title_count}</span>
    </>
  )
}
