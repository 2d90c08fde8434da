import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { $hasRestrictedViewer } from '../../lib/stores/parent.ts'
import { $profile } from '../../lib/stores/profile.ts'
import {
  $dislikedPage,
  $dislikedTitles,
  $mutedTitles,
  $recommendationSignals,
  removeDislike,
  setNoticesMuted,
} from '../../lib/stores/recommendation-settings.ts'
import { Button } from '../../ui/Button.tsx'
import CustomiseHomeDialog from '../home/CustomiseHomeDialog.tsx'
import { useSettledCount } from '../use-settled-count.ts'
import { SignalList } from './tastes/SignalList.tsx'
import { TitleList } from './tastes/TitleList.tsx'

/**
 * Settings for recommendations: home rows, signals, disliked titles and muted titles. A restricted profile may change
 * only the muted titles.
 */
export default function TasteTab() {
  const profile = useStore($profile)
  const hasRestrictedViewer = useStore($hasRestrictedViewer)
  const dislikedTitles = useStore($dislikedTitles)
  const mutedTitles = useStore($mutedTitles)
  const [isCustomising, setIsCustomising] = useState(false)
  const settledReadCount = useSettledCount(
    hasRestrictedViewer ? [] : [$recommendationSignals, $dislikedTitles],
  )
  if (!profile) return null
  return (
    <div className="flex max-w-xl flex-col gap-12">
      {!hasRestrictedViewer && (
        <>
          <section aria-labelledby="taste-home" className="flex flex-col items-start gap-3">
            <h2 id="taste-home" className="text-lg font-bold">
              {t('customise:title')}
            </h2>
            <p className="text-muted">{t('customise:hint')}</p>
            <Button onClick={() => setIsCustomising(true)}>{t('customise:open')}</Button>
            {isCustomising && <CustomiseHomeDialog onClose={() => setIsCustomising(false)} />}
          </section>
          <SignalList />
          {settledReadCount > 0 && (
            <TitleList
              heading={t('taste:hidden')}
              emptyText={t('taste:hiddenEmpty')}
              titles={dislikedTitles.data?.results}
              error={dislikedTitles.error}
              actionLabel={t('taste:showAgain')}
              onAction={(title) => void removeDislike(title)}
            >
              <DislikedTitlesPager loadedPageCount={dislikedTitles.data?.total_pages ?? undefined} />
            </TitleList>
          )}
        </>
      )}
      {(hasRestrictedViewer || settledReadCount > 1) && (
        <TitleList
          heading={t('taste:muted')}
          emptyText={t('taste:mutedEmpty')}
          titles={mutedTitles.data?.results}
          error={mutedTitles.error}
          actionLabel={t('taste:unmute')}
          onAction={(title) => void setNoticesMuted(title, false)}
        />
      )}
    </div>
  )
}

/**
 * Buttons for the previous and the next page of disliked titles. They keep the focus at the first and last page, and
 * while a page is loading. `loadedPageCount` is undefined until a page is loaded.
 */
function DislikedTitlesPager({ loadedPageCount }: { loadedPageCount: number | undefined }) {
  const page = useStore($dislikedPage)
  const [pageCount, setPageCount] = useState(1)
  if (loadedPageCount !== undefined && loadedPageCount !== pageCount) setPageCount(loadedPageCount)
  // If the displayed page no longer exists, because its last title was removed, the last existing page is displayed.
  useEffect(() => {
    if (loadedPageCount === undefined) return
    const lastPage = Math.max(1, loadedPageCount)
    if (page > lastPage) $dislikedPage.set(lastPage)
  }, [page, loadedPageCount])
  if (pageCount <= 1) return null
  const showPage = (nextPage: number) => {
    if (nextPage >= 1 && nextPage <= pageCount) $dislikedPage.set(nextPage)
  }
  return (
    <div className="flex flex-wrap items-center gap-3 pt-3">
      <Button aria-disabled={page <= 1} onClick={() => showPage(page - 1)}>
        {t('common:previous')}
      </Button>
      <Button aria-disabled={page >= pageCount} onClick={() => showPage(page + 1)}>
        {t('common:next')}
      </Button>
      <span role="status" className="numbers text-sm text-muted">
        {t('transfer:page', { page, pages: pageCount })}
      </span>
    </div>
  )
}
