import { useState } from 'react'
import { Dices, ListPlus } from '../../icons/index.ts'
import { navigate } from '../../lib/client-navigation.ts'
import { t } from '../../lib/i18n/t.ts'
import { toListQuery } from '../../lib/rules/list-filter.ts'
import type { BrowseFilters, BrowseType } from '../../lib/stores/browse.ts'
import { findRandomTitle, formatBrowseFilters } from '../../lib/stores/browse.ts'
import { showFailure } from '../../lib/stores/toast.ts'
import { Button } from '../../ui/Button.tsx'
import { useAction } from '../../ui/use-action.ts'
import { openTitle } from '../media/open-title.ts'
import { getTitleHref } from '../media/title-urls.ts'
import { observePage } from '../observe-page.ts'
import { ListDialog } from './ListDialog.tsx'
import { getListHref } from './ListOverview.tsx'

interface Props {
  type: BrowseType
  filters: BrowseFilters
  /** Number of titles that match the filters; null while this number is loading. */
  totalCount: number | null
}

/** Two buttons: one opens a random title of the results, the other saves the filters as a smart list. */
export default function BrowseActions({ type, filters, totalCount }: Props) {
  const [isDialogOpen, setIsDialogOpen] = useState(false)
  const [isSearching, runAction] = useAction()
  const openRandomTitle = async () => {
    const isOnPage = observePage()
    try {
      const title = await findRandomTitle(type, filters, totalCount ?? 0)
      if (!title || !isOnPage()) return
      openTitle(title)
      await navigate(getTitleHref(title))
    } catch (error) {
      showFailure(error)
    }
  }
  return (
    <>
      <Button
        aria-disabled={!totalCount || isSearching}
        icon={<Dices aria-hidden size={18} />}
        onClick={() => void runAction(openRandomTitle)}
      >
        {t('lists:surprise')}
      </Button>
      <Button icon={<ListPlus aria-hidden size={18} />} onClick={() => setIsDialogOpen(true)}>
        {t('lists:saveFilters')}
      </Button>
      {isDialogOpen && (
        <ListDialog
          filter={{ type, query: toListQuery(type, formatBrowseFilters(filters)) }}
          onClose={() => setIsDialogOpen(false)}
          onSaved={(list) => void navigate(getListHref(list.list_id))}
        />
      )}
    </>
  )
}
