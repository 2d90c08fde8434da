import { useStore } from '@nanostores/react'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { currentLocale, t, tData } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { $topGenres } from '../../lib/stores/media.ts'
import { $because } from '../../lib/stores/taste.ts'
import { Button } from '../../ui/Button.tsx'
import { PosterRow } from '../media/PosterRow.tsx'
import CustomiseHomeDialog from './Customise.tsx'
import { reasonText } from './Reason.tsx'

/** Home sections whose code is loaded after the first viewport. */
export default function More({ section }: { section: 'because' | 'genres' | 'customise' }) {
  if (section === 'because') return <BecauseRows />
  return section === 'genres' ? <GenreRows /> : <CustomiseButton />
}

function BecauseRows() {
  const { data } = useStore($because)
  return data?.results.map(({ because, results }) => (
    <PosterRow
      key={because.media_id}
      heading={reasonText(because)}
      scrollKey={`because-${because.media_id}`}
      titles={results}
    />
  ))
}

function GenreRows() {
  const { data } = useStore($topGenres)
  return data?.results.map(({ genre, results }) => (
    <PosterRow
      key={genre.id}
      heading={tData(`genres:${genre.id}`, genre.name)}
      scrollKey={`genre-${genre.id}`}
      titles={results}
      seeAllHref={href('movies', currentLocale(), { query: { includeGenres: genre.id } })}
    />
  ))
}

function CustomiseButton() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <div className="edge flex justify-center">
      <Button icon={<SlidersHorizontal aria-hidden size={18} />} onClick={() => setIsOpen(true)}>
        {t('customise:title')}
      </Button>
      {isOpen && <CustomiseHomeDialog onClose={() => setIsOpen(false)} />}
    </div>
  )
}
