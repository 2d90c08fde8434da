import { useStore } from '@nanostores/react'
import { SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { currentLocale, t, tData } from '../../lib/i18n/t.ts'
import { href } from '../../lib/routes.ts'
import { $topGenres } from '../../lib/stores/media.ts'
import { $because } from '../../lib/stores/taste.ts'
import { Button } from '../../ui/Button.tsx'
import { PosterRow } from '../media/PosterRow.tsx'
import Customise from './Customise.tsx'
import { reasonText } from './Reason.tsx'

/** What home has below its first picture. */
export default function More({ part }: { part: 'because' | 'genres' | 'customise' }) {
  if (part === 'because') return <BecauseRows />
  return part === 'genres' ? <GenreRows /> : <CustomiseButton />
}

function BecauseRows() {
  const { data } = useStore($because)
  return data?.results.map(({ because, results }) => (
    <PosterRow
      key={because.media_id}
      title={reasonText(because)}
      memory={`because-${because.media_id}`}
      results={results}
    />
  ))
}

function GenreRows() {
  const { data } = useStore($topGenres)
  return data?.results.map(({ genre, results }) => (
    <PosterRow
      key={genre.id}
      title={tData(`genres:${genre.id}`, genre.name)}
      memory={`genre-${genre.id}`}
      results={results}
      seeAll={href('movies', currentLocale(), { query: { includeGenres: genre.id } })}
    />
  ))
}

function CustomiseButton() {
  const [open, setOpen] = useState(false)
  return (
    <div className="edge flex justify-center">
      <Button icon={<SlidersHorizontal aria-hidden size={18} />} onClick={() => setOpen(true)}>
        {t('customise:title')}
      </Button>
      {open && <Customise onClose={() => setOpen(false)} />}
    </div>
  )
}
