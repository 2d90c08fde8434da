import { useStore } from '@nanostores/react'
import type { listCharacters } from '../../lib/contract/characters.ts'
import type { ReplyOf } from '../../lib/contract/endpoint.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { href } from '../../lib/routes.ts'
import { $characters } from '../../lib/stores/characters.ts'
import { CardRow } from '../../ui/CardRow.tsx'
import { Name } from '../media/Name.tsx'
import { getTitleHref } from '../media/title-urls.ts'

type Character = ReplyOf<typeof listCharacters>['results'][number]

const PLACEHOLDER_INDEXES = [0, 1, 2, 3, 4, 5]

/** First row of the home page of a kids profile. Children recognise characters before they can read titles. */
export function CharacterRow() {
  const { data: charactersReply, error } = useStore($characters)
  if ((error && !charactersReply) || charactersReply?.results.length === 0) return null
  return (
    <CardRow
      title={<h2 className="text-lg font-bold">{t('customise:characters')}</h2>}
      label={t('customise:characters')}
      scrollKey="characters"
      previousLabel={t('common:previous')}
      nextLabel={t('common:next')}
    >
      {charactersReply
        ? charactersReply.results.map((character) => (
            <li key={character.name}>
              <CharacterCard character={character} />
            </li>
          ))
        : PLACEHOLDER_INDEXES.map((index) => (
            <li key={index} aria-hidden>
              <div className="skeleton mx-auto aspect-square w-4/5 rounded-full" />
              <div className="mt-3 h-6" />
            </li>
          ))}
    </CardRow>
  )
}

/**
 * Link to the title of the character or, if the character has several titles, to a search for its name.
 */
function CharacterCard({ character: { name, media, title_count } }: { character: Character }) {
  const targetHref =
    title_count > 1 ? href('search', getCurrentLocale(), { query: { q: name } }) : getTitleHref(media)
  return (
    <a data-card href={targetHref} className="group block rounded-md text-center">
      <img
        src={getImageUrl(media.backdrop_path ?? media.poster_path, 'w342')}
        alt=""
        width="342"
        height="342"
        loading="lazy"
        className="mx-auto aspect-square w-4/5 rounded-full bg-raised object-cover transition-transform group-hover:scale-105"
      />
      <Name text={name} className="mt-3 block truncate font-medium" />
    </a>
  )
}
