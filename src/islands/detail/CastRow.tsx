import type { MediaDetails } from '../../lib/contract/media.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { getImageUrl } from '../../lib/images.ts'
import { href } from '../../lib/routes.ts'
import { CardRow } from '../../ui/CardRow.tsx'
import { Name } from '../media/Name.tsx'

export function CastRow({ id, cast }: Pick<MediaDetails, 'id' | 'cast'>) {
  if (cast.length === 0) return null
  const heading = t('detail:cast')
  return (
    <CardRow
      title={<h2 className="text-lg font-bold">{heading}</h2>}
      label={heading}
      scrollKey={`cast-${id}`}
      previousLabel={t('common:previous')}
      nextLabel={t('common:next')}
    >
      {cast.map((member) => (
        <li key={`${member.actor_id}${member.character}`}>
          <a
            data-card
            href={href('actor', getCurrentLocale(), { slug: member.slug })}
            className="group block rounded-md text-center"
          >
            <img
              src={getImageUrl(member.profile_path, 'w185')}
              alt=""
              width="185"
              height="185"
              loading="lazy"
              className="mx-auto aspect-square w-4/5 rounded-full bg-raised object-cover transition-transform group-hover:scale-105"
            />
            <Name text={member.name} className="mt-3 block truncate font-medium" />
            <Name text={member.character} className="clamp-2 block text-sm text-muted" />
          </a>
        </li>
      ))}
    </CardRow>
  )
}
