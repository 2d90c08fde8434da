import { useStore } from '@nanostores/react'
import { useId } from 'react'
import type { Profile } from '../../lib/contract/profiles.ts'
import { t } from '../../lib/i18n/t.ts'
import { getHiddenTitlesStore, unhideTitle } from '../../lib/stores/family.ts'
import { Button } from '../../ui/Button.tsx'
import { TitleName } from '../media/Name.tsx'
import { getTitleHref } from '../media/title-urls.ts'
import { SectionPlaceholder } from '../SectionPlaceholder.tsx'

/** Titles that a child has hidden with a dislike. The child itself cannot show them again. */
export function HiddenTitlesSection({ profile }: { profile: Profile }) {
  const headingId = useId()
  const hiddenTitlesStore = getHiddenTitlesStore(profile.profile_id)
  const { data: hiddenTitles } = useStore(hiddenTitlesStore)
  if (!hiddenTitles) return <SectionPlaceholder $read={hiddenTitlesStore} />
  if (hiddenTitles.results.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-4">
      <h3 id={headingId} className="font-bold">
        {t('taste:hidden')}
      </h3>
      <p className="text-sm text-muted">{t('family:hiddenHint')}</p>
      <ul className="divide-y divide-line">
        {hiddenTitles.results.map((title) => (
          <li key={title.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <a
              href={getTitleHref(title)}
              className="min-w-0 grow basis-48 py-2.5 wrap-anywhere hover:text-accent"
            >
              <TitleName title={title} />
            </a>
            <Button
              aria-label={t('common:pair', { name: t('taste:showAgain'), value: title.title })}
              onClick={() => void unhideTitle(profile.profile_id, title)}
            >
              {t('taste:showAgain')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
