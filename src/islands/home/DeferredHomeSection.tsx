import { useStore } from '@nanostores/react'
import { lazy, Suspense, useState } from 'react'
import { SlidersHorizontal } from '../../icons/index.ts'
import { getCurrentLocale, t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { getMostFrequentType } from '../../lib/rules/genres.ts'
import { $homeLists } from '../../lib/stores/named-lists.ts'
import { $newTitles } from '../../lib/stores/new-titles.ts'
import { $newestOfLibrary } from '../../lib/stores/newest-of-library.ts'
import { $hasRestrictedViewer } from '../../lib/stores/parent.ts'
import { $becauseRows, $topGenres } from '../../lib/stores/recommendation-settings.ts'
import { Button } from '../../ui/Button.tsx'
import { PosterRow } from '../media/PosterRow.tsx'
import { CharacterRow } from './CharacterRow.tsx'
import HomeRowMenu from './HomeRowMenu.tsx'
import { formatReason } from './RecommendationReason.tsx'

const CustomiseHomeDialog = lazy(() => import('./CustomiseHomeDialog.tsx'))

interface Props {
  section: 'library' | 'new' | 'because' | 'genres' | 'customise' | 'kids'
}

/** Home sections whose code is loaded after the first paint. */
export default function DeferredHomeSection({ section }: Props) {
  if (section === 'library') return <LibraryRow />
  if (section === 'new') return <NewTitlesRow />
  if (section === 'because') return <BecauseRows />
  if (section === 'genres') return <GenreRows />
  if (section === 'kids') return <CharacterRow />
  return (
    <>
      <NamedListRows />
      <CustomiseButton />
    </>
  )
}

const LibraryRow = () => (
  <PosterRow
    heading={t('customise:row_library')}
    scrollKey="library"
    titles={useStore($newestOfLibrary).data?.results ?? []}
    menu={<HomeRowMenu row="library" />}
  />
)

const NewTitlesRow = () => (
  <PosterRow
    heading={t('customise:row_new')}
    scrollKey="new"
    titles={useStore($newTitles)}
    menu={<HomeRowMenu row="new" />}
    seeAllHref={href('calendar', getCurrentLocale())}
  />
)

function BecauseRows() {
  const { data: becauseRowsReply } = useStore($becauseRows)
  return becauseRowsReply?.results.map(({ because, results }) => (
    <PosterRow
      key={because.media_id}
      heading={formatReason(because)}
      scrollKey={`because-${because.media_id}`}
      titles={results}
      menu={<HomeRowMenu row="because" />}
    />
  ))
}

function GenreRows() {
  const { data: genreRowsReply } = useStore($topGenres)
  return genreRowsReply?.results.map(({ genre, results }) => (
    <PosterRow
      key={genre.id}
      heading={translateDynamicKey(`genres:${genre.id}`, genre.name)}
      scrollKey={`genre-${genre.id}`}
      titles={results}
      menu={<HomeRowMenu row="genres" />}
      seeAllHref={href(getMostFrequentType(results) === 'tv' ? 'tvshows' : 'movies', getCurrentLocale(), {
        query: { includeGenres: genre.id },
      })}
    />
  ))
}

/** Named lists that the profile has chosen as home rows. */
function NamedListRows() {
  const { data: namedListRowsReply } = useStore($homeLists)
  return namedListRowsReply?.results.map(({ list_id, name, results }) => (
    <PosterRow
      key={list_id}
      heading={name}
      scrollKey={`list-${list_id}`}
      titles={results}
      seeAllHref={href('lists', getCurrentLocale(), { query: { id: list_id } })}
    />
  ))
}

function CustomiseButton() {
  const [isOpen, setIsOpen] = useState(false)
  // Only adults can change the home rows of a restricted profile.
  if (useStore($hasRestrictedViewer)) return null
  return (
    <div className="edge flex justify-center">
      <Button icon={<SlidersHorizontal aria-hidden size={18} />} onClick={() => setIsOpen(true)}>
        {t('customise:title')}
      </Button>
      {isOpen && (
        <Suspense>
          <CustomiseHomeDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
